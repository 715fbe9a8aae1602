import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Frozen, PastView } from "@cardroom/sdk";
import { hashOf, routeOf } from "../src/app/route.js";
import { gather } from "../src/replayer/gather.js";
import { pictureOf } from "../src/replayer/picture.js";
import { beatAt, type PastHand, playbackOf, questionAt, STREETS, viewAt } from "../src/replayer/playback.js";
import { pressed, START } from "../src/replayer/player.js";
import { deeds, winnings } from "../src/table/deeds.js";
import { line } from "../src/table/lines.js";
import { en } from "../src/texts/en.js";
import recorded from "./past-hands.json" with { type: "json" };

interface Recorded {
  readonly hand: PastHand;
  readonly stacks: readonly (number | null)[];
  readonly pots: readonly { amount: number; rake: number; shares: readonly (readonly [number, number])[] }[];
  readonly board: readonly string[];
  readonly voided: boolean;
}

const SPEAKER = { texts: en, money: String, card: String, you: null };
const HANDS = recorded as unknown as readonly Recorded[];
const named = ({ hand }: Recorded) => `${hand.table} hand ${hand.number}`;

test("each hand ends with the stacks, pots, winners and board that are on record", () => {
  assert(HANDS.length > 40);
  for (const one of HANDS) {
    const playback = playbackOf(one.hand);
    const { hand, seats } = beatAt(playback, playback.beats.length - 1).table;
    assert(hand, named(one));
    assert.deepEqual(
      seats.map((seat) => seat?.stack ?? null),
      one.stacks,
      named(one),
    );
    assert.deepEqual([hand.over, hand.voided, hand.board], [true, one.voided, one.board], named(one));
    const pots = hand.pots.map(({ amount, rake, shares }) => ({ amount, rake, shares }));
    assert.deepEqual(pots, one.pots, named(one));
    const won = new Map<number, number>();
    for (const [seat, chips] of one.pots.flatMap(({ shares }) => shares)) won.set(seat, (won.get(seat) ?? 0) + chips);
    assert.deepEqual(winnings(hand), won, named(one));
  }
});

test("at each step all chips of the table are there", () => {
  for (const one of HANDS) {
    const playback = playbackOf(one.hand);
    const all = one.hand.state.seats.reduce((sum, seat) => sum + (seat?.stack ?? 0) + (seat?.topup ?? 0), 0);
    for (const { table, events } of playback.beats) {
      const stacks = table.seats.reduce((sum, seat) => sum + (seat?.stack ?? 0) + (seat?.topup ?? 0), 0);
      const bought = one.hand.steps.some(({ event }) => event.e === "topped_up" || event.e === "seated");
      const paying = events.some((event) => event.e === "pot_won") || table.hand?.over;
      if (bought || paying || table.hand === null) continue;
      assert.equal(stacks + table.hand.pot, all, named(one));
      assert.equal(
        table.hand.pots.reduce((sum, pot) => sum + pot.amount, 0),
        table.hand.pot,
        named(one),
      );
    }
  }
});

test("steps are what one can see, each event is in one of them, and streets begin with their cards", () => {
  for (const { hand } of HANDS) {
    const playback = playbackOf(hand);
    const seen = playback.beats.flatMap(({ events }) => events);
    const quiet = ["turn_began", "bank_opened", "bank_closed"];
    assert.deepEqual(
      seen,
      hand.steps.map(({ event }) => event).filter(({ e }) => !quiet.includes(e)),
    );
    assert.equal(beatAt(playback, 0).events[0]?.e, "hand_started");
    // Each has words: a step that says nothing would be a button without a name.
    for (const { events } of playback.beats) {
      assert(
        events.some((event) => line({ event, names: playback.names }, [], SPEAKER) !== null),
        events[0]?.e,
      );
    }
    for (const street of STREETS.slice(1)) {
      const place = playback.streets.get(street);
      if (place !== undefined) assert(beatAt(playback, place).events.some((event) => event.e === "board_dealt"));
    }
    for (const [at, { acting }] of playback.beats.entries()) {
      const next = playback.beats[at + 1]?.events.find(({ e }) => e === "acted");
      if (next?.e === "acted" && acting !== null) assert.equal(next.seat, acting);
    }
  }
});

test("the view has a log as far as it goes, and cards when they were shown or from the start", () => {
  const shown = HANDS.map(({ hand }) => playbackOf(hand)).find(({ known }) => known.size > 1);
  assert(shown);
  const first = viewAt(shown, 0, false);
  assert.deepEqual(first.state?.hand?.shown, []);
  assert.equal(deeds(first.log).size, 0);
  assert.equal(viewAt(shown, 0, true).state?.hand?.shown.length, shown.known.size);
  const last = viewAt(shown, shown.beats.length - 1, false);
  assert((last.state?.hand?.shown.length ?? 0) > 0);
  assert.equal(last.log.at(-1)?.e === "hand_ended" || last.log.at(-1)?.e === "shown", true);
});

