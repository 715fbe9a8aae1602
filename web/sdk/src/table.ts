import { type Answer, done, type Failure, ownFailure } from "./answer.js";
import { type Book, emptyBook, inBank, isBehind, loaded, ownSeat, present, pushed, sits, type Turned } from "./book.js";
import type { SeatState, TableEvent, TableSnapshot } from "./fold.js";
import type { Frozen } from "./frozen.js";
import { Alarm } from "./host.js";
import type { Hub } from "./hub.js";
import type { Do, EventsPush, PreDo, PresencePush, Snapshot, SnapshotPush, TurnView, When } from "./messages.js";
import { Cell, Listeners, type Observable } from "./observable.js";
import type { Fields, Route } from "./requests.js";
import { askAt } from "./silence.js";

export type Turn = Frozen<TurnView>;

/** What is known of a table. It never changes: each change makes a new one. */
interface Known {
  readonly table: string;
  /** `behind`: the connection is lost, or something is missing, and asked for. */
  readonly status: "loading" | "live" | "behind" | "refused";
  readonly refusal: Failure | null;
  /** -1 while nothing is known. */
  readonly seq: number;
  /** As a snapshot shows it; of the log see below. */
  readonly state: TableSnapshot | null;
  /** Your seat. */
  readonly seat: number | null;
  readonly own: SeatState | null;
  /** Your cards, or none. */
  readonly hole: readonly string[];
  /** The public events of the hand from start to end, and whose cards were shown after it. */
  readonly log: readonly TableEvent[];
  /** By seat, who is in the hand that is shown, also when he has gone since; else who sits there. */
  readonly names: readonly (string | null)[];
  readonly away: readonly number[];
  readonly inBank: boolean;
  /** How long ago the table was as it is shown. */
  readonly lateMs: number;
}

export type TableView = Known &
  ({ readonly yourTurn: true; readonly turn: Turn } | { readonly yourTurn: false; readonly turn: Turn | null });

/** In a moment what seems lost may have come. */
const LATE_PUSH = 300;
/** After the answer to what one has done, what it did should come. */
const LATE_NEWS = 1_500;
const AGAIN = 1_000;
const RESUBSCRIBE = 10_000;
/** Between questions that bring nothing new; twice as long each time. */
const FRUITLESS = 2_000;
const FRUITLESS_MOST = 5;

/** Not answered with the table's seq. */
type Elsewhere =
  | "unwatch"
  | "wait"
  | "unwait"
  | "lobby"
  | "account"
  | "hands"
  | "hand"
  | "ledger"
  | "results"
  | "dispute"
  | "limits"
  | "ping";

/** A table, subscribed to until it is closed. */
export class Table implements Observable<TableView> {
  readonly id: string;
  readonly #hub: Hub;
  readonly #view: Cell<TableView>;
  readonly #told = new Listeners<[events: readonly TableEvent[], view: TableView]>();
  readonly #mending: Alarm;
  readonly #news: Alarm;
  readonly #silence: Alarm;
  readonly #closed: (table: Table) => void;
  #book: Book;
  #refusal: Failure | null = null;
  /** Pushes come over the present connection. */
  #subscribed = false;
  #watching = 0;
  #syncing = false;
  #over = false;
  /** The server's clock. */
  #heard = 0;
  #lateMs = 0;
  /** How often it was told what its own seat alone is told. */
  #toldOwn = 0;
  /** The greatest that an answer has named. */
  #expected = -1;
  /** Questions against silence that brought nothing, in a row. */
  #fruitless = 0;
  #resubscribed = Number.NEGATIVE_INFINITY;

  constructor(id: string, hub: Hub, closed: (table: Table) => void) {
    this.id = id;
    this.#hub = hub;
    this.#closed = closed;
    this.#book = emptyBook(hub.player);
    this.#mending = new Alarm(hub.timers);
    this.#news = new Alarm(hub.timers);
    this.#silence = new Alarm(hub.timers);
    this.#view = new Cell(this.#made());
  }

  readonly get = (): TableView => this.#view.get();

  readonly subscribe = (listener: (view: TableView) => void): (() => void) => this.#view.subscribe(listener);

  /** What has just happened, oldest first, with the view after it. */
  readonly onEvents = (listener: (events: readonly TableEvent[], view: TableView) => void): (() => void) =>
    this.#told.add(listener);

  /** On exactly this turn, so that a late click acts on no other. `to`, with bet and raise, is the street's total. */
  act(turn: Pick<Turn, "hand" | "number">, act: Do, to?: number): Promise<Answer<undefined>> {
    const amount = to === undefined ? {} : { to };
    return this.#do("act", { table: this.id, hand: turn.hand, turn: turn.number, do: act, ...amount });
  }

