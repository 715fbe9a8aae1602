import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableEvent, TableView } from "@cardroom/sdk";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { tableView } from "../src/dev/scenes.js";
import { shown } from "../src/money/amount.js";
import { POINT } from "../src/money/numerals.js";
import { offerKey } from "../src/table/Controls.js";
import { Chronicle } from "../src/table/chronicle.js";
import { deeds, winnings } from "../src/table/deeds.js";
import { line, type Speaker } from "../src/table/lines.js";
import { PILE_MOST, pile } from "../src/table/pile.js";
import { cardsOf, Seat } from "../src/table/Seat.js";
import { printed } from "../src/table/useSpeaker.js";
import { TEXTS } from "../src/texts/index.js";

const money = (amount: number) => shown(amount, "PHP", POINT);
const names = ["Ann", "Ben", "Cora"];

function speaker(language: "en" | "fil" = "en"): Speaker {
  return {
    texts: TEXTS[language],
    money,
    name: (seat) => names[seat] ?? `seat ${seat}`,
    card: printed,
    board: ["2c", "2d", "2h"],
  };
}

const EVENTS: [TableEvent, string][] = [
  [
    {
      e: "hand_started",
      number: 7,
      at: 0,
      button: 2,
      small_blind: 0,
      big_blind: 1,
      dealt: [0, 1],
      fresh: false,
      missed_small: [],
      missed_big: [],
    },
    "Hand 7, button Cora",
  ],
  [{ e: "posted", seat: 0, post: "small_blind", amount: 250 }, "Ann: small blind ₱2.50"],
  [{ e: "acted", seat: 0, do: "call", to: 1000, paid: 750, cause: "own" }, "Ann: call ₱7.50"],
  [{ e: "acted", seat: 1, do: "raise", to: 3000, paid: 2000, cause: "own" }, "Ben: raise to ₱30"],
  [{ e: "acted", seat: 1, do: "fold", to: 0, paid: 0, cause: "expired" }, "Ben: fold (out of time)"],
  [{ e: "board_dealt", street: "flop", cards: ["Ts", "2c", "Ah"] }, "Flop: 10♠ 2♣ A♥"],
  [{ e: "returned", seat: 0, amount: 100 }, "Ann: ₱1 uncalled comes back"],
  [{ e: "shown", seat: 0, cards: ["As", "Ah"] }, "Ann: shows A♠ A♥, Full house, deuces over aces"],
  [{ e: "shown", seat: 0, cards: ["As"] }, "Ann: shows A♠"],
  [
    {
      e: "pot_won",
      pot: 1,
      amount: 1000,
      rake: 50,
      contenders: [0, 1],
      shares: [
        [0, 475],
        [1, 475],
      ],
    },
    "Side pot 1 ₱10: Ann ₱4.75, Ben ₱4.75 (rake ₱0.50)",
  ],
  [{ e: "going", seat: 1, exit: "removed" }, "Ben is removed by the clock"],
];

for (const [event, text] of EVENTS) {
  test(`in the log: ${text}`, () => {
    assert.equal(line(event, speaker()), text);
    assert.notEqual(line(event, speaker("fil")), null);
  });
}

test("what is told to one player alone, or moves nothing, has no line", () => {
  assert.equal(line({ e: "prepared", seat: 0, do: "fold", price: 1 }, speaker()), null);
  assert.equal(line({ e: "hand_ended", number: 1, at: 0 }, speaker()), null);
});

test("the name of another is never markup", () => {
  const view = tableView({ seats: 3, scene: "turn" });
  const evil = '<img src=x onerror="alert(1)">';
  const seats = (view.state?.seats ?? []).map((seat) => (seat?.seat === 1 ? { ...seat, player: evil } : seat));
  const shownView = { ...view, state: view.state && { ...view.state, seats } } as TableView;
  const room = { clock: { now: () => 0 } };
  const html = renderToStaticMarkup(
    createElement(Seat, {
      room,
      view: shownView,
      number: 1,
      deed: undefined,
      won: 0,
      betHere: true,
      money,
      style: {},
      onSit: null,
    }),
  );
  assert(!html.includes("<img"));
  assert(html.includes("&lt;img"));
});

