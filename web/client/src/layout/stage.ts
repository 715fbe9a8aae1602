/** Where seats, bets and the board stand, in pixels of the stage. The own seat is at the bottom, the others follow clockwise. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `wide` shows bets before the seats, `tall` at them. */
export interface Look {
  readonly name: "wide-large" | "wide-medium" | "wide-small" | "tall-normal" | "tall-short";
  readonly seat: Size;
  readonly own: Size;
  readonly board: Size;
  readonly bet: Size | null;
  /** How square the ring of seats is: 2 is an ellipse. Null: two columns, and what is left over at the top. */
  readonly bend: number | null;
}

const LOOKS: Readonly<Record<Look["name"], Look>> = {
  "wide-large": look("wide-large", [142, 112], [250, 132], [356, 172], [104, 26], 2.5),
  "wide-medium": look("wide-medium", [116, 92], [200, 108], [270, 132], [86, 22], 2.8),
  "wide-small": look("wide-small", [92, 72], [150, 84], [206, 92], null, 4),
  "tall-normal": look("tall-normal", [92, 100], [180, 118], [188, 132], null, null),
  "tall-short": look("tall-short", [84, 80], [164, 96], [172, 104], null, null),
};

/** Between two things, and to the edge. */
const GAP = 4;

export function lookOf({ width, height }: Size): Look {
  if (width < height * 1.15) return LOOKS[height >= 500 ? "tall-normal" : "tall-short"];
  if (width >= 860 && height >= 500) return LOOKS["wide-large"];
  return LOOKS[width >= 700 && height >= 400 ? "wide-medium" : "wide-small"];
}

/** The middle of each of `count` seats, the own first. */
export function seatPoints(count: number, stage: Size, look: Look): readonly Point[] {
  const own = { x: stage.width / 2, y: stage.height - look.own.height / 2 - GAP };
  if (look.bend === null) return [own, ...columns(count - 1, stage, look)];
  const ring = ringOf(stage, look, look.bend);
  const length = ring.at(-1)?.from ?? 0;
  const beside = ring.find((mark) => clear({ at: mark, size: look.seat }, { at: own, size: look.own }))?.from ?? 0;
  const step = length / count;
  const others = Array.from({ length: count - 1 }, (_, number) => {
    // Where the ring is crowded, the first and the last make room for the own seat.
    const even = step * (number + 1);
    const crowded = beside + (number * (length - 2 * beside)) / Math.max(1, count - 2);
    return pointAt(ring, step >= beside || count === 2 ? even : crowded);
  });
  return [own, ...others];
}

/** Of others than the own seat, clockwise: up the left side, along the top, down the right side. */
function columns(others: number, stage: Size, { seat, own }: Look): readonly Point[] {
  const top = others % 2 === 1 ? 1 : others > 2 ? 2 : 0;
  const side = (others - top) / 2;
  const edge = seat.width / 2 + GAP;
  const first = GAP + seat.height / 2;
  // A single one at the top leaves its row to the sides.
  const highest =
    first + (top === 2 ? seat.height + GAP : top === 1 ? Math.min(seat.height / 2, stage.height * 0.06) : 0);
  const beside = stage.width - 2 * (seat.width + 2 * GAP) >= own.width;
  const lowest = stage.height - GAP - seat.height / 2 - (beside ? own.height * 0.3 : own.height + GAP);
  const step = (lowest - highest) / side;
  const down = Array.from(
    { length: side },
    (_, row) => highest + step * (side < 3 ? row + 0.35 : (row * side) / Math.max(1, side - 1)),
  );
  const left = down.map((y) => ({ x: edge, y }));
  const right = down.map((y) => ({ x: stage.width - edge, y }));
  const apart = Math.max(seat.width / 2 + GAP, stage.width * 0.2);
  const middle = stage.width / 2;
  const above =
    top === 1
      ? [{ x: middle, y: first }]
      : top === 2
        ? [middle - apart, middle + apart].map((x) => ({ x, y: first }))
        : [];
  return [...left.reverse(), ...above, ...right];
}

