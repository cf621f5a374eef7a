// Reviews a game from its last position to its first: scores the positions and marks moves that lose win chance.

import { GameReviewer } from "./game_reviewer.js";
import { describeFinishedGame } from "./move_review.js";
import { PRIORITY } from "./search_queue.js";

/** @import { ReviewReply, ServerMessage, Thresholds } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { EngineCatalogue } from "../engine_catalogue.js" */
/** @import { EngineEntry, Search } from "../types.d.ts" */
/** @import { SearchResult } from "./move_review.js" */
/** @import { SearchQueue, SearchTask } from "./search_queue.js" */

const MEMORY_MB = 64;

/**
 * @typedef {object} ReviewSettings
 * @property {string | null} game
 * @property {Position} last the last position
 * @property {number} startPly number of stones before the first reviewed move
 * @property {EngineEntry} entry
 * @property {number} moveTimeS
 * @property {Thresholds} thresholds
 * @property {boolean} isBackground
 */

/** A running review. `stop` ends it with a last reply, `cancel` without one. */
export class ReviewJob {
  /**
   * @param {ReviewSettings} settings
   * @param {{queue: SearchQueue, catalogue: EngineCatalogue}} services
   * @param {(reply: ServerMessage) => void} send
   */
  constructor(settings, services, send) {
    this.settings = settings;
    this.services = services;
    this.send = send;
    this.reviewer = new GameReviewer(settings.last, settings.startPly, settings.thresholds);
    this.isStopped = false;
    this.isCancelled = false;
    /** @type {SearchTask | null} */
    this.task = null;
  }

  stop() {
    this.isStopped = true;
    this.task?.stop();
  }

  cancel() {
    this.isCancelled = true;
    if (this.task) this.services.queue.cancel(this.task);
  }

  /** Search all positions, sending a reply after each. @returns {Promise<ReviewReply | null>} null if cancelled */
  async run() {
    const { reviewer } = this;
    const { entry } = this.settings;
    const engine = await this.services.catalogue.loadEngine(entry);
    if (this.isCancelled) return null;
    const search = engine.createSearch({ engine: entry, memory_mb: MEMORY_MB });
    try {
      while (!this.isStopped && !reviewer.isComplete) {
        reviewer.add(await this.searchPosition(search));
        if (!reviewer.isComplete) this.send(this.describe());
      }
    } catch (error) {
      if (!this.isCancelled) throw error;
      return null;
    } finally {
      search.release();
    }
    const last = this.describe();
    this.send(last);
    return last;
  }

  /**
   * @param {Search} search
   * @returns {Promise<SearchResult>}
   */
  async searchPosition(search) {
    const { position } = this.reviewer;
    if (position.isOver) return describeFinishedGame(position);
    const { moveTimeS, entry, isBackground } = this.settings;
    const limits = {
      position: position.notation,
      time_s: moveTimeS,
      simulations: entry.simulations,
      every_column: false,
    };
    this.task = this.services.queue.start(search, limits, isBackground ? PRIORITY.background : PRIORITY.analysis);
    return this.task.result;
  }

  /** @returns {ReviewReply} */
  describe() {
    const { reviewer, settings } = this;
    return {
      type: "review",
      game: settings.game,
      position: settings.last.notation,
      start: settings.last.rewindTo(settings.startPly).notation,
      engine: settings.entry.name,
      done: reviewer.done,
      total: reviewer.total,
      finished: reviewer.isComplete,
      stopped: this.isStopped && !reviewer.isComplete,
      moves: [...reviewer.moves],
      final: reviewer.final,
      accuracy: reviewer.computeAccuracies(),
      turning_points: reviewer.findTurningPoints(),
      thresholds: settings.thresholds,
      move_time_s: settings.moveTimeS,
    };
  }
}
