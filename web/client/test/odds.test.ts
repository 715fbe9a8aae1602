import assert from "node:assert/strict";
import { test } from "node:test";
import { enumerated, type Tally } from "../src/odds/enumerate.js";
import { cardNumber, rank } from "../src/odds/rank.js";
import odds from "./odds.json" with { type: "json" };

const cards = (text: string): number[] => (text === "" ? [] : text.split(" ").map(cardNumber));
const pair = (text: string) => cards(text) as unknown as readonly [number, number];

function counted(hands: readonly string[], board: string, dead = ""): Tally {
  const reckoning = enumerated(hands.map(pair), cards(board), cards(dead));
  let step = reckoning.next();
  while (!step.done) step = reckoning.next();
  return step.value;
}

test("of any two hands the one wins that wins by the rules' own evaluator, and what ties there ties here", () => {
  assert(odds.ranks.length > 320);
  const both = odds.ranks.map(([text, score]) => [rank(cards(String(text))), Number(score)] as const);
  const ordered = [...both].sort((one, other) => one[1] - other[1]);
  for (const [at, [ours, score]] of ordered.entries()) {
    const [before, lower] = ordered[at - 1] ?? [-1, -1];
    assert.equal(Math.sign(ours - before), Math.sign(score - lower), JSON.stringify(odds.ranks[at]));
  }
});

test("what may come is counted as the rules' own evaluator counts it", () => {
  for (const one of odds.cases) {
    const { boards, wins, ties, shares } = counted(one.hands, one.board, one.dead);
    assert.deepEqual({ boards, wins, ties }, { boards: one.boards, wins: one.wins, ties: one.ties });
    assert(Math.abs(shares.reduce((sum, share) => sum + share) - 1) < 1e-9);
  }
});

test("before the flop too, over all 1,712,304 boards", () => {
  // As the engine's evaluator counts them.
  const { boards, wins, ties } = counted(["As Ah", "Ks Kh"], "");
  assert.equal(boards, 1_712_304);
  assert.deepEqual(wins, [1_410_336, 292_660]);
  assert.deepEqual(ties, [9_308, 9_308]);
});

test("what is no card is refused", () => {
  for (const text of ["", "A", "1s", "Ax", "As "]) assert.throws(() => cardNumber(text), RangeError);
});
