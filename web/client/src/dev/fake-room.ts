/** A room that shows one scene, for the eye alone. It is no part of what is shipped. */
import type {
  AccountView,
  Answer,
  Connection,
  Frozen,
  Hall,
  LimitsView,
  PastHandView,
  PastRow,
  PlacesByStructure,
  TableView,
} from "@cardroom/sdk";
import { Cell } from "../app/cell.js";
import type { RoomPort, TablePort } from "../app/ports.js";
import { LEDGER, RESULTS } from "./scenes.js";

const done = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ ok: true, value });

export class FakeTable implements TablePort {
  readonly id: string;
  readonly #view: Cell<TableView>;
  /** What was asked of it, oldest first. */
  readonly asked: string[] = [];
  readonly onEvents = () => () => undefined;

  constructor(view: TableView) {
    this.id = view.table;
    this.#view = new Cell(view);
  }

  get = () => this.#view.get();
  subscribe = (listener: (view: TableView) => void) => this.#view.subscribe(listener);
  show_ = (view: TableView) => this.#view.set(view);
  act: TablePort["act"] = (turn, act, to) => this.#note(`act ${turn.number} ${act} ${to ?? ""}`);
  preAct: TablePort["preAct"] = (_, act) => this.#note(`preact ${act}`);
  sit: TablePort["sit"] = (wish) => this.#note(`sit ${wish.seat} ${wish.chips}`);
  topUp: TablePort["topUp"] = (chips) => this.#note(`topup ${chips}`);
  autoTopUp: TablePort["autoTopUp"] = (to) => this.#note(`autotopup ${to}`);
  sitOut: TablePort["sitOut"] = (when) => this.#note(`sitout ${when}`);
  sitIn: TablePort["sitIn"] = () => this.#note("sitin");
  leave: TablePort["leave"] = (when) => this.#note(`leave ${when}`);
  show: TablePort["show"] = (cards) => this.#note(`show ${cards.join(" ")}`);
  refresh: TablePort["refresh"] = () => done(this.get());
  close: TablePort["close"] = () => Promise.resolve();

  #note(what: string): Promise<Answer<undefined>> {
    this.asked.push(what.trim());
    document.body.dataset["asked"] = this.asked.join("; ");
    return done(undefined);
  }
}

export class FakeRoom implements RoomPort {
  readonly player: string | null;
  readonly clock = { now: () => Date.now() };
  readonly connection = new Cell<Connection>({ state: "idle", attempt: 0, retryAt: null, error: null });
  readonly places: Cell<PlacesByStructure>;
  readonly lobby: RoomPort["lobby"];
  readonly onReminder = () => () => undefined;
  readonly #tables: ReadonlyMap<string, FakeTable>;
  readonly #account: Frozen<AccountView>;
  readonly #hands: readonly Frozen<PastHandView>[];

  constructor(
    player: string | null,
    tables: readonly FakeTable[],
    hall: Hall,
    places: PlacesByStructure,
    account: Frozen<AccountView>,
    hands: readonly Frozen<PastHandView>[] = [],
  ) {
    this.player = player;
    this.#tables = new Map(tables.map((table) => [table.id, table]));
    this.places = new Cell(places);
    this.#account = account;
    this.#hands = hands;
    const cell = new Cell<Hall | null>(hall);
    this.lobby = { get: cell.get, subscribe: cell.subscribe, enter: () => done(hall), exit: () => done(undefined) };
  }

  connect = () => this.connection.set({ ...this.connection.get(), state: "open" });
  close = () => undefined;
  wake = () => undefined;
  account = () => done(this.#account);
  hands = () =>
    done({
      tables: ["php-5-10-1", "usd-1-2"],
      table: "php-5-10-1",
      hands: this.#hands.map(rowOf),
      next: 7,
    });
  hand: RoomPort["hand"] = (_, number) => {
    const found = this.#hands[number % this.#hands.length];
    return found === undefined
      ? Promise.resolve({ ok: false, error: { code: "unknown_hand", message: "none", facts: {} } })
      : done(found);
  };
  ledger: RoomPort["ledger"] = ({ zone = "UTC" } = {}) => done({ ...LEDGER, zone });
  results: RoomPort["results"] = ({ table }) => done({ ...RESULTS, table });
  dispute: RoomPort["dispute"] = () => done(undefined);
  limits = () => done<Frozen<LimitsView>>(this.#account.limits);
  wait: RoomPort["wait"] = (structure) => done({ structure, place: 2, length: 3, table: null, until: null });
  unwait = () => done(undefined);
  quickSeat: RoomPort["quickSeat"] = () =>
    Promise.resolve({ ok: false, error: { code: "all_full", message: "full", facts: {} } });

  table(id: string): TablePort {
    const table = this.#tables.get(id);
    if (!table) throw new Error(`no table ${id}`);
    return table;
  }
}

function rowOf({ number, ended, state, hole }: Frozen<PastHandView>): Frozen<PastRow> {
  const { game, currency, small_blind, big_blind, small_bet, big_bet } = state.settings;
  const stakes = { game, currency, small_blind, big_blind, small_bet, big_bet };
  return { number, ended, ...stakes, hole: hole ?? [], board: [], net: number * 150 - 900, voided: false };
}
