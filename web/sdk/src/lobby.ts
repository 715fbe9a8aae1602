import { type Answer, done } from "./answer.js";
import type { Frozen } from "./frozen.js";
import { Alarm } from "./host.js";
import type { Hub } from "./hub.js";
import type { LobbyView, RowView, StakeView } from "./messages.js";
import { Cell, type Observable } from "./observable.js";

export type Stake = Frozen<StakeView>;
export type Row = Frozen<RowView>;

/** All stakes and tables at one moment. */
export interface Hall {
  readonly now: number;
  readonly stakes: readonly Stake[];
  readonly tables: readonly Row[];
}

/** What is left out chooses nothing. */
export interface Filter {
  readonly game?: Row["game"];
  readonly currency?: string;
  readonly structure?: string;
  /** Only tables that are open and have a free seat. */
  readonly free?: boolean;
}

export function filterStakes(hall: Hall, filter: Filter): readonly Stake[] {
  return hall.stakes.filter((stake) => fits(stake, filter));
}

export function filterTables(hall: Hall, filter: Filter): readonly Row[] {
  return hall.tables.filter((row) => fits(row, filter) && (!filter.free || hasFreeSeat(row)));
}

export function hasFreeSeat(row: Row): boolean {
  return row.state === "open" && row.players.includes(null);
}

function fits(one: Stake | Row, { game, currency, structure }: Filter): boolean {
  return (
    (game === undefined || one.game === game) &&
    (currency === undefined || one.currency === currency) &&
    (structure === undefined || one.structure === structure)
  );
}

/** Of a lobby that is told in several parts, those of one moment. */
export interface Parts {
  readonly hall: Hall | null;
  readonly parts: readonly Frozen<LobbyView>[];
}

/** Takes a part over: the newest moment wins, once all parts of it are there, but for the very first. */
export function withPart(known: Parts, told: Frozen<LobbyView>): Parts {
  if (told.now < Math.max(known.hall?.now ?? 0, known.parts[0]?.now ?? 0)) return known;
  const others = known.parts.filter((one) => one.now === told.now && one.part !== told.part);
  const parts = [...others, told].sort((a, b) => a.part - b.part);
  if (parts.length < told.parts && known.hall !== null && known.hall.now !== told.now) return { ...known, parts };
  const tables = parts.flatMap((one) => one.tables);
  return { hall: { now: told.now, stakes: told.stakes, tables }, parts };
}

const SILENT = 6_000;

/** The lobby, kept up to date between `enter` and `exit`. */
export class Lobby implements Observable<Hall | null> {
  readonly #hub: Hub;
  readonly #hall = new Cell<Hall | null>(null);
  readonly #silence: Alarm;
  #parts: Parts = { hall: null, parts: [] };
  #entered = false;
  /** Questions under way. */
  #asked = 0;

  constructor(hub: Hub) {
    this.#hub = hub;
    this.#silence = new Alarm(hub.timers);
  }

  readonly get = (): Hall | null => this.#hall.get();

  readonly subscribe = (listener: (hall: Hall | null) => void): (() => void) => this.#hall.subscribe(listener);

  /** The lobby as it is now, and from here on. */
  async enter(): Promise<Answer<Hall>> {
    this.#entered = true;
    this.#listen();
    return this.#ask(true);
  }

  /** The lobby as it is now, without being told more than before. */
  async look(): Promise<Answer<Hall>> {
    return this.#ask(this.#entered);
  }

  async exit(): Promise<Answer<undefined>> {
    this.#entered = false;
    this.#silence.clear();
    const answer = await this.#ask(false);
    return answer.ok ? done(undefined) : answer;
  }

  receive(told: Frozen<LobbyView>): void {
    this.#parts = withPart(this.#parts, told);
    this.#listen();
    this.#hall.set(this.#parts.hall);
  }

  /** On a new connection. */
  async resume(): Promise<void> {
    if (this.#entered) await this.enter();
  }

  ended(): void {
    this.#silence.clear();
  }

  async #ask(watch: boolean): Promise<Answer<Hall>> {
    this.#asked += 1;
    const answer = await this.#hub.ask("lobby", { watch });
    this.#asked -= 1;
    if (!answer.ok) return answer;
    const { lobby } = answer.value.reply;
    this.receive(lobby);
    return done(this.#hall.get() ?? lobby);
  }

  #listen(): void {
    if (!this.#entered) return;
    this.#silence.set(SILENT, () => {
      if (this.#hub.open && this.#asked === 0) void this.enter();
      else this.#listen();
    });
  }
}