test("odds are asked for where two hands at least are known and the hand is not over", () => {
  let asked = 0;
  for (const { hand } of HANDS) {
    const playback = playbackOf(hand);
    for (const at of playback.beats.keys()) {
      const question = questionAt(playback, at);
      if (question === null) continue;
      asked += 1;
      const { table } = beatAt(playback, at);
      const live = table.seats.filter((seat) => seat?.in_hand && !seat.folded).length;
      assert.equal(question.seats.length + question.others, live);
      const cards = [...question.hands.flat(), ...question.board, ...question.dead];
      assert.equal(new Set(cards).size, cards.length);
    }
    assert.equal(questionAt(playback, playback.beats.length - 1), null);
  }
  assert(asked > 50);
});

test("a picture has no card that the table had not seen by then", () => {
  for (const { hand } of HANDS) {
    const playback = playbackOf(hand);
    for (const at of playback.beats.keys()) {
      const shapes = pictureOf(playback, at, "title", String, en);
      const seen = hand.steps
        .slice(0, hand.steps.findIndex(({ event }) => event === beatAt(playback, at).events.at(-1)) + 1)
        .flatMap(({ event }) => ("cards" in event ? event.cards : []));
      for (const shape of shapes) {
        if (shape.kind === "card" && shape.card !== null) assert(seen.includes(shape.card), shape.card);
        if (shape.kind !== "text") continue;
        assert(Number.isFinite(shape.at.x) && Number.isFinite(shape.at.y));
      }
    }
  }
});

test("playing, stepping and jumping", () => {
  const play = { press: "play" } as const;
  const playing = pressed(START, play, 3);
  assert.deepEqual(playing, { at: 0, playing: true, speed: 1 });
  const one = pressed(playing, { press: "tick" }, 3);
  assert.deepEqual(one, { at: 1, playing: true, speed: 1 });
  const ended = pressed(one, { press: "tick" }, 3);
  assert.deepEqual(ended, { at: 2, playing: false, speed: 1 });
  assert.deepEqual(pressed(ended, { press: "tick" }, 3), ended);
  assert.deepEqual(pressed(ended, play, 3), { at: 0, playing: true, speed: 1 });
  assert.equal(pressed(one, play, 3).playing, false);
  assert.deepEqual(pressed(one, { press: "next" }, 3), { at: 2, playing: false, speed: 1 });
  assert.equal(pressed(ended, { press: "next" }, 3).at, 2);
  assert.equal(pressed(START, { press: "back" }, 3).at, 0);
  assert.equal(pressed(START, { press: "jump", at: 9 }, 3).at, 2);
  assert.equal(pressed(START, { press: "last" }, 0).at, 0);
  assert.deepEqual(pressed(one, { press: "speed", speed: 4 }, 3), { at: 1, playing: true, speed: 4 });
  assert.equal(pressed(ended, { press: "first" }, 3).at, 0);
});

test("a link names a hand, and others name none", () => {
  const hand = { page: "hand", table: "php-5-10", hand: 12 } as const;
  assert.equal(hashOf(hand), "#/hand/php-5-10/12");
  for (const route of [hand, { page: "hands", table: null }, { page: "hands", table: "t" }] as const) {
    assert.deepEqual(routeOf(hashOf(route)), route);
  }
  for (const hash of ["#/hand/t", "#/hand/t/0", "#/hand/t/x", "#/hand/t/1234567890", "#/hands/t/1", "#/table/t/1"]) {
    assert.deepEqual(routeOf(hash), { page: "lobby" });
  }
});

test("older hands are asked for until there are some", async () => {
  const asked: unknown[] = [];
  const answers: PastView[] = [
    { tables: ["t"], table: "t", hands: [], next: 50 },
    { tables: ["t"], table: "t", hands: [], next: 20 },
    { tables: ["t"], table: "t", hands: [], next: null },
  ];
  const room = {
    hands: (wish: object = {}): Promise<Answer<Frozen<PastView>>> => {
      asked.push(wish);
      return Promise.resolve({ ok: true, value: answers.shift() as PastView });
    },
  };
  const found = await gather(room, null);
  assert.deepEqual(asked, [{}, { table: "t", up_to: 50 }, { table: "t", up_to: 20 }]);
  assert.equal(found.ok && found.value.next, null);
  const refused = { ok: false, error: { code: "busy", message: "", facts: {} } } as const;
  assert.equal(await gather({ hands: () => Promise.resolve(refused) }, "t"), refused);
});
