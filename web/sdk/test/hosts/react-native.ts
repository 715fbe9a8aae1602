// What React Native's globals look like, as far as the SDK needs them: no DOM, no Node. It only has to compile.
import { Room } from "../../src/index.js";

interface WebSocketEvent {
  type: string;
}

interface WebSocketMessageEvent extends WebSocketEvent {
  data?: unknown;
}

interface WebSocketErrorEvent extends WebSocketEvent {
  message: string;
}

interface WebSocketCloseEvent extends WebSocketEvent {
  code?: number | undefined;
  reason?: string | undefined;
}

interface NativeSocket {
  readonly readyState: number;
  send(data: string | ArrayBuffer | ArrayBufferView): void;
  close(code?: number, reason?: string): void;
  onopen: (() => void) | null;
  onmessage: ((event: WebSocketMessageEvent) => void) | null;
  onerror: ((event: WebSocketErrorEvent) => void) | null;
  onclose: ((event: WebSocketCloseEvent) => void) | null;
}

declare const WebSocket: {
  new (
    uri: string,
    protocols?: string | string[] | null,
    options?: { headers: Record<string, string> } | null,
  ): NativeSocket;
};
declare function setTimeout(work: (...args: unknown[]) => void, ms?: number): number;
declare function clearTimeout(timer: number | undefined): void;

export const room = new Room({
  url: "wss://room.example",
  token: async () => null,
  WebSocket,
  timers: { set: setTimeout, clear: (timer) => clearTimeout(timer as number) },
});
