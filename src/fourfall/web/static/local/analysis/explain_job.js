// Explains one move with the facts and sentences of the coach; searches for a short time if scores can add something.

import { explain, listReliableColumns, needsScores } from "../coach/explain.js";
import { PRIORITY } from "./search_queue.js";

/** @import { ExplanationReply } from "../../model/explanation_messages.d.ts" */
/** @import { EngineCatalogue } from "../engine_catalogue.js" */
/** @import { SearchAnalysis, SolveRequest } from "../types.d.ts" */
/** @import { SearchQueue, SearchTask } from "./search_queue.js" */

const SEARCH_S = 0.2;
const MEMORY_MB = 32;

/** An explanation that is being computed. */
export class ExplainJob {
  /**
   * @param {string} position
   * @param {number} column a legal move
   * @param {SearchAnalysis | null} analysis the analysis of the position that the page shows, so that the explanation
   *   has the same values
   * @param {{queue: SearchQueue, catalogue: EngineCatalogue}} services
   */
  constructor(position, column, analysis, services) {
    this.position = position;
    this.column = column;
    this.analysis = analysis;
    this.services = services;
    this.isCancelled = false;
    /** @type {SearchTask | null} */
    this.task = null;
  }

  cancel() {
    this.isCancelled = true;
    if (this.task) this.services.queue.cancel(this.task);
  }

  /** @returns {Promise<ExplanationReply | null>} null if it was cancelled */
  async run() {
    const { catalogue } = this.services;
    const engine = await catalogue.loader.load();
    /** @param {SolveRequest} request */
    const solve = (request) => engine.solve(request);
    const explanation = this.explain(this.analysis, solve);
    if (this.analysis || !needsScores(explanation)) return explanation;
    const analysis = await this.search();
    return analysis && this.explain(analysis, solve);
  }

  /**
   * @param {SearchAnalysis | null} analysis
   * @param {(request: SolveRequest) => any} solve
   */
  explain(analysis, solve) {
    return explain(this.position, this.column, { columns: analysis && listReliableColumns(analysis), solve });
  }

  /** @returns {Promise<SearchAnalysis | null>} */
  async search() {
    const { catalogue, queue } = this.services;
    const entry = catalogue.find(catalogue.serverInfo.defaults.engine);
    const engine = await catalogue.loadEngine(entry);
    if (this.isCancelled) return null;
    const search = engine.createSearch({ engine: entry, memory_mb: MEMORY_MB });
    try {
      const limits = { position: this.position, time_s: SEARCH_S, every_column: true };
      this.task = queue.start(search, limits, PRIORITY.explanation);
      return await this.task.result;
    } catch (error) {
      if (this.isCancelled) return null;
      throw error;
    } finally {
      search.release();
    }
  }
}
