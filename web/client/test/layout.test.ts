import assert from "node:assert/strict";
import { test } from "node:test";
import { betPoint, boardPoint, lookOf, type Point, type Size, seatPoints, seatsInOrder } from "../src/layout/stage.js";

/** What is left for the stage on screens of these sizes. */
const STAGES: Record<string, Size> = {
  "desktop 1280x800": { width: 980, height: 560 },
  "large desktop": { width: 1600, height: 850 },
  "small laptop 1024x700": { width: 760, height: 430 },
  "tablet 768x1024": { width: 768, height: 740 },
  "phone 390x844": { width: 390, height: 560 },
  "phone 360x740": { width: 360, height: 470 },
  "phone lying 844x390": { width: 572, height: 318 },
};

interface Box {
  readonly what: string;
  readonly at: Point;
  readonly size: Size;
}

function boxes(count: number, stage: Size): Box[] {
  const look = lookOf(stage);
  const points = seatPoints(count, stage, look);
  const all: Box[] = [{ what: "board", at: boardPoint(stage, look), size: look.board }];
  points.forEach((at, place) => {
    all.push({ what: `seat ${place}`, at, size: place === 0 ? look.own : look.seat });
    const bet = betPoint(at, place === 0, stage, look);
    if (bet && look.bet) all.push({ what: `bet ${place}`, at: bet, size: look.bet });
  });
  return all;
}

function overlap(one: Box, other: Box): boolean {
  const near = 0.5;
  return (
    Math.abs(one.at.x - other.at.x) + near < (one.size.width + other.size.width) / 2 &&
    Math.abs(one.at.y - other.at.y) + near < (one.size.height + other.size.height) / 2
  );
}

for (const [name, stage] of Object.entries(STAGES)) {
  for (let count = 2; count <= 10; count += 1) {
    test(`${count} seats on a ${name}: nothing overlaps, nothing sticks out`, () => {
      const all = boxes(count, stage);
      for (const [number, one] of all.entries()) {
        for (const other of all.slice(number + 1)) assert(!overlap(one, other), `${one.what} and ${other.what}`);
        assert(
          one.at.x - one.size.width / 2 >= 0 && one.at.x + one.size.width / 2 <= stage.width,
          `${one.what} sticks out`,
        );
        assert(
          one.at.y - one.size.height / 2 >= 0 && one.at.y + one.size.height / 2 <= stage.height,
          `${one.what} sticks out`,
        );
      }
    });
  }
}

test("the own seat is at the bottom, the next one clockwise to its left", () => {
  const stage = { width: 980, height: 560 };
  const points = seatPoints(6, stage, lookOf(stage));
  assert(points.every((one) => one.y <= points[0]!.y));
  assert(points[1]!.x < points[0]!.x && points[5]!.x > points[0]!.x);
  assert.deepEqual(seatsInOrder(4, 2), [2, 3, 0, 1]);
  assert.deepEqual(seatsInOrder(3, null), [0, 1, 2]);
});
