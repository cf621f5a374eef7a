// A search of the WebAssembly engine that runs in short steps.

import { CoreError } from "./core_module.js";
import { toPositionError } from "./position_errors.js";

/** @import { CoreModule } from "./core_module.js" */
/** @import { EngineEntry, SearchAnalysis, SearchLimits } from "../types.d.ts" */

const DEFAULT_MEMORY_MB = 32;
const TWO_TO_32 = 2 ** 32;

/** Implements `Search` of types.d.ts; `release` must be called, because its memory is not garbage collected. */
export class WasmSearch {
  /**
   * @param {CoreModule} core
   * @param {{ engine: EngineEntry, seed?: number, memory_mb?: number }} options
   */
  constructor(core, { engine, seed = 0, memory_mb = DEFAULT_MEMORY_MB }) {
    const fields = Object.entries(engine.config).map(([name, value]) => `${name} ${toNumber(value)}`);
    this.core = core;
    this.handle = core.withText(fields.join("\n"), (address, length) =>
      core.call(
        "create_search",
        engine.search === "graph",
        address,
        length,
        seed % TWO_TO_32,
        Math.floor(seed / TWO_TO_32),
        memory_mb,
      ),
    );
  }

  /**
   * Start a search; it continues the graph of the last one if the position is the same or follows. Without a limit the
   * default limit of the engine applies, or one second.
   * @param {SearchLimits} limits
   */
  begin({ position, time_s, simulations, every_column }) {
    try {
      this.core.withText(position, (address, length) =>
        this.core.call("begin_search", this.getHandle(), address, length, time_s ?? -1, simulations ?? 0, every_column),
      );
    } catch (error) {
      throw toPositionError(error);
    }
  }

  /**
   * Search for about so many milliseconds. Steps continue the search as if it had not been interrupted.
   * @param {number} milliseconds
   */
  step(milliseconds) {
    const done = Boolean(this.core.call("step_search", this.getHandle(), milliseconds));
    return { done, stopped_by: done ? this.analysis().stopped_by : "" };
  }

  /** Make the next step end the search at once, with `stopped_by` "stop". */
  stop() {
    this.core.call("stop_search", this.getHandle());
  }

  /** @returns {SearchAnalysis} the result so far */
  analysis() {
    return this.core.callForJson("report_search", this.getHandle());
  }

  /** Free the memory; the search must not be used any more. */
  release() {
    if (this.handle) this.core.call("release_search", this.handle);
    this.handle = 0;
  }

  getHandle() {
    if (!this.handle) throw new CoreError("EngineError", "the search was released");
    return this.handle;
  }
}

/** @param {number | boolean | null} value */
function toNumber(value) {
  return value === null ? "null" : String(Number(value));
}
