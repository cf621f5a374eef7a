// Addresses and sizes of the data files of the page without a server; `make site` replaces this file.

/**
 * The address is relative to this file; `bytes` is the size before compression.
 * @typedef {{path: string, bytes: number}} DataFile
 */

/** @type {Record<"engine_simd" | "engine_plain" | "weights" | "engines" | "census" | "puzzles", DataFile>} */
export const FILES = {
  engine_simd: { path: "../data/engine_simd.wasm", bytes: 0 },
  engine_plain: { path: "../data/engine_plain.wasm", bytes: 0 },
  weights: { path: "../data/weights.f4w", bytes: 0 },
  engines: { path: "../data/engines.json", bytes: 0 },
  census: { path: "../data/census.json", bytes: 0 },
  puzzles: { path: "../data/puzzles.json", bytes: 0 },
};
