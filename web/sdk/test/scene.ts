import { Room, type RoomOptions } from "../src/index.js";
import { FakeRoom } from "./fake-room.js";
import { recording } from "./recorded.js";
import { seeded, Time } from "./time.js";

/** A room on a clock of its own, with a server that says yes to all. */
export interface Scene {
  readonly time: Time;
  readonly server: FakeRoom;
  readonly room: Room;
}

const START = recording.steps[0]?.snapshots.ana;

export function scene(options: Partial<RoomOptions> = {}): Scene {
  const time = new Time();
  const server = new FakeRoom(time);
  server.answer = (message) => {
    switch (message.route) {
      case "ping":
        return { now: time.now };
      case "lobby":
        return { lobby: { now: time.now, part: 1, parts: 1, stakes: [], tables: [] } };
      case "watch":
        return START ? { seq: START.seq, snapshot: { ...START, now: time.now } } : null;
      case "unwatch":
      case "unwait":
        return {};
      case "wait": {
        const { structure } = message;
        return { now: time.now, waiting: { structure, place: 1, length: 1, table: null, until: null } };
      }
      case "account":
        return { now: time.now, account: { player: "ana", standing: "open", balances: [], seats: [], lines: [] } };
      default:
        return { seq: START?.seq ?? 0 };
    }
  };
  const room = new Room({
    url: "wss://room",
    WebSocket: server.Socket,
    timers: time,
    now: () => time.now,
    random: seeded(3),
    token: () => Promise.resolve("token"),
    player: "ana",
    ...options,
  });
  return { time, server, room };
}

/** The same, connected. */
export async function connected(options: Partial<RoomOptions> = {}): Promise<Scene> {
  const made = scene(options);
  made.room.connect();
  await made.time.go(100);
  return made;
}
