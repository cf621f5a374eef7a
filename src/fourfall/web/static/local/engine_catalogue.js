// The engines that messages may name, from engines.json, and the loaded WebAssembly module that runs them.

import { Position } from "../model/position.js";
import { downloadJson } from "./data_files.js";
import { RequestError } from "./request_error.js";

/** @import { EngineLoader } from "./engine_loader.js" */
/** @import { CensusFile, Engine, EngineEntry, EngineFile, SearchAnalysis } from "./types.d.ts" */

const MAX_NAME_LENGTH = 60;
/** A name with a kind, options, a path or the suffix of a file means third-party code. */
const THIRD_PARTY = /[:/?]|\.(toml|so|py)$/;

export class EngineCatalogue {
  /**
   * @param {EngineFile} file
   * @param {EngineLoader} loader
   */
  constructor(file, loader) {
    this.serverInfo = file.server_info;
    this.engines = file.engines;
    /** @type {Promise<CensusFile> | null} */
    this.census = null;
    this.loader = loader;
  }

  /**
   * @param {string} name
   * @returns {EngineEntry}
   */
  find(name) {
    if (Object.hasOwn(this.engines, name)) return this.engines[name];
    if (THIRD_PARTY.test(name)) throw new RequestError("needs_program");
    throw new RequestError("unknown_engine", { engine: name.slice(0, MAX_NAME_LENGTH) });
  }

  /**
   * The module that can run an engine; an engine without a network does not wait for the weights.
   * @param {EngineEntry} entry
   * @returns {Promise<Engine>}
   */
  loadEngine(entry) {
    return entry.needs_network ? this.loader.loadWithNetwork() : this.loader.load();
  }

  /**
   * Parse a position of a message. The engine says what is wrong with an invalid one.
   * @param {string} text
   * @returns {Promise<Position>}
   */
  async parsePosition(text) {
    const position = Position.parse(text);
    if (position) return position;
    const engine = await this.loader.load();
    return Position.fromServer(engine.describePosition(text).position);
  }

  /**
   * The exact analysis of an empty board that the engine knows without a search; a level knows none.
   * @param {EngineEntry} entry
   * @param {Position} position
   * @returns {Promise<SearchAnalysis | null>}
   */
  async findKnownAnalysis(entry, position) {
    if (!entry.knows_census || position.moves.length > 0) return null;
    this.census ??= downloadJson("census");
    try {
      return (await this.census)[position.notation] ?? null;
    } catch {
      this.census = null; // without the census the engine searches
      return null;
    }
  }
}
