/** What is on a picture of the table for sharing: what the whole table saw, and nothing that it did not. */
import { betPoint, boardPoint, lookOf, type Point, type Size, seatPoints, seatsInOrder } from "../layout/stage.js";
import { deeds, winnings } from "../table/deeds.js";
import { cardsOf } from "../table/Seat.js";
import type { Texts } from "../texts/index.js";
import { type Playback, viewAt } from "./playback.js";

/** In pixels before it is scaled. */
export const PICTURE = { width: 960, height: 560, scale: 2 } as const;
const HEAD = 44;
const CARD: Size = { width: 40, height: 56 };
const GAP = 4;

export interface Rect {
  readonly kind: "rect";
  readonly at: Point;
  readonly size: Size;
  readonly radius: number;
  readonly fill: string;
  readonly edge?: { readonly colour: string; readonly width: number };
}

export interface Text {
  readonly kind: "text";
  readonly at: Point;
  readonly text: string;
  readonly size: number;
  readonly fill: string;
  readonly bold?: boolean;
  readonly align?: "left" | "center";
  /** It is made narrower where it is wider. */
  readonly most?: number;
}

/** Null is a card from behind. */
export interface CardShape {
  readonly kind: "card";
  readonly at: Point;
  readonly size: Size;
  readonly card: string | null;
  readonly dim: boolean;
}

/** `at` is the middle, of a text at the left its left end. */
export type Shape = Rect | Text | CardShape;

export function pictureOf(
  playback: Playback,
  at: number,
  title: string,
  money: (amount: number) => string,
  texts: Texts,
): readonly Shape[] {
  // Without the viewer's own cards, unless they were shown by then.
  const view = { ...viewAt(playback, at, false), hole: [] };
  const hand = view.state?.hand ?? null;
  const stage = { width: PICTURE.width, height: PICTURE.height - HEAD };
  const look = lookOf(stage);
  const seats = view.state?.seats ?? [];
  const points = seatPoints(Math.max(1, seats.length), stage, look);
  const down = ({ x, y }: Point): Point => ({ x, y: y + HEAD });
  const shapes: Shape[] = [
    rect({ x: PICTURE.width / 2, y: PICTURE.height / 2 }, PICTURE, 0, "#0d1217"),
    text({ x: 18, y: HEAD / 2 + 2 }, title, 18, "#eef3f7", { bold: true, align: "left", most: PICTURE.width - 160 }),
    text({ x: PICTURE.width - 64, y: HEAD / 2 + 2 }, texts.name, 15, "#f0c667", { bold: true }),
    {
      ...rect(
        down({ x: stage.width / 2, y: stage.height / 2 - 8 }),
        { width: stage.width * 0.84, height: stage.height * 0.78 },
        stage.height * 0.39,
        "#14593f",
      ),
      edge: { colour: "#4d382a", width: 14 },
    },
  ];
  const board = down(boardPoint(stage, look));
  shapes.push(...row(hand?.board ?? [], { x: board.x, y: board.y + 6 }, { width: 52, height: 73 }, false));
  const pots = hand?.pots ?? [];
  const settled = pots.some((pot) => pot.shares !== undefined);
  const total = settled ? pots.reduce((sum, pot) => sum + pot.amount, 0) : (hand?.pot ?? 0);
  if (total > 0) {
    shapes.push(
      text({ x: board.x, y: board.y - 52 }, `${texts.table.pot} ${money(total)}`, 17, "#fff", { bold: true }),
    );
  }
  if (pots.length > 1) {
    const parts = pots.map(
      (pot, number) => `${number === 0 ? texts.table.mainPot : texts.table.sidePot(number)} ${money(pot.amount)}`,
    );
    shapes.push(text({ x: board.x, y: board.y + 60 }, parts.join(" · "), 13, "#d9e6f0", { most: look.board.width }));
  }
  const done = deeds(view.log);
  const won = winnings(hand);
  const acting = playback.beats[at]?.acting ?? null;
  seatsInOrder(seats.length, view.seat).forEach((number, place) => {
    const seat = seats[number];
    const point = points[place];
    if (!seat || point === undefined) return;
    const middle = down(point);
    const gains = won.get(number) ?? 0;
    const deed = done.get(number);
    const state =
      gains > 0
        ? texts.table.won(money(gains))
        : seat.all_in
          ? texts.table.allIn
          : seat.folded
            ? texts.table.deeds.fold
            : deed && texts.table.deeds[deed];
    const plate = { x: middle.x, y: middle.y + 24 };
    shapes.push(...row(cardsOf(view, seat), { x: middle.x, y: middle.y - 28 }, CARD, seat.folded));
    shapes.push({
      ...rect(plate, { width: 138, height: 44 }, 10, seat.folded ? "#10161c" : "#18222b"),
      edge: { colour: gains > 0 || acting === number ? "#f0c667" : "#41505e", width: 2 },
    });
    shapes.push(text({ x: plate.x, y: plate.y - 9 }, seat.player, 14, "#f3f6f9", { bold: true, most: 128 }));
    shapes.push(text({ x: plate.x, y: plate.y + 10 }, money(seat.stack), 15, "#f6d98d", { bold: true, most: 128 }));
    if (state) {
      const low = { x: plate.x, y: plate.y + 31 };
      shapes.push(rect(low, { width: 110, height: 18 }, 8, gains > 0 ? "#f0c667" : "#33414e"));
      shapes.push(text({ x: low.x, y: low.y + 1 }, state, 12, gains > 0 ? "#241a02" : "#f3f6f9", { most: 104 }));
    }
    if (view.state?.button === number) {
      const button = { x: plate.x + 72, y: plate.y + 16 };
      shapes.push(rect(button, { width: 22, height: 22 }, 11, "#f0ddaf"));
      shapes.push(text({ x: button.x, y: button.y + 1 }, "D", 13, "#3a2a05", { bold: true }));
    }
    const spot = seat.bet > 0 ? betPoint(point, place === 0, stage, look) : null;
    if (spot !== null) shapes.push(text(down(spot), money(seat.bet), 15, "#fff", { bold: true }));
  });
  return shapes;
}

function row(cards: readonly (string | null)[], middle: Point, size: Size, dim: boolean): Shape[] {
  const step = size.width + GAP;
  const first = middle.x - ((cards.length - 1) * step) / 2;
  return cards.map((card, place) => ({
    kind: "card",
    at: { x: first + place * step, y: middle.y },
    size,
    card,
    dim,
  }));
}

function rect(at: Point, size: Size, radius: number, fill: string): Rect {
  return { kind: "rect", at, size, radius, fill };
}

function text(
  at: Point,
  said: string,
  size: number,
  fill: string,
  more: Partial<Pick<Text, "bold" | "align" | "most">> = {},
): Text {
  return { kind: "text", at, text: said, size, fill, ...more };
}
