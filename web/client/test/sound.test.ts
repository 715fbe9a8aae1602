import assert from "node:assert/strict";
import { test } from "node:test";
import { prefer } from "../src/app/preferences.js";
import { listenForTouch, play } from "../src/sound/sounds.js";
import { soundOf } from "../src/table/useTableSounds.js";

/** A device that counts what is played on it. */
class Device {
  static played = 0;
  readonly state = "running";
  readonly currentTime = 0;
  readonly sampleRate = 8_000;
  resume = () => Promise.resolve();
  createGain = () => this.#node();
  createOscillator = () => this.#node();
  createBufferSource = () => this.#node();
  createBiquadFilter = () => this.#node();
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });

  #node() {
    const parameter = { value: 0, setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
    const start = () => {
      Device.played += 1;
    };
    return { gain: parameter, frequency: { ...parameter }, connect: () => undefined, start, stop: () => undefined };
  }
}

test("nothing is heard before the page was touched, nor when sounds are muted", () => {
  const touched: (() => void)[] = [];
  const window = { addEventListener: (_: string, listener: () => void) => touched.push(listener) };
  Object.assign(globalThis, { window, AudioContext: Device });
  const heard = (sound: Parameters<typeof play>[0]) => {
    const before = Device.played;
    play(sound);
    return Device.played - before;
  };
  listenForTouch();
  assert.equal(heard("turn"), 0);
  touched[0]?.();
  assert.equal(heard("turn"), 2);
  assert.equal(heard("chips"), 3);
  prefer({ sound: false });
  assert.equal(heard("turn"), 0);
  prefer({ sound: true, volume: 0 });
  assert.equal(heard("turn"), 0);
  prefer({ volume: 1 });
  assert.equal(heard("win"), 3);
});

test("what is won is heard as such by the winner alone", () => {
  const pot = { e: "pot_won", pot: 0, amount: 5, rake: 0, contenders: [1], shares: [[1, 5]] } as const;
  assert.equal(soundOf(pot, { seat: 1 }), "win");
  assert.equal(soundOf(pot, { seat: null }), "chips");
  assert.equal(soundOf({ e: "acted", seat: 1, do: "fold", to: 0, paid: 0, cause: "own" }, { seat: 1 }), "fold");
  assert.equal(soundOf({ e: "hand_ended", number: 1, at: 1 }, { seat: 1 }), null);
});
