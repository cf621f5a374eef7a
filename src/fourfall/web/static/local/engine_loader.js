// Loads the engine: the WebAssembly module first, with which weak levels play, and then the weights of the network.

import { downloadBytes, getSize } from "./data_files.js";
import { RequestError } from "./request_error.js";
import { WasmEngine } from "./wasm_engine.js";

/** @import { FileName } from "./data_files.js" */
/** @import { WorkerStatus } from "./types.d.ts" */

/** A module with one function that has an instruction of 128-bit SIMD; only browsers with SIMD accept it. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

export class EngineLoader {
  /** @param {(status: WorkerStatus) => void} onStatus */
  constructor(onStatus) {
    this.onStatus = onStatus;
    this.hasSimd = hasWebAssembly() && WebAssembly.validate(SIMD_PROBE);
    /** @type {FileName} */
    this.moduleName = this.hasSimd ? "engine_simd" : "engine_plain";
    /** Bytes that have arrived of each file. @type {Map<FileName, number>} */
    this.loaded = new Map();
    /** @type {Promise<WasmEngine> | null} */
    this.engine = null;
    /** @type {Promise<WasmEngine> | null} */
    this.engineWithNetwork = null;
  }

  /** The engine for rules, solver, and searches without a network. A call after a failure tries again. */
  load() {
    this.engine ??= this.createEngine().catch((error) => {
      this.engine = null;
      throw error;
    });
    return this.engine;
  }

  /** The same engine when it has its network. */
  loadWithNetwork() {
    this.engineWithNetwork ??= this.addNetwork().catch((error) => {
      this.engineWithNetwork = null;
      throw error;
    });
    return this.engineWithNetwork;
  }

  async createEngine() {
    if (!hasWebAssembly()) throw new RequestError("no_webassembly");
    const module = await this.download(this.moduleName);
    return WasmEngine.load(module, null, { hasSimd: this.hasSimd });
  }

  async addNetwork() {
    const engine = await this.load(); // before the weights, so that weak levels do not share the line with them
    engine.loadWeights(await this.download("weights"));
    this.onStatus({ kind: "ready", has_simd: this.hasSimd });
    return engine;
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

/** Some browsers switch WebAssembly off when they shall be especially safe. */
function hasWebAssembly() {
  return typeof WebAssembly === "object";
}