  /** Before one's turn, at the price of the turn that is shown, whoever's that is. */
  preAct(turn: Pick<Turn, "hand" | "price">, act: PreDo | "none"): Promise<Answer<undefined>> {
    return this.#do("preact", { table: this.id, hand: turn.hand, price: turn.price, do: act });
  }

  async sit(wish: { seat: number; chips: number; post?: boolean }): Promise<Answer<undefined>> {
    const answer = await this.#hub.ask("sit", { table: this.id, ...wish });
    if (!answer.ok) return answer;
    this.seated(answer.value.reply.snapshot, answer.value.repeated);
    return done(undefined);
  }

  topUp(chips: number): Promise<Answer<undefined>> {
    return this.#do("topup", { table: this.id, chips });
  }

  /** Before each hand chips are bought up to this; 0 for none. */
  autoTopUp(to: number): Promise<Answer<undefined>> {
    return this.#do("autotopup", { table: this.id, to });
  }

  sitOut(when: When = "now"): Promise<Answer<undefined>> {
    return this.#do("sitout", { table: this.id, when });
  }

  sitIn(wish: { post?: boolean } = {}): Promise<Answer<undefined>> {
    return this.#do("sitin", { table: this.id, ...wish });
  }

  leave(when: When = "now"): Promise<Answer<undefined>> {
    return this.#do("leave", { table: this.id, when });
  }

  /** One's own cards, by index, after a hand that was won unseen. */
  show(cards: readonly number[]): Promise<Answer<undefined>> {
    return this.#do("show", { table: this.id, cards: [...cards] });
  }

  /** A snapshot, now. */
  async refresh(): Promise<Answer<TableView>> {
    const answer = await this.#watch();
    return answer.ok ? done(this.get()) : answer;
  }

