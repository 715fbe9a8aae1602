/** One visit to the room: from the sign-in, or the door for guests, until one goes. */
import type { AccountView, Answer, Failure, Frozen, ReminderView } from "@cardroom/sdk";
import { Chronicle } from "../table/chronicle.js";
import { Cell } from "./cell.js";
import { Notices } from "./notices.js";
import type { RoomPort, TablePort } from "./ports.js";
import { hashOf, type Route, routeOf } from "./route.js";

export type Account = Frozen<AccountView>;

export interface Opened {
  readonly table: TablePort;
  readonly chronicle: Chronicle;
}

export class Visit {
  readonly room: RoomPort;
  readonly guest: boolean;
  readonly route: Cell<Route>;
  /** Open tables, in the order of their tabs. */
  readonly tables = new Cell<readonly Opened[]>([]);
  readonly account = new Cell<Account | null>(null);
  readonly accountFailure = new Cell<Failure | null>(null);
  readonly reminder = new Cell<Frozen<ReminderView> | null>(null);
  readonly notices = new Notices();
  readonly #ends: (() => void)[] = [];

  constructor(room: RoomPort, guest: boolean, hash: string = location.hash) {
    this.room = room;
    this.guest = guest;
    this.route = new Cell(routeOf(hash));
  }

  /** Connects, and stays connected until `end`. */
  begin(): void {
    const { room } = this;
    const follow = () => this.#follow(routeOf(location.hash));
    const wake = () => {
      if (document.visibilityState === "visible") room.wake();
    };
    window.addEventListener("hashchange", follow);
    window.addEventListener("online", wake);
    document.addEventListener("visibilitychange", wake);
    this.#ends.push(
      () => window.removeEventListener("hashchange", follow),
      () => window.removeEventListener("online", wake),
      () => document.removeEventListener("visibilitychange", wake),
      room.onReminder((reminder) => this.reminder.set(reminder)),
    );
    if (!this.guest) {
      let last = "";
      this.#ends.push(
        room.connection.subscribe(({ state }) => {
          if (state === "open" && last !== "open") void this.look();
          last = state;
        }),
      );
    }
    room.connect();
    void room.lobby.enter();
    this.#follow(this.route.get());
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end();
    for (const { chronicle } of this.tables.get()) chronicle.end();
    this.room.close();
  }

  go(route: Route): void {
    location.hash = hashOf(route);
    this.#follow(route);
  }

  /** Asks how one's account stands, and opens the tables where one sits. */
  async look(): Promise<void> {
    if (this.guest) return;
    const answer: Answer<Account> = await this.room.account();
    this.accountFailure.set(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    this.account.set(answer.value);
    for (const seat of answer.value.seats) this.#open(seat);
  }

  /** Of this currency; null while that is not known. */
  balance(currency: string): number | null {
    const account = this.account.get();
    if (account === null) return null;
    return account.balances.find((one) => one.currency === currency)?.balance ?? 0;
  }

  close(id: string): void {
    const rest = this.tables.get().filter(({ table }) => table.id !== id);
    const closed = this.tables.get().find(({ table }) => table.id === id);
    this.tables.set(rest);
    closed?.chronicle.end();
    void closed?.table.close();
    const route = this.route.get();
    if (route.page === "table" && route.table === id) this.go({ page: "lobby" });
  }

  #open(id: string): void {
    if (this.tables.get().some(({ table }) => table.id === id)) return;
    const table = this.room.table(id);
    this.tables.set([...this.tables.get(), { table, chronicle: new Chronicle(table) }]);
  }

  #follow(route: Route): void {
    if (route.page === "table") this.#open(route.table);
    this.route.set(route);
  }
}
