import type { Socket } from "./host.js";

/** What a socket says of itself, in browsers, React Native and `ws`. */
interface Spoken {
  readonly data?: unknown;
  readonly message?: unknown;
}

export interface WireListener {
  opened(wire: Wire): void;
  heard(wire: Wire, text: string): void;
  /** `status` is the refused handshake's, where the socket tells; null where it was open or does not say. */
  ended(wire: Wire, status: number | null): void;
}

const OPEN = 1;

/** One socket, from its making to its end, which is told once. */
export class Wire {
  readonly #socket: Socket;
  readonly #listener: WireListener;
  readonly #now: () => number;
  #status: number | null = null;
  #ended = false;
  /** Local moments; `openedAt` is null while it is not open. */
  openedAt: number | null = null;
  heardAt = 0;

  constructor(socket: Socket, listener: WireListener, now: () => number) {
    this.#socket = socket;
    this.#listener = listener;
    this.#now = now;
    socket.onopen = () => {
      if (this.#ended) return;
      this.openedAt = now();
      this.heardAt = this.openedAt;
      listener.opened(this);
    };
    socket.onmessage = ({ data }: Spoken) => {
      if (this.#ended || typeof data !== "string") return;
      this.heardAt = now();
      listener.heard(this, data);
    };
    socket.onerror = ({ message }: Spoken) => {
      const status = typeof message === "string" ? /response\D*(\d{3})\b/i.exec(message)?.[1] : undefined;
      if (status !== undefined && this.openedAt === null) this.#status = Number(status);
    };
    socket.onclose = () => this.#end();
  }

  get alive(): boolean {
    return !this.#ended && this.openedAt !== null;
  }

  get age(): number {
    return this.openedAt === null ? 0 : this.#now() - this.openedAt;
  }

  send(text: string): boolean {
    if (!this.alive || this.#socket.readyState !== OPEN) return false;
    try {
      this.#socket.send(text);
      return true;
    } catch {
      // It is closing: that is told in a moment.
      return false;
    }
  }

  /** Closes it, and takes it for ended at once: a dead network answers no farewell. */
  close(): void {
    try {
      this.#socket.close(1000);
    } catch {
      // It was not open yet, or is closed.
    }
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#listener.ended(this, this.#status);
  }
}
