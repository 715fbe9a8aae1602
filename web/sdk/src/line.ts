/**
 * The connection of a room: opened with a new token each time, opened again when it is lost, and exchanged before it gets too old.
 */
import { type Failure, ownFailure, SignedOut } from "./answer.js";
import type { ServerClock } from "./clock.js";
import { Alarm, type SocketConstructor, type Timers } from "./host.js";
import { Cell, type Observable } from "./observable.js";
import { userOf } from "./user.js";
import { Wire } from "./wire.js";

export const PROTOCOL = "cardroom.v1";
const DEVICE = /^[A-Za-z0-9_-]{16,64}$/;

/** `refused`: the room has refused the token before, or may have. Null is a guest. */
export type Token = (why: { readonly refused: boolean }) => Promise<string | null>;

export interface Connection {
  readonly state: "idle" | "connecting" | "open" | "resuming" | "signed_out" | "closed";
  /** Connections that failed in a row. */
  readonly attempt: number;
  /** By the server's clock, when the next is tried; null where it is under way, or none is. */
  readonly retryAt: number | null;
  /** Why it ended. */
  readonly error: Failure | null;
}

export interface Surroundings {
  readonly timers: Timers;
  /** The local clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

export interface LineListener {
  /** A new connection: `rotated` beside the old one, which is closed when what this gives has come. */
  up(rotated: boolean): Promise<void>;
  /** The old one, beside the new. */
  retired(): void;
  down(): void;
  heard(text: string): void;
  ended(error: Failure): void;
}

const HANDSHAKE = 10_000;
const BACKOFF = 500;
const BACKOFF_MOST = 30_000;
/** A connection that ends sooner has not worked. */
const WORKED = 5_000;
const BARRED = 60_000;
const ROTATE = [90 * 60_000, 115 * 60_000] as const;
const ROTATE_AGAIN = 60_000;
const LINGER = 1_000;
const PROBE = 3_000;
const MUTE_MOST = 4;
const REFUSED = [401, 403];
const TOO_MANY = 429;

export class Line {
  readonly #url: string;
  readonly #token: Token;
  readonly #device: readonly string[];
  readonly #socket: SocketConstructor;
  readonly #around: Surroundings;
  readonly #clock: ServerClock;
  readonly #listener: LineListener;
  readonly #connection = new Cell<Connection>({ state: "idle", attempt: 0, retryAt: null, error: null });
  readonly #retry: Alarm;
  readonly #rotation: Alarm;
  readonly #handshake: Alarm;
  readonly #probe: Alarm;
  readonly #retiring = new Set<Wire>();
  #wire: Wire | null = null;
  #opening: { wire: Wire | null } | null = null;
  #refused = false;
  /** The token that is tried was asked for as a new one. */
  #renewed = false;
  #guest = false;
  #player: string | null = null;
  #wasOpen = false;
  /** Connections in a row over which nothing ever came. */
  #mute = 0;

  constructor(
    url: string,
    token: Token,
    device: string | null,
    socket: SocketConstructor,
    around: Surroundings,
    clock: ServerClock,
    listener: LineListener,
  ) {
    this.#url = url;
    this.#token = token;
    // What a handshake may not hold would refuse the connection.
    this.#device = device !== null && DEVICE.test(device) ? [`device.${device}`] : [];
    this.#socket = socket;
    this.#around = around;
    this.#clock = clock;
    this.#listener = listener;
    this.#retry = new Alarm(around.timers);
    this.#rotation = new Alarm(around.timers);
    this.#handshake = new Alarm(around.timers);
    this.#probe = new Alarm(around.timers);
  }

  get connection(): Observable<Connection> {
    return this.#connection;
  }

  /** The connection that is open, or null. */
  get wire(): Wire | null {
    return this.#wire;
  }

  /** The name in the last token. */
  get player(): string | null {
    return this.#player;
  }

  get over(): boolean {
    const { state } = this.#connection.get();
    return state === "signed_out" || state === "closed";
  }

  /** Begins, or begins again where it had ended. */
  open(): void {
    const { state } = this.#connection.get();
    if (state !== "idle" && !this.over) return;
    this.#refused = false;
    this.#renewed = false;
    this.#set({ state: this.#wasOpen ? "resuming" : "connecting", attempt: 0, retryAt: null, error: null });
    void this.#open();
  }

  /** Ends it for `error`'s reason. */
  end(error: Failure): void {
    if (this.over) return;
    this.#finish("closed", error);
  }

  /** Does at once what else were done after a while; looks whether the connection is alive. `ask` makes the room answer. */
  wake(ask: () => void): void {
    if (this.#retry.isSet) {
      this.#retry.clear();
      this.#set({ retryAt: null });
      void this.#open();
    } else if (this.#wire !== null) {
      ask();
      this.suspect(this.#wire);
    }
  }

  /** Nothing has come over it for too long: it is given up unless something comes soon. */
  suspect(wire: Wire): void {
    if (wire !== this.#wire || this.#probe.isSet) return;
    const { heardAt } = wire;
    const spoke = heardAt !== wire.openedAt;
    // A room that is slow to answer is not helped by new connections.
    this.#probe.set(spoke ? PROBE : PROBE * 2 ** this.#mute, () => {
      if (wire !== this.#wire || wire.heardAt !== heardAt) return;
      this.#mute = spoke ? 0 : Math.min(this.#mute + 1, MUTE_MOST);
      wire.close();
    });
  }

  #set(change: Partial<Connection>): void {
    this.#connection.set({ ...this.#connection.get(), ...change });
  }