test("of other seats only cards that are shown are seen", () => {
  const view = tableView({ seats: 3, scene: "turn" });
  const other = view.state?.seats[1];
  assert(other);
  assert.deepEqual(cardsOf(view, other), [null, null]);
  const over = tableView({ seats: 3, scene: "showdown" });
  assert.deepEqual(cardsOf(over, over.state!.seats[1]!), ["Qs", "Qh"]);
});

test("a seat says by name who sits there, with which cards", () => {
  const view = tableView({ seats: 3, scene: "showdown" });
  const html = renderToStaticMarkup(
    createElement(Seat, {
      room: { clock: { now: () => 0 } },
      view,
      number: 1,
      deed: undefined,
      won: 500,
      betHere: true,
      money,
      style: {},
      onSit: null,
    }),
  );
  for (const text of [
    'aria-label="Seat 2, Ben"',
    'aria-label="Queen of spades"',
    "Full house, queens over tens",
    "Wins ₱5",
  ])
    assert(html.includes(text), text);
});

test("what is offered has another name with every turn and price, and none where nothing is", () => {
  const view = tableView({ seats: 6, scene: "turn" });
  assert(view.yourTurn);
  const keys = [
    view,
    { ...view, turn: { ...view.turn, number: 8 } },
    { ...view, turn: { ...view.turn, price: 1, to_call: 1 } },
    { ...view, turn: { ...view.turn, min_to: 1 } },
  ].map(offerKey);
  assert.equal(new Set([...keys, offerKey(tableView({ seats: 6, scene: "waiting" }))]).size, 5);
  assert.equal(offerKey(tableView({ seats: 6, scene: "turn", own: null })), "none");
});

test("a seat shows what it did last on this street", () => {
  const act = (seat: number, what: "check" | "bet" | "call"): TableEvent => ({
    e: "acted",
    seat,
    do: what,
    to: 1,
    paid: 1,
    cause: "own",
  });
  const flop: TableEvent = { e: "board_dealt", street: "flop", cards: [] };
  assert.deepEqual(
    [...deeds([act(0, "call"), act(1, "check"), flop, act(0, "check"), act(1, "bet")])],
    [
      [0, "check"],
      [1, "bet"],
    ],
  );
});

test("what a seat wins is summed over the pots", () => {
  const { state } = tableView({ seats: 4, scene: "showdown" });
  assert.deepEqual(
    [...winnings(state?.hand ?? null)],
    [
      [1, 47_000],
      [0, 8_000],
    ],
  );
  assert.equal(winnings(null).size, 0);
});

test("a pile has a few chips, however large the amount", () => {
  assert.equal(pile(0).length, 0);
  for (const amount of [1, 99, 1250, 1_000_000_000_000])
    assert(pile(amount).length > 0 && pile(amount).length <= PILE_MOST);
});

test("the chronicle keeps the hands before, and what happened between", () => {
  let view = tableView({ seats: 3, scene: "turn" });
  let show: (view: TableView) => void = () => undefined;
  let tell: (events: readonly TableEvent[], view: TableView) => void = () => undefined;
  const chronicle = new Chronicle({
    get: () => view,
    subscribe: (listener) => {
      show = listener;
      return () => undefined;
    },
    onEvents: (listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  const sat: TableEvent = { e: "seated", seat: 1, player: "dax", chips: 5, posting: true, owes_small: false };
  tell([sat, { e: "hand_scheduled", at: 1 }], view);
  assert.deepEqual(chronicle.get().after, [sat]);
  const first = view.log;
  for (let number = 219; number < 245; number += 1) {
    view = { ...view, log: first, state: { ...view.state!, hand: { ...view.state!.hand!, number } } } as TableView;
    show(view);
  }
  const { earlier, after } = chronicle.get();
  assert.equal(earlier.length, 20);
  assert.equal(earlier[0]?.number, 243);
  assert.deepEqual(after, []);
});
