/**
 * Two players and a guest in a real room, through `ws`: some hands, in which connections break and are exchanged. Takes its orders from
 * the standard input, and says in one line of JSON what came of it. tests/e2e/test_sdk.py starts it.
 */
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import {
  type Answer,
  type Connection,
  filterTables,
  Room,
  type RoomOptions,
  type Table,
  type TableView,
} from "../src/index.js";

interface Orders {
  readonly url: string;
  readonly table: string;
  readonly structure: string;
  readonly chips: number;
  readonly hands: number;
  readonly tokens: readonly [string, string];
}

const EXCHANGED = 3_000;
const PATIENCE = 60_000;
/** A fast room is through with what it was asked for before a connection is old enough. */
const HANDS_MOST = 20;

/** Knows its sockets, and exchanges them often: an hour and a half is not waited for. */
function impatient(): { options: Pick<RoomOptions, "WebSocket" | "timers">; sockets: WebSocket[] } {
  const sockets: WebSocket[] = [];
  class Kept extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  }
  const timers = {
    set: (work: () => void, ms: number) => setTimeout(work, ms > 80 * 60_000 ? EXCHANGED : ms),
    clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  return { options: { WebSocket: Kept, timers }, sockets };
}

function value<T>(answer: Answer<T>): T {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value;
}

function until<T>(
  what: string,
  observed: { get(): T; subscribe(listener: (now: T) => void): () => void },
  holds: (now: T) => boolean,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`never: ${what}`));
    }, PATIENCE);
    const end = observed.subscribe((now) => look(now));
    const look = (now: T) => {
      if (!holds(now)) return;
      clearTimeout(timer);
      end();
      resolve(now);
    };
    look(observed.get());
  });
}

/** What two views of one moment have alike; deadlines and all. */
function shown(view: TableView): unknown {
  return [view.seq, view.state, view.seat];
}

class Player {
  readonly room: Room;
  readonly sockets: WebSocket[];
  readonly refusals: string[] = [];
  equal = 0;
  cuts = 0;
  #acted = "";

  constructor(url: string, token: string) {
    const { options, sockets } = impatient();
    this.sockets = sockets;
    this.room = new Room({ url, token: () => Promise.resolve(token), ...options });
    this.room.connect();
  }

  /** Checks or calls on each turn, and loses the connection on some. */
  play(table: Table, cutIn: (hand: number) => boolean): () => void {
    let cut = 0;
    return table.subscribe((view) => {
      if (!view.yourTurn) return;
      const { turn } = view;
      const name = `${turn.hand}/${turn.number}`;
      if (name === this.#acted) return;
      this.#acted = name;
      if (cutIn(turn.hand) && cut !== turn.hand) {
        cut = turn.hand;
        this.cuts += 1;
        this.sockets.at(-1)?.terminate();
      }
      void table.act(turn, turn.check ? "check" : "call").then((answer) => {
        if (!answer.ok) this.refusals.push(answer.error.code);
      });
    });
  }

  /** What was folded together is what the room shows, where nothing happened in between. */
  async compare(table: Table): Promise<void> {
    const before = table.get();
    const after = value(await table.refresh());
    if (before.seq !== after.seq) return;
    assert.deepEqual(shown(before), shown(after));
    this.equal += 1;
  }
}

async function play(orders: Orders): Promise<object> {
  const [ana, ben] = orders.tokens.map((token) => new Player(orders.url, token)) as [Player, Player];
  const { options } = impatient();
  const guest = new Room({ url: orders.url, ...options });
  guest.connect();

  const hall = value(await guest.lobby.enter());
  assert.ok(filterTables(hall, { structure: orders.structure, free: true }).some((row) => row.table === orders.table));
  const seen: TableView[] = [];
  const watched = guest.table(orders.table);
  watched.subscribe((view) => seen.push(view));
  assert.equal(value(await guest.lobby.look()).tables.length > 0, true);
  const refused = await guest.account();
  assert.equal(refused.ok || refused.error.code, "not_allowed");

  const hers = ana.room.table(orders.table);
  value(await hers.sit({ seat: 0, chips: orders.chips, post: true }));
  const account = value(await ana.room.account());
  assert.equal(account.player, ana.room.player);
  const { table: his, seat } = value(
    await ben.room.quickSeat({ structure: orders.structure, chips: orders.chips, post: true }),
  );
  assert.deepEqual([his.id, seat], [orders.table, 1]);
  // What only his own seat is told.
  value(await his.autoTopUp(orders.chips));
  await until("the automatic top-up", his, (view) => view.own?.refill === orders.chips);

  ana.play(hers, (hand) => hand === 1);
  ben.play(his, (hand) => hand === 2);
  // The first, the one after the cut, and one that was exchanged.
  const exchanged = () => [ana, ben].every((player) => player.sockets.length > 2);
  for (let hand = 1; hand <= orders.hands || (!exchanged() && hand <= HANDS_MOST); hand += 1) {
    const over = (view: TableView) => view.state?.hand?.number === hand && view.state.hand.over;
    await Promise.all([until(`hand ${hand}, hers`, hers, over), until(`hand ${hand}, his`, his, over)]);
    assert.equal(hers.get().hole.length, 2);
    await Promise.all([ana.compare(hers), ben.compare(his)]);
  }
  value(await hers.leave());
  value(await his.leave());
  const gone = (view: TableView) =>
    view.seat === null && view.state !== null && view.state.seats.every((one) => one === null);
  await Promise.all([
    until("she has left", hers, gone),
    until("he has left", his, gone),
    until("all have left", watched, gone),
  ]);
  const last = await atRest([hers, his, watched]);
  // Nobody has a seat: all are shown the same.
  assert.deepEqual(shown(last[0] as TableView), shown(last[1] as TableView));
  assert.deepEqual(shown(last[0] as TableView), shown(last[2] as TableView));

  const rooms = [ana.room, ben.room, guest];
  const states = rooms.map((room) => room.connection.get().state);
  for (const room of rooms) room.close();
  return {
    states,
    seqs: last.map((view) => view.seq),
    equal: ana.equal + ben.equal,
    cuts: ana.cuts + ben.cuts,
    connections: [ana.sockets.length, ben.sockets.length],
    refusals: [...ana.refusals, ...ben.refusals],
    hiddenSeen: seen.some((view) => view.hole.length > 0 || view.own !== null),
    guestSaw: [...new Set(seen.map((view) => view.state?.hand?.number ?? 0))],
    signedOut: await withoutAToken(orders.url),
  };
}

/** Their views when all show the same, and nothing comes any more. */
async function atRest(tables: readonly Table[]): Promise<readonly TableView[]> {
  for (let rest = PATIENCE; rest > 0; rest -= 1_000) {
    const before = tables.map((table) => table.get().seq);
    await pause(1_000);
    const views = await Promise.all(tables.map(async (table) => value(await table.refresh())));
    const seqs = views.map((view) => view.seq);
    if (new Set([...before, ...seqs]).size === 1) return views;
  }
  throw new Error("never at rest");
}

/** A token that is none: asked for anew once, then signed out. */
async function withoutAToken(url: string): Promise<readonly boolean[]> {
  const asked: boolean[] = [];
  const room = new Room({
    url,
    WebSocket,
    token: async ({ refused }) => {
      asked.push(refused);
      return "no.token.at-all";
    },
  });
  room.connect();
  await until<Connection>("signed out", room.connection, ({ state }) => state === "signed_out");
  return asked;
}

console.log(JSON.stringify(await play(JSON.parse(await text(process.stdin)))));
