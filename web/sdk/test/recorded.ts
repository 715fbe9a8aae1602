import { readFileSync } from "node:fs";
import { publicLog } from "../src/book.js";
import type { EventsPush, PresencePush, Snapshot, SnapshotPush } from "../src/index.js";
import { FakeRoom, type FakeSocket } from "./fake-room.js";
import type { Time } from "./time.js";

export type Viewer = "ana" | "guest";

export interface Step {
  readonly what: string;
  readonly now: number;
  readonly pushes: Readonly<Record<Viewer, readonly (EventsPush | SnapshotPush | PresencePush)[]>>;
  readonly snapshots: Readonly<Record<Viewer, Snapshot>>;
}

interface Recording {
  readonly table: string;
  readonly steps: readonly Step[];
}

/** What the real room told at one table; made by tests/room/recording.py. */
export const recording: Recording = JSON.parse(
  readFileSync(new URL("../../test/recorded-hands.json", import.meta.url), "utf8"),
);

/** The recorded room, for one of its viewers: it stands at a step, and goes on when told. */
export class RecordedRoom extends FakeRoom {
  readonly viewer: Viewer;
  #step = 0;
  readonly #watching = new Set<FakeSocket>();

  constructor(time: Time, viewer: Viewer) {
    super(time);
    this.viewer = viewer;
    this.answer = (message, socket) => {
      switch (message.route) {
        case "watch":
          this.#watching.add(socket);
          return this.#shown();
        case "sync":
          return message.seq === this.truth.seq ? { seq: this.truth.seq } : this.#shown();
        case "ping":
          return { now: time.now };
        default:
          return {};
      }
    };
  }

  /** What the server shows now to who asks. */
  get truth(): Snapshot {
    return this.step.snapshots[this.viewer];
  }

  get step(): Step {
    const step = recording.steps[this.#step];
    if (step === undefined) throw new RangeError("the recording is over");
    return step;
  }

  get hasMore(): boolean {
    return this.#step + 1 < recording.steps.length;
  }

  /** How long the next step took to come. */
  get pause(): number {
    return (recording.steps[this.#step + 1]?.now ?? 0) - this.step.now;
  }

  next(): void {
    this.#step += 1;
    for (const push of this.step.pushes[this.viewer]) {
      for (const socket of this.#watching) {
        if (socket.readyState === 1) this.send(socket, { ...push, now: this.time.now });
      }
    }
  }

  #shown(): Record<string, unknown> {
    const { seq } = this.truth;
    return { seq, snapshot: { ...this.truth, now: this.time.now } };
  }
}

/** A snapshot's state as the SDK shows it: its log without what one seat alone was told, and what came after the hand. */
export function shown({ state }: Snapshot): unknown {
  return { ...state, log: publicLog(state.log) };
}
