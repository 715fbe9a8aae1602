import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableEvent, TableView } from "@cardroom/sdk";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { tableView } from "../src/dev/scenes.js";
import { shown } from "../src/money/amount.js";
import { POINT } from "../src/money/numerals.js";
import { offerKey } from "../src/table/Controls.js";
import { Chronicle, together } from "../src/table/chronicle.js";
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
    card: printed,
    you: "Cora",
  };
}

const BOARD = ["2c", "2d", "2h"];

function told(event: TableEvent, language: "en" | "fil" = "en"): string | null {
  return line({ event, names }, BOARD, speaker(language));
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
    "Hand 7, button You",
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
  [{ e: "acted", seat: 2, do: "check", to: 0, paid: 0, cause: "own" }, "You: check"],
  // A sentence says its own player's name: it is not made for "you".
  [{ e: "sat_out", seat: 2, at: 1 }, "Cora sits out"],
  [{ e: "topped_up", seat: 2, chips: 500 }, "Cora tops up by ₱5"],
  [{ e: "going", seat: 2, exit: "left" }, "Cora is leaving"],
  [{ e: "bank_opened", seat: 2, deadline: 1 }, "Cora takes time from the bank"],
  [{ e: "sat_out", seat: 5, at: 1 }, "Seat 6 sits out"],
];

for (const [event, text] of EVENTS) {
  test(`in the log: ${text}`, () => {
    assert.equal(told(event), text);
    assert.notEqual(told(event, "fil"), null);
  });
}

test("what is told to one player alone, or moves nothing, has no line", () => {
  assert.equal(told({ e: "prepared", seat: 0, do: "fold", price: 1 }), null);
  assert.equal(told({ e: "hand_ended", number: 1, at: 0 }), null);
});

test("what is shown before the board is out is called by no hand of a later board", () => {
  const event: TableEvent = { e: "shown", seat: 0, cards: ["As", "Ah"] };
  assert.equal(line({ event, names }, [], speaker()), "Ann: shows A♠ A♥");
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

/** A chronicle, and the table that it hears. */
function hearing(first: TableView) {
  let show: (view: TableView) => void = () => undefined;
  let tell: (events: readonly TableEvent[], view: TableView) => void = () => undefined;
  const chronicle = new Chronicle({
    get: () => first,
    subscribe: (listener) => {
      show = listener;
      return () => undefined;
    },
    onEvents: (listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  let view = first;
  return {
    chronicle,
    /** These have happened: those of the hand are in its log then. */
    hears: (events: readonly TableEvent[], change: Partial<TableView>) => {
      view = { ...view, ...change } as TableView;
      show(view);
      tell(events, view);
    },
    lines: () => {
      const { beside, earlier } = chronicle.get();
      const now = together(view.log, view.names, beside);
      return [...earlier.flatMap((hand) => hand.entries), ...now].map(({ event, names: who }) =>
        "seat" in event ? `${event.e} ${who[event.seat]}` : event.e,
      );
    },
  };
}

test("what is heard beside a hand stands where it happened", () => {
  const first = tableView({ seats: 3, scene: "idle" });
  const { hears, lines } = hearing({ ...first, log: [], names });
  const [start, small, big, , , flop] = tableView({ seats: 3, scene: "turn" }).log as TableEvent[];
  assert(start && small && big && flop);
  const out = (seat: number): TableEvent => ({ e: "sat_out", seat, at: 1 });
  const state = first.state!;
  const hand = { ...tableView({ seats: 3, scene: "turn" }).state!.hand!, number: 1 };
  hears([out(0), { e: "hand_scheduled", at: 1 }], { log: [] });
  hears([out(2), start, small], { log: [start, small], state: { ...state, hand } });
  hears([out(0), big], { log: [start, small, big] });
  hears([flop], { log: [start, small, big, flop] });
  const before = [
    "sat_out Ann",
    "sat_out Cora",
    "hand_started",
    "posted Ann",
    "sat_out Ann",
    "posted Ben",
    "board_dealt",
  ];
  assert.deepEqual(lines(), before);
  // Over: Dax takes the seat that was Ben's, who stays Ben in the hand.
  const seats = state.seats.map((seat) => seat && { ...seat, player: seat.seat === 1 ? "dax" : seat.player });
  hears([out(1)], { state: { ...state, seats: [seats[0]!, { ...seats[0]!, player: "dax" }, seats[2]!], hand } });
  assert.deepEqual(lines(), [...before, "sat_out dax"]);
  const next = { ...hand, number: 2 };
  hears([out(2), start], { log: [start], state: { ...state, hand: next } });
  assert.deepEqual(lines(), [...before, "sat_out dax", "sat_out Cora", "hand_started"]);
});

test("the chronicle keeps as many hands as one reads", () => {
  const view = tableView({ seats: 3, scene: "turn" });
  const { chronicle, hears } = hearing(view);
  for (let number = 219; number < 245; number += 1) {
    hears([], { log: view.log, state: { ...view.state!, hand: { ...view.state!.hand!, number } } });
  }
  const { earlier, beside } = chronicle.get();
  assert.equal(earlier.length, 20);
  assert.equal(earlier[0]?.number, 243);
  assert.deepEqual(beside, []);
});