  async #open(): Promise<void> {
    if (this.#opening !== null) return;
    const opening: { wire: Wire | null } = { wire: null };
    this.#opening = opening;
    let token: string | null;
    this.#renewed = this.#refused;
    try {
      token = await this.#token({ refused: this.#refused });
    } catch (error) {
      if (opening !== this.#opening) return;
      this.#opening = null;
      // While the old connection serves, nobody is signed out.
      if (error instanceof SignedOut && this.#wire === null) this.#signedOut();
      else this.#failed(null, false);
      return;
    }
    if (opening !== this.#opening) return;
    this.#guest = token === null;
    this.#player = token === null ? null : userOf(token);
    const offered = token === null ? [PROTOCOL] : [PROTOCOL, `bearer.${token}`, ...this.#device];
    let socket: InstanceType<SocketConstructor>;
    try {
      socket = new this.#socket(this.#url, offered);
    } catch {
      this.#opening = null;
      const message = "this is no address of a room, or no token";
      this.#finish("closed", { code: "closed", message, facts: {} });
      return;
    }
    opening.wire = new Wire(
      socket,
      {
        opened: (wire) => this.#opened(wire),
        heard: (_, text) => this.#listener.heard(text),
        ended: (wire, status) => this.#ended(wire, status),
      },
      this.#around.now,
    );
    this.#handshake.set(HANDSHAKE, () => opening.wire?.close());
  }

  #opened(wire: Wire): void {
    if (this.#opening?.wire !== wire) {
      wire.close();
      return;
    }
    this.#opening = null;
    this.#handshake.clear();
    this.#probe.clear();
    this.#refused = false;
    this.#wasOpen = true;
    const old = this.#wire;
    if (old !== null) this.#retiring.add(old);
    this.#wire = wire;
    this.#rotation.set(this.#between(...ROTATE), () => void this.#open());
    this.#set({ state: "open", retryAt: null, error: null });
    const ready = this.#listener.up(old !== null);
    if (old !== null) void this.#retire(old, ready);
  }

  /** It has had time then to say what was under way. */
  async #retire(old: Wire, ready: Promise<void>): Promise<void> {
    await ready;
    this.#around.timers.set(() => old.close(), LINGER);
  }

  #ended(wire: Wire, status: number | null): void {
    if (this.#retiring.delete(wire)) {
      this.#listener.retired();
      return;
    }
    if (wire === this.#wire) {
      this.#wire = null;
      this.#rotation.clear();
      this.#probe.clear();
      const attempt = wire.age < WORKED ? this.#connection.get().attempt + 1 : 0;
      this.#set({ state: "resuming", attempt });
      this.#listener.down();
      if (this.#opening === null && !this.over) this.#again();
    } else if (wire === this.#opening?.wire) {
      this.#opening = null;
      this.#handshake.clear();
      this.#failed(status, true);
    }
  }

  /** No connection came of it; `tried`: there was a token to try it with. */
  #failed(status: number | null, tried: boolean): void {
    if (this.over) return;
    const refused = status !== null && REFUSED.includes(status);
    // Browsers do not say why: it may be the token.
    if (tried && (refused || status === null)) this.#refused = true;
    if (this.#wire !== null) {
      // The old one still serves.
      this.#rotation.set(ROTATE_AGAIN, () => void this.#open());
      return;
    }
    if (refused && (this.#renewed || this.#guest)) {
      this.#signedOut();
      return;
    }
    this.#set({ attempt: this.#connection.get().attempt + 1 });
    if (refused) void this.#open();
    else if (status === TOO_MANY) this.#again(this.#between(BARRED, BARRED + BACKOFF * 10));
    else this.#again();
  }

  #again(wait: number = this.#backoff()): void {
    this.#set({ retryAt: Math.round(this.#clock.now() + wait) });
    this.#retry.set(wait, () => {
      this.#set({ retryAt: null });
      void this.#open();
    });
  }

  #backoff(): number {
    const most = Math.min(BACKOFF_MOST, BACKOFF * 2 ** this.#connection.get().attempt);
    return this.#between(most / 2, most);
  }

  #between(least: number, most: number): number {
    return least + this.#around.random() * (most - least);
  }

  #signedOut(): void {
    this.#finish("signed_out", ownFailure("signed_out"));
  }

  #finish(state: "signed_out" | "closed", error: Failure): void {
    this.#set({ state, retryAt: null, error });
    for (const alarm of [this.#retry, this.#rotation, this.#handshake, this.#probe]) alarm.clear();
    const wires = [this.#wire, this.#opening?.wire ?? null, ...this.#retiring];
    this.#wire = null;
    this.#opening = null;
    this.#retiring.clear();
    for (const wire of wires) wire?.close();
    this.#listener.ended(error);
  }
}
