import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "../src/texts/en.js";
import { fil } from "../src/texts/fil.js";
import { made } from "../src/words/made.js";
import hands from "./hands.json" with { type: "json" };

test("hands of 5 to 7 cards are called as the rules' own evaluator calls them", () => {
  assert(hands.length > 100);
  for (const [cards = "", words = ""] of hands) {
    const found = made(cards.split(" "));
    const said = found && en.hand(found).toLowerCase();
    // It says "high card, ace".
    const expected = words.replace(/^high card, (.*)$/, "$1 high");
    assert.equal(said, expected, cards);
    assert(found && fil.hand(found).length > 4);
  }
});

test("two cards before the flop have words too", () => {
  assert.deepEqual(made(["As", "Ah"]), { kind: "pair", rank: 12 });
  assert.deepEqual(made(["2c", "Kh"]), { kind: "high_card", rank: 11 });
});

test("what are no cards make no hand", () => {
  assert.equal(made([]), null);
  assert.equal(made(["As"]), null);
  assert.equal(made(["As", "??"]), null);
});
