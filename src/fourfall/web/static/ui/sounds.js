// Short sounds made with oscillators: moves, full columns, the end of a game. Off by default; the setting is stored.

import { loadSetting, saveSetting } from "../model/storage.js";

/** @typedef {"move" | "illegal" | "win" | "loss" | "draw"} SoundName */
/** A tone: frequency in hertz, start and duration in seconds. @typedef {[frequency: number, start: number, duration: number]} Tone */

/** @type {Record<SoundName, {wave: OscillatorType, tones: Tone[]}>} */
const SOUNDS = {
  move: { wave: "triangle", tones: [[196, 0, 0.09]] },
  illegal: {
    wave: "square",
    tones: [
      [110, 0, 0.07],
      [98, 0.09, 0.09],
    ],
  },
  win: {
    wave: "triangle",
    tones: [
      [523, 0, 0.14],
      [659, 0.13, 0.14],
      [784, 0.26, 0.14],
      [1047, 0.39, 0.34],
    ],
  },
  loss: {
    wave: "triangle",
    tones: [
      [392, 0, 0.2],
      [330, 0.19, 0.2],
      [262, 0.38, 0.4],
    ],
  },
  draw: {
    wave: "triangle",
    tones: [
      [392, 0, 0.18],
      [392, 0.22, 0.3],
    ],
  },
};
const VOLUME = 0.16;

/** @type {AudioContext | null} */
let audio = null;
let hadGesture = false;
for (const type of ["pointerup", "keydown", "click"]) {
  addEventListener(
    type,
    () => {
      hadGesture = true;
    },
    { capture: true, once: true },
  );
}

export function isSoundOn() {
  return loadSetting("sound", false);
}

/** @param {boolean} isOn */
export function setSound(isOn) {
  saveSetting("sound", isOn);
  if (isOn) playSound("move");
}

/**
 * Play a sound if the user turned sounds on. Before the first click or key of a visit nothing is played: browsers do not
 * allow it.
 * @param {SoundName} name
 */
export function playSound(name) {
  if (!isSoundOn() || !hadGesture) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  const { wave, tones } = SOUNDS[name];
  for (const tone of tones) playTone(audio, wave, tone);
}

/**
 * @param {AudioContext} context
 * @param {OscillatorType} wave
 * @param {Tone} tone
 */
function playTone(context, wave, [frequency, start, duration]) {
  const begin = context.currentTime + start;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = wave;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(VOLUME, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + duration);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + duration);
}
