// Chooses the moves of opponents, and hints.

import { KeptSearches } from "../analysis/kept_searches.js";
import { PRIORITY } from "../analysis/search_queue.js";

/** @import { ScoreInfo } from "../../model/messages.d.ts" */
/** @import { SearchQueue, SearchTask } from "../analysis/search_queue.js" */
/** @import { EngineCatalogue } from "../engine_catalogue.js" */
/** @import { Search, SearchLimits } from "../types.d.ts" */
/** @import { Game } from "./game.js" */

const KEPT_GAMES = 2;
const MEMORY_MB = 32;
const HINT_S = 1;
/** Maximum time per move of a level, which normally stops earlier: after its number of simulations. */
const MAX_LEVEL_TIME_S = 5;

/** @typedef {{column: number, score: ScoreInfo}} ChosenMove */

/** A move that is searched for; `cancel` ends the search without a move. */
export class MoveSearch {
  constructor() {
    this.isCancelled = false;
    /** @type {SearchTask | null} */
    this.task = null;
  }
}

export class Opponents {
  /**
   * @param {SearchQueue} queue
   * @param {EngineCatalogue} catalogue
   */
  constructor(queue, catalogue) {
    this.queue = queue;
    this.catalogue = catalogue;
    this.kept = new KeptSearches(KEPT_GAMES);
  }

  /**
   * Search for the opponent's move; null if it was cancelled meanwhile.
   * @param {Game} game
   * @param {number | null} clockTimeS the time that the game's clock allows for this move
   * @param {MoveSearch} move
   * @returns {Promise<ChosenMove | null>}
   */
  async chooseMove(game, clockTimeS, move) {
    const entry = this.catalogue.find(game.opponent);
    const position = game.position.notation;
    const simulations = entry.simulations ?? game.settings.simulations;
    const { limits, defaults } = this.catalogue.serverInfo;
    let timeS = game.settings.move_time_s;
    if (timeS === null) {
      if (entry.simulations !== null) timeS = MAX_LEVEL_TIME_S;
      else if (clockTimeS !== null || simulations !== null) timeS = limits.move_time_s;
      else timeS = defaults.move_time_s;
    }
    if (clockTimeS !== null) timeS = Math.min(timeS, clockTimeS);
    const engine = await this.catalogue.loadEngine(entry);
    if (move.isCancelled) return null;
    const search =
      this.kept.take(game.id) ??
      engine.createSearch({ engine: entry, seed: computeSeed(game.id), memory_mb: MEMORY_MB });
    const searchLimits = { position, time_s: computeSearchTimeS(timeS), simulations, every_column: false };
    const chosen = await this.run(search, searchLimits, move);
    if (chosen) this.kept.keep(game.id, search);
    return chosen;
  }

  /**
   * Search for the move that the strongest engine would play; null if it was cancelled meanwhile.
   * @param {string} position
   * @param {MoveSearch} move
   * @returns {Promise<ChosenMove | null>}
   */
  async findHint(position, move) {
    const entry = this.catalogue.find(this.catalogue.serverInfo.defaults.engine);
    const engine = await this.catalogue.loadEngine(entry);
    if (move.isCancelled) return null;
    const search = engine.createSearch({ engine: entry, memory_mb: MEMORY_MB });
    const chosen = await this.run(search, { position, time_s: computeSearchTimeS(HINT_S), every_column: false }, move);
    if (chosen) search.release();
    return chosen;
  }

  /**
   * @param {Search} search released if it fails or is cancelled
   * @param {SearchLimits} limits
   * @param {MoveSearch} move
   * @returns {Promise<ChosenMove | null>}
   */
  async run(search, limits, move) {
    try {
      move.task = this.queue.start(search, limits, PRIORITY.move);
      const { move: column, score } = await move.task.result;
      return { column, score };
    } catch (error) {
      search.release();
      if (move.isCancelled) return null;
      throw error;
    }
  }

  /** @param {MoveSearch | null} move */
  cancel(move) {
    if (!move) return;
    move.isCancelled = true;
    if (move.task) this.queue.cancel(move.task);
  }

  /** @param {string} gameId */
  drop(gameId) {
    this.kept.drop(gameId);
  }
}

/**
 * The search time that keeps a margin: the time per move less 50 ms and 2 %, but at most 20 % less.
 * @param {number} moveTimeS
 */
function computeSearchTimeS(moveTimeS) {
  return moveTimeS - Math.min(0.05 + 0.02 * moveTimeS, 0.2 * moveTimeS);
}

/**
 * The CRC-32 of a game's id: the random seed of its opponent, the same after a reload.
 * @param {string} text
 */
function computeSeed(text) {
  let sum = ~0;
  for (const character of text) {
    sum ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