  /** No more of this table. The seat, where one has it, stays. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.ended();
    this.#closed(this);
    await this.#hub.ask("unwatch", { table: this.id });
  }

  // What the room calls.

  /** On a new connection; `rotated` where the old one still tells. */
  async resume(rotated: boolean): Promise<void> {
    if (this.#over) return;
    if (this.#book.player !== this.#hub.player) this.#book = { ...this.#book, player: this.#hub.player };
    // What is being asked is asked again there.
    if (rotated || !this.#watching) await this.#watch();
  }

  /** The connection is lost. */
  down(): void {
    this.#subscribed = false;
    for (const alarm of [this.#mending, this.#news, this.#silence]) alarm.clear();
    this.#show([]);
  }

  ended(): void {
    this.#over = true;
    this.down();
  }

  /** By a reply, which has subscribed the connection that it came over. */
  seated(snapshot: Frozen<Snapshot>, elsewhere: boolean): void {
    this.#refusal = null;
    if (!elsewhere) this.#subscribed = true;
    this.#load(snapshot, true);
    if (elsewhere) void this.#watch();
  }

  receive(push: Frozen<EventsPush | SnapshotPush | PresencePush>): void {
    if (this.#over) return;
    switch (push.type) {
      case "presence":
        this.#book = present(this.#book, push);
        this.#show([]);
        return;
      case "events":
        this.#heard = this.#hub.clock.now();
        this.#toldOwn += 1;
        this.#turn(pushed(this.#book, push));
        return;
      case "snapshot":
        this.#load(push, false);
        this.#notASpectator(push.seq);
        return;
    }
  }

  // Its own.

  #notASpectator(seq: number): void {
    if (ownSeat(this.#book) !== null) {
      // Sent to a spectator: has the seat been lost unheard?
      if (seq > this.#book.seq) void this.#sync();
    } else if (sits(this.#book) && this.#hub.clock.now() > this.#resubscribed + RESUBSCRIBE) {
      // On another device he has sat down.
      this.#resubscribed = this.#hub.clock.now();
      void this.#watch();
    }
  }

  async #do<R extends Exclude<Route, Elsewhere>>(route: R, fields: Fields<R>): Promise<Answer<undefined>> {
    const told = this.#toldOwn;
    const answer = await this.#hub.ask(route, fields);
    if (!answer.ok) {
      // Something has been missed, by all likelihood.
      if (answer.error.code === "stale_turn" || answer.error.code === "not_your_turn") void this.#sync();
      return answer;
    }
    this.#expected = Math.max(this.#expected, answer.value.reply.seq);
    this.#news.set(LATE_NEWS, () => {
      if (this.#expected > this.#book.seq) void this.#sync();
      // What it changed for this seat alone counts nothing: only a whole snapshot tells it.
      else if (told === this.#toldOwn && this.#hub.open) void this.#watch();
    });
    return done(undefined);
  }

  async #watch(): Promise<Answer<undefined>> {
    this.#watching += 1;
    const answer = await this.#hub.ask("watch", { table: this.id });
    this.#watching -= 1;
    if (this.#over) return { ok: false, error: ownFailure("closed") };
    if (answer.ok) {
      this.#refusal = null;
      this.#subscribed = this.#hub.open;
      this.#load(answer.value.reply.snapshot, true);
      return done(undefined);
    }
    const { code } = answer.error;
    if (code === "unknown_table" || code === "not_allowed" || code === "bad_message") {
      // Should a table of this name open again, it begins anew.
      this.#book = emptyBook(this.#hub.player);
      this.#refusal = answer.error;
      this.#show([]);
    } else if (this.#hub.open) {
      this.#mending.set(AGAIN * 5, () => void this.#watch());
    }
    return answer;
  }

  async #sync(): Promise<void> {
    if (this.#syncing || this.#watching || this.#over || !this.#hub.open) return;
    if (this.#book.seq < 0 || this.#book.stale) {
      await this.#watch();
      return;
    }
    this.#syncing = true;
    this.#show([]);
    const asked = this.#book.seq;
    const answer = await this.#hub.ask("sync", { table: this.id, seq: asked });
    this.#syncing = false;
    if (this.#over) return;
    this.#heard = this.#hub.clock.now();
    if (!answer.ok) {
      this.#show([]);
      return;
    }
    const { snapshot } = answer.value.reply;
    this.#expected = -1;
    if (snapshot) this.#load(snapshot, true);
    if (this.#book.seq === asked) this.#fruitless += 1;
    this.#show([]);
    if (isBehind(this.#book)) this.#mendLater(AGAIN);
  }

  #load(snapshot: Frozen<Snapshot>, asked: boolean): void {
    if (asked) this.#toldOwn += 1;
    const turned = loaded(this.#book, snapshot, asked);
    const { clock } = this.#hub;
    const delayed = ownSeat(turned.book) === null && (turned.book.state?.settings.delay_s ?? 0) > 0;
    if (!delayed) {
      this.#lateMs = 0;
      clock.hear(snapshot.now);
    } else if (turned.outcome === "applied") {
      this.#lateMs = Math.max(0, Math.round(clock.now() - snapshot.now));
    }
    this.#heard = clock.now();
    this.#turn(turned);
  }

  #turn({ book, events }: Turned): void {
    if (book.seq !== this.#book.seq) this.#fruitless = 0;
    this.#book = book;
    this.#show(events);
    if (book.stale) void this.#sync();
    else if (isBehind(book) && book.seq >= 0) this.#mendLater(LATE_PUSH);
  }

  /** Asks for what is missing, unless it has come by then. */
  #mendLater(ms: number): void {
    if (this.#mending.isSet || this.#over) return;
    this.#mending.set(ms, () => {
      if (isBehind(this.#book)) void this.#sync();
    });
  }

  #listen(): void {
    this.#silence.clear();
    if (this.#over || !this.#subscribed || this.#watching || this.#syncing) return;
    const at = askAt(this.#book, this.#heard, this.#lateMs);
    if (at === null) return;
    const rest = this.#fruitless && this.#heard + FRUITLESS * 2 ** Math.min(this.#fruitless, FRUITLESS_MOST);
    this.#silence.set(Math.max(at, rest) - this.#hub.clock.now(), () => void this.#sync());
  }

  #show(events: readonly TableEvent[]): void {
    this.#listen();
    const before = this.#view.get();
    const after = this.#made();
    if (same(before, after)) return;
    this.#view.set(after);
    if (events.length) this.#told.tell(events, after);
  }

  #made(): TableView {
    const { seq, state, away, names } = this.#book;
    const own = ownSeat(this.#book);
    const turn = state?.turn ?? null;
    const known: Known = {
      table: this.id,
      status: this.#status(),
      refusal: this.#refusal,
      seq,
      state,
      seat: own?.seat ?? null,
      own,
      hole: state?.hole ?? NONE,
      log: state?.log ?? NONE,
      names: state ? state.seats.map((seat, number) => names.players[number] ?? seat?.player ?? null) : NONE,
      away,
      inBank: turn !== null && inBank(state),
      lateMs: this.#lateMs,
    };
    return turn !== null && own?.seat === turn.seat
      ? { ...known, yourTurn: true, turn }
      : { ...known, yourTurn: false, turn };
  }

  #status(): TableView["status"] {
    if (this.#refusal) return "refused";
    if (this.#book.state === null) return "loading";
    const missing = this.#book.stale || (this.#syncing && isBehind(this.#book));
    return this.#subscribed && !missing ? "live" : "behind";
  }
}

const NONE: readonly never[] = [];

/** Shallow, but for the names, which are made anew each time. */
function same(one: TableView, other: TableView): boolean {
  const names = Object.keys(one) as (keyof TableView)[];
  return names.every((name) =>
    name === "names"
      ? one.names.length === other.names.length && one.names.every((player, at) => player === other.names[at])
      : one[name] === other[name],
  );
}
