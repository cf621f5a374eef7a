// SHA-256 of short texts. The browser's own function is missing on pages that are not served by HTTPS.

const MASK = 2 ** 32;

/** The first prime numbers. */
const PRIMES = Array.from({ length: 312 }, (_, number) => number).filter((number) => {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return number >= 2;
});
/** The first 32 bits of the fractional parts of roots of the primes. @param {number} exponent */
const listFractions = (exponent) => PRIMES.map((prime) => Math.floor((prime ** exponent % 1) * MASK));
const ROUND_CONSTANTS = listFractions(1 / 3).slice(0, 64);
const START = listFractions(1 / 2).slice(0, 8);

/**
 * @param {string} text
 * @returns {string} 64 hexadecimal digits
 */
export function computeSha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = Uint32Array.from(START);
  for (let at = 0; at < padded.length; at += 64) addBlock(state, view, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/**
 * @param {Uint32Array} state
 * @param {DataView} view
 * @param {number} at
 */
function addBlock(state, view, at) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [before, last] = [words[i - 15], words[i - 2]];
    const first = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
    const second = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND_CONSTANTS[i] + words[i];
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word;
}

/**
 * @param {number} word
 * @param {number} count
 */
function rotate(word, count) {
  return (word >>> count) | (word << (32 - count));
}
