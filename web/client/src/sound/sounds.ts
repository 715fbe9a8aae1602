/** Sounds, made by the device itself: no file is fetched. They are silent until the page was touched, as browsers want it. */
import { preferences } from "../app/preferences.js";

export type Sound = "turn" | "chips" | "card" | "check" | "fold" | "win" | "hurry";

interface Tone {
  /** Hertz; null is noise. */
  readonly pitch: number | null;
  /** Seconds. */
  readonly at: number;
  readonly lasts: number;
  readonly loud: number;
  readonly wave?: OscillatorType;
  /** Of noise: the band that is heard, in hertz. */
  readonly band?: number;
}

const SOUNDS: Readonly<Record<Sound, readonly Tone[]>> = {
  turn: [
    { pitch: 660, at: 0, lasts: 0.14, loud: 0.5, wave: "sine" },
    { pitch: 880, at: 0.13, lasts: 0.22, loud: 0.5, wave: "sine" },
  ],
  chips: [
    { pitch: null, at: 0, lasts: 0.035, loud: 0.5, band: 4200 },
    { pitch: null, at: 0.05, lasts: 0.03, loud: 0.4, band: 5200 },
    { pitch: null, at: 0.09, lasts: 0.03, loud: 0.3, band: 4700 },
  ],
  card: [{ pitch: null, at: 0, lasts: 0.07, loud: 0.35, band: 1800 }],
  check: [
    { pitch: 160, at: 0, lasts: 0.06, loud: 0.7, wave: "triangle" },
    { pitch: 150, at: 0.11, lasts: 0.06, loud: 0.6, wave: "triangle" },
  ],
  fold: [{ pitch: null, at: 0, lasts: 0.16, loud: 0.2, band: 900 }],
  win: [
    { pitch: 523, at: 0, lasts: 0.16, loud: 0.4, wave: "sine" },
    { pitch: 659, at: 0.1, lasts: 0.16, loud: 0.4, wave: "sine" },
    { pitch: 784, at: 0.2, lasts: 0.32, loud: 0.4, wave: "sine" },
  ],
  hurry: [{ pitch: 990, at: 0, lasts: 0.07, loud: 0.35, wave: "square" }],
};

let context: AudioContext | null = null;

/** To be called once: sound begins with the first touch. */
export function listenForTouch(): void {
  const wake = () => {
    try {
      context ??= new AudioContext();
      void context.resume();
    } catch {
      // A device without sound.
    }
  };
  window.addEventListener("pointerdown", wake, { passive: true });
  window.addEventListener("keydown", wake, { passive: true });
}

export function play(sound: Sound): void {
  const { sound: on, volume } = preferences.get();
  if (!on || volume === 0 || context === null || context.state !== "running") return;
  for (const tone of SOUNDS[sound]) sing(context, tone, volume);
}

function sing(audio: AudioContext, tone: Tone, volume: number): void {
  const begin = audio.currentTime + tone.at;
  const end = begin + tone.lasts;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, tone.loud * volume * 0.5), begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(audio.destination);
  const source = tone.pitch === null ? noise(audio, tone, gain) : pitched(audio, tone.pitch, tone.wave ?? "sine", gain);
  source.start(begin);
  source.stop(end + 0.02);
}

function pitched(audio: AudioContext, pitch: number, wave: OscillatorType, to: AudioNode): AudioScheduledSourceNode {
  const oscillator = audio.createOscillator();
  oscillator.type = wave;
  oscillator.frequency.value = pitch;
  oscillator.connect(to);
  return oscillator;
}

function noise(audio: AudioContext, tone: Tone, to: AudioNode): AudioScheduledSourceNode {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * tone.lasts), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = tone.band ?? 2000;
  source.connect(filter);
  filter.connect(to);
  return source;
}
