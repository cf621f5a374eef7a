// Loads the engine: the WebAssembly module first, with which weak levels play, and then the weights of the network.

import { downloadBytes, getSize } from "./data_files.js";
import { WasmEngine } from "./wasm_engine.js";

/** @import { FileName } from "./data_files.js" */
/** @import { Engine, WorkerStatus } from "./types.d.ts" */

/** A module with one function that has an instruction of 128-bit SIMD; only browsers with SIMD accept it. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

export class EngineLoader {
  /** @param {(status: WorkerStatus) => void} onStatus */
  constructor(onStatus) {
    this.onStatus = onStatus;
    this.hasSimd = WebAssembly.validate(SIMD_PROBE);
    /** @type {FileName} */
    this.moduleName = this.hasSimd ? "engine_simd" : "engine_plain";
    /** Bytes that have arrived of each file. @type {Map<FileName, number>} */
    this.loaded = new Map();
    /** @type {Promise<ArrayBuffer> | null} */
    this.module = null;
    /** @type {Promise<Engine> | null} */
    this.withoutNetwork = null;
    /** @type {Promise<Engine> | null} */
    this.withNetwork = null;
  }

  /** The engine, with the network if that has arrived: rules, solver, and searches without a network. */
  load() {
    this.withoutNetwork ??= this.createEngine().catch((error) => {
      this.withoutNetwork = null; // the next call tries again
      throw error;
    });
    return this.withoutNetwork;
  }

  /** The engine with its network. */
  loadWithNetwork() {
    this.withNetwork ??= this.createEngineWithNetwork().catch((error) => {
      this.withNetwork = null;
      throw error;
    });
    return this.withNetwork;
  }

  async createEngine() {
    return WasmEngine.load(await this.loadModule(), null, { hasSimd: this.hasSimd });
  }

  /** @returns {Promise<Engine>} */
  async createEngineWithNetwork() {
    const [module, weights] = await Promise.all([this.loadModule(), this.download("weights")]);
    const engine = await WasmEngine.load(module, weights, { hasSimd: this.hasSimd });
    this.withoutNetwork = Promise.resolve(engine);
    this.onStatus({ kind: "ready", has_simd: this.hasSimd });
    return engine;
  }

  loadModule() {
    this.module ??= this.download(this.moduleName).catch((error) => {
      this.module = null;
      throw error;
    });
    return this.module;
  }

  /** @param {FileName} name */
  download(name) {
    return downloadBytes(name, (bytes) => {
      this.loaded.set(name, bytes);
      const loaded = [...this.loaded.values()].reduce((sum, each) => sum + each, 0);
      this.onStatus({ kind: "progress", loaded, total: getSize(this.moduleName) + getSize("weights") });
    });
  }
}
