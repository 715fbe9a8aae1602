import { type Answer, done, type Failure, failed, ownFailure } from "./answer.js";
import { ServerClock } from "./clock.js";
import type { Frozen } from "./frozen.js";
import { Alarm, hostSocket, hostTimers, type SocketConstructor, type Timers } from "./host.js";
import type { Hub } from "./hub.js";
import { type Connection, Line, type Surroundings, type Token } from "./line.js";
import { Lobby } from "./lobby.js";
import type {
  AccountView,
  LedgerView,
  LimitsView,
  PastHandView,
  PastView,
  PingReply,
  ReminderView,
  ResultsView,
  ServerMessage,
  WaitingView,
} from "./messages.js";
import { Listeners, type Observable } from "./observable.js";
import { Places, type PlacesByStructure } from "./places.js";
import { type Fields, type Replied, Requests, type Route } from "./requests.js";
import { Table } from "./table.js";

export interface RoomOptions {
  /** The stack's `WebSocketUrl`. */
  readonly url: string;
  /** Called before each connection; without it one is a guest. */
  readonly token?: Token;
  /** Left out it is the surroundings' own. */
  readonly WebSocket?: SocketConstructor;
  readonly timers?: Timers;
  /** The local clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number;
  /** This device's name: 16 to 64 of A-Z a-z 0-9 _ -, drawn at random once and kept. The room keeps a hash of it. */
  readonly device?: string | null;
  /** One's user name, where it is not to be read in the token. */
  readonly player?: string;
}

const PING = 4 * 60_000;

/** The room, over one connection at a time. */
export class Room {
  readonly clock: ServerClock;
  readonly lobby: Lobby;
  readonly #places: Places;
  readonly #line: Line;
  readonly #requests: Requests;
  readonly #hub: Hub;
  readonly #ping: Alarm;
  readonly #tables = new Map<string, Table>();
  readonly #reminders = new Listeners<[Frozen<ReminderView>]>();
  readonly #named: string | null;
  #reminded = "";

