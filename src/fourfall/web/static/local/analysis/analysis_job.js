// Analyses one position and sends the present result several times a second.

import { describeFinishedGame } from "./move_review.js";
import { PRIORITY } from "./search_queue.js";

/** @import { AnalysisReply, ClientMessage, ServerMessage } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { EngineCatalogue } from "../engine_catalogue.js" */
/** @import { EngineEntry, Search, SearchAnalysis } from "../types.d.ts" */
/** @import { KeptSearches } from "./kept_searches.js" */
/** @import { SearchQueue, SearchTask } from "./search_queue.js" */

/** @typedef {Extract<ClientMessage, {type: "analyse"}>} AnalyseMessage */

const SNAPSHOT_MS = 120;
const MEMORY_MB = 64;
const MIN_SEARCH_S = 0.01;
const STOPPED = "stop";
const OUT_OF_TIME = "time";
let jobCounter = 0;

/** A running analysis. `stop` ends it with a last reply, `cancel` without one. */
export class AnalysisJob {
  /**
   * @param {AnalyseMessage} message
   * @param {Position} position
   * @param {EngineEntry} entry
   * @param {{queue: SearchQueue, catalogue: EngineCatalogue, kept: KeptSearches}} services
   * @param {(reply: ServerMessage) => void} send
   */
  constructor(message, position, entry, services, send) {
    this.message = message;
    this.position = position;
    this.notation = position.notation;
    this.entry = entry;
    this.services = services;
    this.send = send;
    jobCounter += 1;
    this.key = String(jobCounter);
    this.isStopped = false;
    this.isCancelled = false;
    /** @type {Search | null} */
    this.search = null;
    /** @type {SearchTask | null} */
    this.task = null;
    /** Simulations and seconds of the analysis that this one continues. */
    this.earlier = { simulations: 0, seconds: 0 };
    /** The present result. @type {SearchAnalysis | null} */
    this.analysis = null;
    this.timer = 0;
  }

  /**
   * Continue the search of an earlier analysis of the same position, if its search tree was kept.
   * @param {AnalysisJob} previous
   */
  resume(previous) {
    if (previous.notation !== this.notation || previous.entry.name !== this.entry.name) return;
    this.search = this.services.kept.take(previous.key);
    if (!this.search || !previous.analysis) return;
    this.earlier = {
      simulations: previous.earlier.simulations + previous.analysis.simulations,
      seconds: previous.earlier.seconds + previous.analysis.seconds,
    };
  }

  stop() {
    this.isStopped = true;
    this.task?.stop();
  }

  cancel() {
    this.isCancelled = true;
    clearInterval(this.timer);
    if (this.task) this.services.queue.cancel(this.task);
  }

  /** Search until a limit is reached or the result is proven. */
  async run() {
    const { queue, catalogue, kept } = this.services;
    if (this.position.isOver) return this.send(this.createEmpty("over"));
    const known = await catalogue.findKnownAnalysis(this.entry, this.position);
    if (this.isCancelled) return undefined;
    if (known) return this.send(this.describe(known, true));
    const engine = await catalogue.loadEngine(this.entry);
    if (this.isCancelled) return this.search?.release();
    if (this.isStopped) return this.send(this.createEmpty(STOPPED));
    const search = this.search ?? engine.createSearch({ engine: this.entry, memory_mb: MEMORY_MB });
    let isKept = false;
    try {
      this.task = queue.start(search, this.computeLimits(), PRIORITY.analysis);
      this.timer = setInterval(() => this.sendSnapshot(search), SNAPSHOT_MS);
      const reply = this.describe(await this.task.result, true);
      clearInterval(this.timer);
      isKept = reply.can_resume;
      if (isKept) kept.keep(this.key, search);
      this.send(reply);
    } catch (error) {
      if (!this.isCancelled) throw error;
    } finally {
      clearInterval(this.timer);
      if (!isKept) search.release();
    }
  }

  computeLimits() {
    const { analysis_time_s } = this.services.catalogue.serverInfo.limits;
    const timeS = Math.min(this.message.time_s ?? analysis_time_s, analysis_time_s);
    return {
      position: this.notation,
      time_s: Math.max(timeS, MIN_SEARCH_S),
      simulations: this.entry.simulations ?? this.message.simulations ?? null,
      every_column: true,
    };
  }

  /** @param {Search} search */
  sendSnapshot(search) {
    if (this.task && this.task.usedMs > 0) this.send(this.describe(search.analysis(), false));
  }

  /**
   * @param {SearchAnalysis} analysis
   * @param {boolean} isDone
   * @returns {AnalysisReply}
   */
  describe(analysis, isDone) {
    this.analysis = analysis;
    const stoppedBy = isDone ? analysis.stopped_by : "";
    return {
      type: "analysis",
      key: this.message.key ?? "",
      position: this.notation,
      engine: this.entry.name,
      done: isDone,
      stopped_by: stoppedBy,
      can_resume: stoppedBy === OUT_OF_TIME && (this.message.time_s ?? null) === null && this.entry.can_resume,
      move: analysis.move,
      score: analysis.score,
      columns: analysis.columns,
      pv: analysis.pv,
      simulations: this.earlier.simulations + analysis.simulations,
      nodes: analysis.nodes,
      simulations_per_second: Math.round(analysis.simulations_per_second),
      depth: analysis.depth,
      seconds: Math.round(1000 * (this.earlier.seconds + analysis.seconds)) / 1000,
    };
  }

  /**
   * @param {string} stoppedBy
   * @returns {AnalysisReply}
   */
  createEmpty(stoppedBy) {
    const score = this.position.isOver ? describeFinishedGame(this.position).score : null;
    return {
      type: "analysis",
      key: this.message.key ?? "",
      position: this.notation,
      engine: this.entry.name,
      done: true,
      stopped_by: stoppedBy,
      can_resume: false,
      move: null,
      score: score ?? { win_chance: 0.5, proof: null, distance: null },
      columns: [],
      pv: [],
      simulations: 0,
      nodes: 0,
      simulations_per_second: 0,
      depth: 0,
      seconds: 0,
    };
  }
}
