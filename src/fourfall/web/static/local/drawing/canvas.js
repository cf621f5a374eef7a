// Draws shapes with smooth edges into an image with a palette.

/** @import { Color, Part } from "./gif_encoder.js" */
/** A rectangle in pixels. @typedef {{left: number, top: number, width: number, height: number}} Box */
/** Whether a point belongs to a shape. @typedef {(x: number, y: number) => boolean} Shape */

/** Each pixel is the mean of 4x4 points. */
const SAMPLES = 4;
/** Mixtures of two colours in the palette, apart from the colours themselves. */
const MIXTURES = 7;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @returns {Shape}
 */
export function circle(x, y, radius) {
  return (px, py) => (px - x) ** 2 + (py - y) ** 2 < radius ** 2;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} reach distance of the corners from the middle
 * @returns {Shape}
 */
export function diamond(x, y, reach) {
  return (px, py) => Math.abs(px - x) + Math.abs(py - y) < reach;
}

/**
 * @param {Box} box
 * @param {number} radius of the corners
 * @returns {Shape}
 */
export function rectangle({ left, top, width, height }, radius = 0) {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  return (px, py) => {
    const x = Math.max(Math.abs(px - left - halfWidth) - halfWidth + radius, 0);
    const y = Math.max(Math.abs(py - top - halfHeight) - halfHeight + radius, 0);
    return radius ? x * x + y * y < radius ** 2 : x + y === 0;
  };
}

/**
 * A line with round ends.
 * @param {[number, number]} start
 * @param {[number, number]} end
 * @param {number} width
 * @returns {Shape}
 */
export function line([x1, y1], [x2, y2], width) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy || 1;
  return (px, py) => {
    const share = Math.min(Math.max(((px - x1) * dx + (py - y1) * dy) / squared, 0), 1);
    return (px - x1 - share * dx) ** 2 + (py - y1 - share * dy) ** 2 < (width / 2) ** 2;
  };
}

export class Canvas {
  /**
   * @param {number} width
   * @param {number} height
   * @param {string} background
   * @param {[string, string][]} mixed pairs of colours that meet at edges
   */
  constructor(width, height, background, mixed) {
    this.width = width;
    this.height = height;
    this.colors = new Uint8ClampedArray(3 * width * height);
    for (let at = 0; at < this.colors.length; at += 3) this.colors.set(parseColor(background), at);
    this.palette = createPalette(mixed);
    /** Indexes of the palette by colour. @type {Map<number, number>} */
    this.indexes = new Map();
  }

  /**
   * @param {Box} box that contains the shape; nothing is drawn outside
   * @param {Shape} shape
   * @param {string} color
   */
  fill(box, shape, color) {
    const rgb = parseColor(color);
    const [left, top] = [Math.max(Math.floor(box.left), 0), Math.max(Math.floor(box.top), 0)];
    const right = Math.min(Math.ceil(box.left + box.width), this.width);
    const bottom = Math.min(Math.ceil(box.top + box.height), this.height);
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const share = computeShare(shape, x, y);
        if (share === 0) continue;
        const at = 3 * (y * this.width + x);
        for (const channel of [0, 1, 2]) {
          this.colors[at + channel] += share * (rgb[channel] - this.colors[at + channel]);
        }
      }
    }
  }

  /**
   * The pixels of a part as indexes of the palette.
   * @param {Box} [box]
   * @returns {Part}
   */
  cut(box = { left: 0, top: 0, width: this.width, height: this.height }) {
    const pixels = new Uint8Array(box.width * box.height);
    for (const index of pixels.keys()) {
      const [x, y] = [box.left + (index % box.width), box.top + Math.floor(index / box.width)];
      pixels[index] = this.findIndex(3 * (y * this.width + x));
    }
    return { ...box, pixels };
  }

  /** @param {number} at */
  findIndex(at) {
    const [red, green, blue] = this.colors.subarray(at, at + 3);
    const key = (red << 16) | (green << 8) | blue;
    let index = this.indexes.get(key);
    if (index === undefined) {
      const distances = this.palette.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
      index = distances.indexOf(Math.min(...distances));
      this.indexes.set(key, index);
    }
    return index;
  }
}

/**
 * The share of a pixel that a shape covers.
 * @param {Shape} shape
 * @param {number} x
 * @param {number} y
 */
function computeShare(shape, x, y) {
  let count = 0;
  for (let i = 0; i < SAMPLES; i += 1) {
    for (let j = 0; j < SAMPLES; j += 1) {
      if (shape(x + (i + 0.5) / SAMPLES, y + (j + 0.5) / SAMPLES)) count += 1;
    }
  }
  return count / SAMPLES ** 2;
}

/**
 * @param {[string, string][]} mixed
 * @returns {Color[]}
 */
function createPalette(mixed) {
  const pure = [...new Set(mixed.flat())].map(parseColor);
  const mixtures = mixed.flatMap(([first, second]) => {
    const [a, b] = [parseColor(first), parseColor(second)];
    return Array.from({ length: MIXTURES }, (_, index) => {
      const share = (index + 1) / (MIXTURES + 1);
      return /** @type {Color} */ (a.map((value, channel) => Math.round(value + share * (b[channel] - value))));
    });
  });
  return [...pure, ...mixtures];
}

/**
 * @param {string} text such as #0072b2
 * @returns {Color}
 */
function parseColor(text) {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
