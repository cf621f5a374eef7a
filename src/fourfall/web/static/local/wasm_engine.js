// The engine in WebAssembly: rules of the game, searches and the exact solver. All methods are synchronous.

import { CoreError, CoreModule } from "./engine/core_module.js";
import { toPositionError } from "./engine/position_errors.js";
import { WasmSearch } from "./engine/wasm_search.js";
import { RequestError } from "./request_error.js";

/** @import { Engine, EngineEntry, PositionInfo, SolveRequest, SolveResult, StonesRequest } from "./types.d.ts" */

const DEFAULT_SOLVER_MEMORY_MB = 64;

/** @implements {Engine} */
export class WasmEngine {
  /**
   * @param {BufferSource | Response | WebAssembly.Module} source the WebAssembly module
   * @param {ArrayBuffer | null} weights the weights file; without it, engines with a network use rollouts
   * @param {{ hasSimd: boolean }} options whether `source` is the module with SIMD instructions
   */
  static async load(source, weights, { hasSimd }) {
    const engine = new WasmEngine(await CoreModule.load(source), hasSimd);
    if (weights) engine.loadWeights(weights);
    return engine;
  }

  /**
   * @param {CoreModule} core
   * @param {boolean} hasSimd
   */
  constructor(core, hasSimd) {
    this.core = core;
    this.hasSimd = hasSimd;
    this.hasNetwork = false;
  }

  /**
   * Load the network; searches that exist already are not changed.
   * @param {ArrayBuffer} weights
   */
  loadWeights(weights) {
    this.core.withMemory(new Uint8Array(weights), (address, length) => this.core.call("load_weights", address, length));
    this.hasNetwork = true;
  }

  /**
   * @param {string} text a position in notation
   * @returns {PositionInfo}
   */
  describePosition(text) {
    return this.callWithPosition(text, (address, length) =>
      this.core.callForJson("describe_position", address, length),
    );
  }

  /**
   * Find a legal order of moves for a set of stones.
   * @param {StonesRequest} stones
   * @returns {PositionInfo}
   */
  findStones({ rows, cols, hole, first, second, last = null }) {
    const numbers = [rows, cols, hole ? 1 : 0, ...(hole ?? [0, 0])];
    for (const stones of [first, second, last ? [last] : []]) numbers.push(stones.length, ...stones.flat());
    try {
      return this.core.withMemory(Int32Array.from(numbers), (address) => this.core.callForJson("find_stones", address));
    } catch (error) {
      if (!(error instanceof CoreError) || error.type !== "InvalidBoard") throw error;
      throw new RequestError("impossible_stones", { problem: error.message });
    }
  }

  /** @param {{ engine: EngineEntry, seed?: number, memory_mb?: number }} options */
  createSearch(options) {
    return new WasmSearch(this.core, options);
  }

  /**
   * Solve a position exactly; at the limit of positions, return the bounds found so far.
   * @param {SolveRequest} request
   * @returns {SolveResult}
   */
  solve({ position, positions = 0, columns = false, memory_mb = DEFAULT_SOLVER_MEMORY_MB }) {
    return this.callWithPosition(position, (address, length) =>
      this.core.callForJson("solve", address, length, positions, columns, memory_mb),
    );
  }

  /**
   * Evaluate a position by the network, `count` times (for measurements).
   * @param {string} position
   * @param {number} [count]
   * @returns {{ value: number, logits: (number | null)[] }} `value` is for the side to move, -1 to 1
   */
  evaluate(position, count = 1) {
    return this.callWithPosition(position, (address, length) =>
      this.core.callForJson("evaluate", address, length, count),
    );
  }

  /**
   * @template Result
   * @param {string} position
   * @param {(address: number, length: number) => Result} call
   * @returns {Result}
   */
  callWithPosition(position, call) {
    try {
      return this.core.withText(position, call);
    } catch (error) {
      throw toPositionError(error);
    }
  }
}
