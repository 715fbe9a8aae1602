/** Whatever happens to the messages of recorded hands, the client comes to show what the server does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Room, type Table } from "../src/index.js";
import type { Fate } from "./fake-room.js";
import { RecordedRoom, recording, shown, type Viewer } from "./recorded.js";
import { seeded, Time } from "./time.js";

const SKEW = -7_654_321;
/** In which everything mends, silence included: spectators are told little, and wait long. */
const MENDS = { ana: 62_000, guest: 242_000 } as const;
const ARRIVES = 50;
const DELIVERED: Fate = { copies: [5] };

class Scene {
  readonly time = new Time(recording.steps[0]?.now);
  readonly server: RecordedRoom;
  readonly room: Room;
  readonly table: Table;

  constructor(viewer: Viewer, seed = 1) {
    this.server = new RecordedRoom(this.time, viewer);
    this.room = new Room({
      url: "wss://room",
      WebSocket: this.server.Socket,
      timers: this.time,
      now: () => this.time.now + SKEW,
      random: seeded(seed),
      token: () => Promise.resolve(viewer === "guest" ? null : "token"),
      ...(viewer === "guest" ? {} : { player: viewer }),
    });
    this.room.connect();
    this.table = this.room.table("t");
  }

  isRight(why: string): void {
    const view = this.table.get();
    const { truth } = this.server;
    assert.deepEqual([view.seq, view.state, view.away], [truth.seq, shown(truth), truth.away], why);
    assert.equal(view.status, "live", why);
  }

  /** Up to the next message to the client, and what it does. */
  async goOn(): Promise<void> {
    await this.time.go(this.server.pause);
    this.server.next();
    await this.time.go(ARRIVES);
  }
}

/** How many messages an undisturbed client is sent: pushes and replies. */
async function undisturbed(viewer: Viewer): Promise<number> {
  const scene = new Scene(viewer);
  await scene.time.go(1_000);
  scene.isRight("at first");
  while (scene.server.hasMore) {
    await scene.time.go(scene.server.pause);
    const asked = scene.server.asked("sync").length;
    scene.server.next();
    await scene.time.go(ARRIVES);
    assert.equal(scene.server.asked("sync").length, asked, "nothing is missing");
    // A spectator is shown moments.
    const shown = scene.server.step.pushes.guest.some(
      (push) => push.type === "snapshot" && push.seq === scene.server.truth.seq,
    );
    if (viewer === "ana" || shown) scene.isRight(scene.server.step.what);
  }
  assert.equal(scene.server.asked("watch").length, 1);
  return scene.server.told.length;
}

function isCounted(message: Record<string, unknown> | undefined): boolean {
  return message?.["type"] !== "presence" && (message?.["type"] !== "events" || message["seq"] !== message["before"]);
}

const FATES: Record<string, Fate> = {
  "the connection cut before": { copies: [], cut: "before" },
  "the connection cut after": { copies: [5], cut: "after" },
  dropped: { copies: [] },
  doubled: { copies: [5, 9] },
  "doubled, once late": { copies: [5, 12_000] },
  "a little late": { copies: [40] },
  "behind those that follow": { copies: [9_000] },
};

for (const viewer of ["ana", "guest"] as const) {
  test(`undisturbed, ${viewer} sees every step as the server does`, async () => {
    assert.ok((await undisturbed(viewer)) > 5);
  });

  for (const [name, fate] of Object.entries(FATES)) {
    test(`${name}: each message to ${viewer}, the last included`, async () => {
      const messages = await undisturbed(viewer);
      for (let struck = 0; struck < messages; struck += 1) {
        const scene = new Scene(viewer);
        scene.server.fate = (index) => (index === struck ? fate : DELIVERED);
        await scene.time.go(500);
        while (scene.server.told.length <= struck && scene.server.hasMore) await scene.goOn();
        const why = `message ${struck}, ${scene.server.step.what}`;
        // As if it were the last for long.
        await scene.time.go(MENDS[viewer]);
        // What nothing counts comes with the next push.
        if (fate.copies.length || fate.cut || isCounted(scene.server.told[struck])) scene.isRight(why);
        while (scene.server.hasMore) await scene.goOn();
        await scene.time.go(MENDS[viewer]);
        scene.isRight(`${why}, and on to the end`);
      }
    });
  }

  test(`all of it at once, ${viewer}, forty times`, async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const scene = new Scene(viewer, seed);
      const dice = seeded(seed * 7_919);
      let calm = false;
      scene.server.fate = () => {
        const rolled = dice();
        if (calm || rolled < 0.5) return DELIVERED;
        const wait = () => Math.floor(dice() ** 4 * 15_000);
        if (rolled < 0.6) return { copies: [] };
        if (rolled < 0.75) return { copies: [wait(), wait()] };
        if (rolled < 0.95) return { copies: [wait()] };
        return { copies: [5], cut: rolled < 0.975 ? "before" : "after" };
      };
      while (scene.server.hasMore) await scene.goOn();
      calm = true;
      // What is under way may be as late as a reply is waited for.
      await scene.time.go(60_000 + MENDS[viewer]);
      scene.isRight(`seed ${seed}`);
    }
  });
}

test("a player who is next asks after five seconds of silence, and shows the hand as it stands", async () => {
  const scene = new Scene("ana");
  await scene.time.go(500);
  const asks = () => scene.server.asked("sync").length;
  let tried = 0;
  while (scene.server.hasMore) {
    const state = scene.table.get().state;
    const own = scene.table.get().seat;
    const turn = state?.turn ?? null;
    const seats = state?.seats.length ?? 0;
    const next = [1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map((step) => ((turn?.seat ?? 0) + step) % seats)
      .find((seat) => state?.seats[seat]?.in_hand && !state.seats[seat]?.all_in);
    if (turn !== null && own !== null && own === next && turn.seat !== own && turn.deadline - scene.time.now > 8_000) {
      const before = asks();
      await scene.time.go(5_000 - ARRIVES - 10);
      assert.equal(asks(), before);
      await scene.time.go(ARRIVES);
      assert.equal(asks(), before + 1, scene.server.step.what);
      tried += 1;
      break;
    }
    await scene.goOn();
  }
  assert.equal(tried, 1);
});