  constructor(options: RoomOptions) {
    const now = options.now ?? Date.now;
    const around: Surroundings = {
      timers: options.timers ?? hostTimers,
      now,
      random: options.random ?? Math.random,
    };
    this.#named = options.player ?? null;
    this.clock = new ServerClock(now);
    this.#ping = new Alarm(around.timers);
    this.#line = new Line(
      options.url,
      options.token ?? (() => Promise.resolve(null)),
      options.device ?? null,
      options.WebSocket ?? hostSocket(),
      around,
      this.clock,
      {
        up: (rotated) => this.#up(rotated),
        retired: () => this.#requests.resend(),
        down: () => this.#down(),
        heard: (text) => this.#heard(text),
        ended: (error) => this.#ended(error),
      },
    );
    this.#requests = new Requests(
      around,
      this.clock,
      () => this.#line.wire,
      (wire) => this.#line.suspect(wire),
    );
    const room = this;
    this.#hub = {
      clock: this.clock,
      timers: around.timers,
      get open() {
        return room.#line.wire !== null;
      },
      get player() {
        return room.player;
      },
      ask: (route, fields) => this.#ask(route, fields),
    };
    this.lobby = new Lobby(this.#hub);
    this.#places = new Places(this.#hub);
  }

  get connection(): Observable<Connection> {
    return this.#line.connection;
  }

  /** Where you wait for a seat, by structure. */
  get places(): Observable<PlacesByStructure> {
    return this.#places;
  }

  /** Your user name; null as a guest, or before the first token. */
  get player(): string | null {
    return this.#named ?? this.#line.player;
  }

  /** Begins; and again, after a sign-in, where it had ended. */
  connect(): void {
    this.#line.open();
  }

  /** Ends the connection, and every call that is under way. Your seats stay. */
  close(): void {
    this.#line.end(ownFailure("closed"));
  }

  /** To be called when the page is shown again, or the network is back. */
  wake(): void {
    this.#line.wake(() => void this.#say());
  }

  /** The same object until it is closed. It is subscribed to at once. */
  table(id: string): Table {
    const known = this.#tables.get(id);
    if (known) return known;
    const table = this.#newTable(id);
    void table.resume(false);
    return table;
  }

  /** A seat at the best table of a stake. `seat` is null where you have left it again meanwhile. */
  async quickSeat(wish: {
    structure: string;
    chips: number;
    post?: boolean;
  }): Promise<Answer<{ readonly table: Table; readonly seat: number | null }>> {
    const answer = await this.#ask("quickseat", wish);
    if (!answer.ok) return answer;
    const { reply, repeated } = answer.value;
    const table = this.#tables.get(reply.table) ?? this.#newTable(reply.table);
    table.seated(reply.snapshot, repeated);
    this.#places.drop(wish.structure);
    return done({ table, seat: reply.seat ?? null });
  }

  /** A place in the line for a seat at a stake; what comes of it is in `places`. */
  wait(structure: string): Promise<Answer<Frozen<WaitingView>>> {
    return this.#places.wait(structure);
  }

  unwait(structure: string): Promise<Answer<undefined>> {
    return this.#places.unwait(structure);
  }

  /** How your account stands; what it says of your places in line is in `places` then. */
  async account(): Promise<Answer<Frozen<AccountView>>> {
    const answer = await this.#ask("account", {});
    if (!answer.ok) return answer;
    const { account, now } = answer.value.reply;
    // A room of an older release does not tell them.
    if (account.lines !== undefined) this.#places.load(account.lines, now);
    return done(account);
  }

  /** Your own limits, after those are changed that are given; null lifts one. */
  async limits(change: Fields<"limits"> = {}): Promise<Answer<Frozen<LimitsView>>> {
    const answer = await this.#ask("limits", change);
    return answer.ok ? done(answer.value.reply.limits) : answer;
  }

  /** Your own hands at a table, the newest first; without one at the table where you played last. */
  async hands(wish: Fields<"hands"> = {}): Promise<Answer<Frozen<PastView>>> {
    const answer = await this.#ask("hands", wish);
    return answer.ok ? done(answer.value.reply.hands) : answer;
  }

  /** A hand that is over, as you may see it: `course` plays it. */
  async hand(table: string, hand: number): Promise<Answer<Frozen<PastHandView>>> {
    const answer = await this.#ask("hand", { table, hand });
    return answer.ok ? done(answer.value.reply.hand) : answer;
  }

  /** Some of your ledger's entries, in no order of time; `statement` reads all of it. */
  async ledger(wish: Fields<"ledger"> = {}): Promise<Answer<Frozen<LedgerView>>> {
    const answer = await this.#ask("ledger", wish);
    return answer.ok ? done(answer.value.reply.ledger) : answer;
  }

  /** What some of your hands at a table left you, by day; `statement` reads all of them. */
  async results(wish: Fields<"results">): Promise<Answer<Frozen<ResultsView>>> {
    const answer = await this.#ask("results", wish);
    return answer.ok ? done(answer.value.reply.results) : answer;
  }

  /** Tell support what was wrong with a hand that is over, in which you had cards: one line of up to 300 characters. */
  async dispute(hand: Fields<"dispute">): Promise<Answer<undefined>> {
    const answer = await this.#ask("dispute", hand);
    return answer.ok ? done(undefined) : answer;
  }

  /** Since when you are here, and for how many minutes, as often as you want to be told; each number of minutes once. */
  readonly onReminder = (listener: (reminder: Frozen<ReminderView>) => void): (() => void) =>
    this.#reminders.add(listener);

  #newTable(id: string): Table {
    const table = new Table(id, this.#hub, (closed) => {
      if (this.#tables.get(id) === closed) this.#tables.delete(id);
    });
    // Who sits at a stake waits for it no more.
    table.subscribe(({ own, state }) => {
      if (own === null || state === null) return;
      const { game, currency, small_blind, big_blind } = state.settings;
      this.#places.drop(`${game}-${currency}-${small_blind}-${big_blind}`);
    });
    this.#tables.set(id, table);
    return table;
  }

  async #ask<R extends Route>(route: R, fields: Fields<R>): Promise<Answer<Replied<R>>> {
    if (this.#line.over) return failed(this.#line.connection.get().error ?? ownFailure("closed"));
    return this.#requests.ask(route, fields);
  }

  async #say(): Promise<void> {
    this.#ping.set(PING, () => void this.#say());
    const answer = await this.#ask("ping", {});
    if (answer.ok) this.#remind(answer.value.reply);
  }

  #remind({ reminder }: PingReply): void {
    if (reminder === undefined) return;
    const { since, minutes } = reminder;
    if (this.#reminded === `${since} ${minutes}`) return;
    this.#reminded = `${since} ${minutes}`;
    this.#reminders.tell(reminder);
  }

  async #up(rotated: boolean): Promise<void> {
    this.#requests.resend();
    void this.#say();
    const tables = [...this.#tables.values()].map((table) => table.resume(rotated));
    // An offer is pushed once, and a place may be lost: to ask `wait` would take a new one.
    const places = this.#places.get().size > 0 ? this.account() : null;
    await Promise.all([...tables, this.lobby.resume(), places]);
  }

  #down(): void {
    this.#ping.clear();
    for (const table of this.#tables.values()) table.down();
  }

  #ended(error: Failure): void {
    this.#ping.clear();
    this.lobby.ended();
    this.#requests.fail(error);
    for (const table of this.#tables.values()) table.down();
  }

  #heard(text: string): void {
    let message: Frozen<ServerMessage>;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message === null || typeof message !== "object") return;
    if (!("type" in message)) {
      this.#requests.throttled();
      return;
    }
    switch (message.type) {
      case "ok":
      case "error":
        this.#requests.answer(message as Frozen<typeof message> as never);
        if (message.type === "error" && message.code === "upgrade_required") {
          this.#line.end({ code: message.code, message: message.message, facts: message.facts ?? {} });
        }
        return;
      case "lobby":
        this.clock.hear(message.now);
        this.lobby.receive(message);
        return;
      case "offer":
        this.clock.hear(message.now);
        this.#places.receive(message);
        return;
      case "snapshot":
        this.#tables.get(message.table)?.receive(message);
        return;
      case "events":
      case "presence":
        this.clock.hear(message.now);
        this.#tables.get(message.table)?.receive(message);
        return;
    }
  }
}
