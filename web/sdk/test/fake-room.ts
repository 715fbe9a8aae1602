import type { ClientMessage, SocketConstructor } from "../src/index.js";
import type { Time } from "./time.js";

/** What becomes of one message to a client. */
export interface Fate {
  /** When each of its copies arrives, in milliseconds; none, and it is lost. */
  readonly copies: readonly number[];
  /** The connection breaks, before or after it. */
  readonly cut?: "before" | "after";
}

export type Reply = Record<string, unknown> | null;

const DELIVERED: Fate = { copies: [5] };

/** A room without a network. What it answers is up to `answer`; null answers nothing. */
export class FakeRoom {
  readonly time: Time;
  readonly Socket: SocketConstructor;
  /** All sockets there ever were, oldest first. */
  readonly sockets: FakeSocket[] = [];
  /** All that clients have said, oldest first. */
  readonly said: ClientMessage[] = [];
  /** Of the next handshakes; an HTTP status refuses, "mute" refuses as browsers tell it, "hangs" never answers. */
  readonly handshakes: (number | "mute" | "hangs")[] = [];
  /** Of each message to a client, by its number. */
  fate: (index: number) => Fate = () => DELIVERED;
  answer: (message: ClientMessage, socket: FakeSocket) => Reply = () => ({});
  /** All that was sent to clients, whatever became of it. */
  readonly told: Record<string, unknown>[] = [];

  constructor(time: Time) {
    this.time = time;
    const room = this;
    this.Socket = class extends FakeSocket {
      constructor(url: string, protocols: string[] = []) {
        super(room, url, protocols);
      }
    };
  }

  get open(): FakeSocket[] {
    return this.sockets.filter((one) => one.readyState === 1);
  }

  /** What of this route was said, oldest first. */
  asked<R extends ClientMessage["route"]>(route: R): Extract<ClientMessage, { route: R }>[] {
    return this.said.filter((one): one is Extract<ClientMessage, { route: R }> => one.route === route);
  }

  /** To one client, as fate has it. */
  send(socket: FakeSocket, message: object): void {
    const text = JSON.stringify(message);
    const { copies, cut } = this.fate(this.told.length);
    this.told.push({ ...message });
    if (cut === "before") socket.lose();
    for (const wait of copies) this.time.set(() => socket.hear(text), wait);
    if (cut === "after") this.time.set(() => socket.lose(), Math.max(0, ...copies));
  }
}

/** As the sockets of browsers and of `ws` behave. */
export class FakeSocket {
  readonly room: FakeRoom;
  readonly url: string;
  readonly protocols: readonly string[];
  /** It takes what is said, and says nothing: a network that is gone. */
  dead = false;
  readyState = 0;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;

  constructor(room: FakeRoom, url: string, protocols: readonly string[]) {
    this.room = room;
    this.url = url;
    this.protocols = protocols;
    room.sockets.push(this);
    const outcome = room.handshakes.shift() ?? 101;
    if (outcome === "hangs") return;
    room.time.set(() => this.#shake(outcome), 5);
  }

  send(data: string): void {
    if (this.readyState !== 1) throw new Error("not open");
    if (this.dead) return;
    const message: ClientMessage = JSON.parse(data);
    this.room.said.push(message);
    this.room.time.set(() => {
      const reply = this.room.answer(message, this);
      if (reply !== null) this.room.send(this, { id: message.id, type: "ok", ...reply });
    }, 5);
  }

  close(): void {
    this.lose();
  }

  hear(text: string): void {
    if (this.readyState === 1 && !this.dead) this.onmessage?.({ data: text } as never);
  }

  /** It is closed, from whichever side. */
  lose(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.room.time.set(() => this.onclose?.({ code: 1006 } as never), 0);
  }

  #shake(outcome: number | "mute"): void {
    if (this.readyState !== 0) return;
    if (outcome === 101) {
      this.readyState = 1;
      this.onopen?.({} as never);
      return;
    }
    this.onerror?.({ message: outcome === "mute" ? "" : `Unexpected server response: ${outcome}` } as never);
    this.lose();
  }
}