/** Where the board and the pots stand. */
export function boardPoint(stage: Size, look: Look): Point {
  const top = GAP + look.seat.height;
  const bottom = stage.height - GAP - look.own.height;
  const bet = look.bet?.height ?? 0;
  return { x: stage.width / 2, y: (top + bottom) / 2 + (bet ? 0 : -GAP) };
}

/** Before a seat, towards the board; null where bets stand at the seats. */
export function betPoint(seat: Point, isOwn: boolean, stage: Size, look: Look): Point | null {
  const { bet } = look;
  if (bet === null) return null;
  const box = isOwn ? look.own : look.seat;
  const board = boardPoint(stage, look);
  const own = seatPoints(1, stage, look)[0] ?? board;
  const dx = board.x - seat.x;
  const dy = board.y - seat.y;
  const reachX = (box.width + bet.width) / 2 + GAP;
  const reachY = (box.height + bet.height) / 2 + GAP;
  const along = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : reachX / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : reachY / Math.abs(dy),
  );
  const upright = { x: seat.x, y: seat.y + Math.sign(dy) * reachY };
  const choices = [
    { x: seat.x + dx * along, y: seat.y + dy * along },
    upright,
    { x: seat.x + Math.sign(dx) * reachX, y: seat.y },
  ];
  const fits = (at: Point) =>
    clear({ at, size: bet }, { at: board, size: look.board }) &&
    (isOwn || clear({ at, size: bet }, { at: own, size: look.own }));
  return choices.find(fits) ?? upright;
}

/** The number of the seat that stands in place 0, 1, ... where `first` has place 0. */
export function seatsInOrder(count: number, first: number | null): readonly number[] {
  return Array.from({ length: count }, (_, place) => (place + (first ?? 0)) % count);
}

function look(name: Look["name"], seat: Pair, own: Pair, board: Pair, bet: Pair | null, bend: number | null): Look {
  return { name, seat: size(seat), own: size(own), board: size(board), bet: bet && size(bet), bend };
}

type Pair = readonly [width: number, height: number];

function size([width, height]: Pair): Size {
  return { width, height };
}

export interface Box {
  /** Its middle. */
  readonly at: Point;
  readonly size: Size;
}

function clear(one: Box, other: Box): boolean {
  return (
    Math.abs(one.at.x - other.at.x) >= (one.size.width + other.size.width) / 2 + GAP ||
    Math.abs(one.at.y - other.at.y) >= (one.size.height + other.size.height) / 2 + GAP
  );
}

interface Mark extends Point {
  /** Along the ring from the bottom. */
  readonly from: number;
}

const MARKS = 720;

/** The ring of seats, clockwise from the bottom. */
function ringOf(stage: Size, { seat }: Look, bend: number): readonly Mark[] {
  const a = stage.width / 2 - seat.width / 2 - GAP;
  const b = stage.height / 2 - seat.height / 2 - GAP;
  const marks: Mark[] = [];
  let from = 0;
  for (let mark = 0; mark <= MARKS; mark += 1) {
    const angle = Math.PI / 2 + (2 * Math.PI * mark) / MARKS;
    const x = stage.width / 2 + a * bent(Math.cos(angle), bend);
    const y = stage.height / 2 + b * bent(Math.sin(angle), bend);
    const last = marks.at(-1);
    if (last) from += Math.hypot(x - last.x, y - last.y);
    marks.push({ x, y, from });
  }
  return marks;
}

function bent(value: number, bend: number): number {
  return Math.sign(value) * Math.abs(value) ** (2 / bend);
}

function pointAt(ring: readonly Mark[], from: number): Point {
  const mark = ring.find((one) => one.from >= from) ?? ring.at(-1);
  return { x: mark?.x ?? 0, y: mark?.y ?? 0 };
}
