// Writes animated GIF files: a palette of 128 colours, frames that replace a part of the image, LZW compression.

/** @typedef {[red: number, green: number, blue: number]} Color */
/** A part of the image: `pixels` are indexes of the palette, row by row.
 * @typedef {{left: number, top: number, width: number, height: number, pixels: Uint8Array}} Part */

const COLOR_BITS = 7;
const CLEAR = 1 << COLOR_BITS;
const END = CLEAR + 1;
const MAX_CODE_BITS = 12;
const MAX_BLOCK = 255;
const KEEP_IMAGE = 1 << 2; // the next frame is drawn over this one

/** Collects the bytes of a GIF that repeats without end. */
export class GifEncoder {
  /**
   * @param {number} width
   * @param {number} height
   * @param {Color[]} palette at most 128 colours
   */
  constructor(width, height, palette) {
    /** @type {number[]} */
    this.bytes = [];
    this.addText("GIF89a");
    this.addShorts(width, height);
    this.bytes.push(0x80 | (COLOR_BITS - 1), 0, 0);
    for (let index = 0; index < CLEAR; index += 1) this.bytes.push(...(palette[index] ?? [0, 0, 0]));
    this.bytes.push(0x21, 0xff, 11);
    this.addText("NETSCAPE2.0");
    this.bytes.push(3, 1, 0, 0, 0);
  }

  /** @param {string} text */
  addText(text) {
    for (const character of text) this.bytes.push(character.charCodeAt(0));
  }

  /** @param {number[]} values */
  addShorts(...values) {
    for (const value of values) this.bytes.push(value & 0xff, value >> 8);
  }

  /**
   * @param {Part} part
   * @param {number} seconds for which the frame is shown
   */
  addFrame({ left, top, width, height, pixels }, seconds) {
    this.bytes.push(0x21, 0xf9, 4, KEEP_IMAGE);
    this.addShorts(Math.round(100 * seconds));
    this.bytes.push(0, 0, 0x2c);
    this.addShorts(left, top, width, height);
    this.bytes.push(0, COLOR_BITS);
    const data = compress(pixels);
    for (let at = 0; at < data.length; at += MAX_BLOCK) {
      const block = data.slice(at, at + MAX_BLOCK);
      this.bytes.push(block.length, ...block);
    }
    this.bytes.push(0);
  }

  /** The complete file. */
  finish() {
    return Uint8Array.from([...this.bytes, 0x3b]);
  }
}

/**
 * LZW compression with codes of growing length.
 * @param {Uint8Array} pixels
 * @returns {number[]} bytes
 */
function compress(pixels) {
  /** @type {number[]} */
  const bytes = [];
  let [buffer, bufferBits] = [0, 0];
  let codeBits = COLOR_BITS + 1;
  /** @param {number} code */
  const write = (code) => {
    buffer |= code << bufferBits;
    bufferBits += codeBits;
    for (; bufferBits >= 8; bufferBits -= 8) {
      bytes.push(buffer & 0xff);
      buffer >>>= 8;
    }
  };
  /** Codes of known sequences, by the code of all pixels but the last, and the last. @type {Map<number, number>} */
  const codes = new Map();
  write(CLEAR);
  let prefix = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (prefix << 8) | pixel;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = pixel;
    const next = END + 1 + codes.size;
    if (next < 1 << MAX_CODE_BITS) {
      if (next === 1 << codeBits) codeBits += 1;
      codes.set(key, next);
    } else {
      write(CLEAR);
      codes.clear();
      codeBits = COLOR_BITS + 1;
    }
  }
  write(prefix);
  write(END);
  if (bufferBits > 0) bytes.push(buffer & 0xff);
  return bytes;
}
