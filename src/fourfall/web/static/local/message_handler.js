// Carries out the messages of the page in its worker: games, analysis, review, hint and explanations.

import { AnalysisJob } from "./analysis/analysis_job.js";
import { ExplainJob } from "./analysis/explain_job.js";
import { KeptSearches } from "./analysis/kept_searches.js";
import { ReviewJob } from "./analysis/review_job.js";
import { SearchQueue } from "./analysis/search_queue.js";
import { requireLegalMove } from "./play/game.js";
import { MoveSearch, Opponents } from "./play/opponents.js";
import { Sessions } from "./play/sessions.js";
import { RequestError, toRequestError } from "./request_error.js";

/** @import { ClientMessage, ServerMessage } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { EngineCatalogue } from "./engine_catalogue.js" */
/** @import { Games } from "./types.d.ts" */
/** @import { Session } from "./play/sessions.js" */

/** @typedef {ClientMessage & {ref?: string}} Received */
/** @typedef {Extract<ClientMessage, {type: "analyse"}> & {ref?: string}} AnalyseMessage */
/** @typedef {Extract<ClientMessage, {type: "explain"}> & {ref?: string}} ExplainMessage */
/** @typedef {Extract<ClientMessage, {type: "review"}> & {ref?: string}} ReviewMessage */
/** @typedef {Extract<ClientMessage, {game: string}> & {ref?: string}} GameMessage */
/** @typedef {{cancel(): void, stop?(): void}} Job */

const KEPT_ANALYSES = 1;

export class MessageHandler {
  /**
   * @param {object} services
   * @param {Games} services.games
   * @param {EngineCatalogue} services.catalogue
   * @param {(message: ServerMessage) => void} send
   */
  constructor({ games, catalogue }, send) {
    this.games = games;
    this.catalogue = catalogue;
    this.send = send;
    this.queue = new SearchQueue();
    this.kept = new KeptSearches(KEPT_ANALYSES);
    const opponents = new Opponents(this.queue, catalogue);
    this.sessions = new Sessions({ games, opponents, catalogue }, send);
    /** The last job of each kind; a new one replaces it. @type {Map<string, Job>} */
    this.jobs = new Map();
    /** Messages are carried out in their order. @type {Promise<void>} */
    this.lastMessage = Promise.resolve();
  }

  welcome() {
    this.send({ type: "welcome", ref: null, ...this.catalogue.serverInfo });
  }

  /** @param {Received} message */
  receive(message) {
    const ref = message.ref ?? null;
    this.lastMessage = this.lastMessage.then(() => this.handle(message)).catch((error) => this.sendError(error, ref));
  }

  /**
   * @param {Received} message
   * @returns {Promise<void>}
   */
  async handle(message) {
    const ref = message.ref ?? null;
    switch (message.type) {
      case "new":
        return this.sendSession(await this.sessions.create(message), ref);
      case "leave":
        return this.sessions.leave(message.game);
      case "analyse":
        return this.startAnalysis(message);
      case "explain":
        return this.startExplanation(message);
      case "review":
        return this.startReview(message);
      case "stop":
        return this.jobs.get("analysis")?.stop?.();
      case "stop_review":
        return this.jobs.get("review")?.stop?.();
      case "ping":
        return this.send({ type: "pong", ref });
      case "unwatch":
        return undefined;
      case "watch":
        throw new RequestError("needs_program");
      default:
        return this.handleGame(message);
    }
  }

  /** @param {GameMessage} message */
  async handleGame(message) {
    const ref = message.ref ?? null;
    let session = await this.sessions.find(message.game);
    switch (message.type) {
      case "open":
        break;
      case "move":
        await this.sessions.play(session, message.ply, message.column);
        break;
      case "undo":
      case "redo":
      case "resign":
        await this.sessions.change(session, message.type);
        break;
      case "rematch":
        session = await this.sessions.createRematch(session);
        break;
      case "hint":
        return this.startHint(session, ref);
      default:
        throw new RequestError("bad_message", { problem: `unknown type ${message.type}` });
    }
    return this.sendSession(session, ref);
  }

  /**
   * @param {Session} session
   * @param {string | null} ref
   */
  sendSession(session, ref) {
    for (const reply of session.listReplies()) this.send(/** @type {ServerMessage} */ ({ ...reply, ref }));
  }

  /**
   * @param {Session} session
   * @param {string | null} ref
   */
  startHint(session, ref) {
    const search = new MoveSearch();
    this.startJob("hint", { cancel: () => this.sessions.opponents.cancel(search) }, ref, async () => {
      const hint = await this.sessions.findHint(session, search);
      if (hint) this.send({ ...hint, ref });
    });
  }

  /** @param {AnalyseMessage} message */
  async startAnalysis(message) {
    const entry = this.catalogue.find(message.engine);
    const position = await this.catalogue.parsePosition(message.position);
    const { queue, catalogue, kept } = this;
    const job = new AnalysisJob(message, position, entry, { queue, catalogue, kept }, this.createSender(message));
    const previous = this.jobs.get("analysis");
    if (message.resume && previous instanceof AnalysisJob) job.resume(previous);
    this.startJob("analysis", job, message.ref ?? null, () => job.run());
  }

  /** @param {ExplainMessage} message */
  async startExplanation(message) {
    const position = await this.sessions.parseUnfinished(message.position);
    requireLegalMove(position, message.column);
    const shown = this.jobs.get("analysis");
    const analysis = shown instanceof AnalysisJob && shown.notation === position.notation ? shown.analysis : null;
    const job = new ExplainJob(position.notation, message.column, analysis, this);
    this.startJob("explanation", job, message.ref ?? null, async () => {
      const reply = await job.run();
      if (reply && !job.isCancelled) this.send({ ...reply, ref: message.ref ?? null });
    });
  }

  /** @param {ReviewMessage} message */
  async startReview(message) {
    const { defaults } = this.catalogue.serverInfo;
    const entry = this.catalogue.find(message.engine ?? defaults.engine);
    const game = "game" in message ? (message.game ?? null) : null;
    const { last, startPly } = game === null ? await this.readPosition(message) : await this.readGame(game);
    const settings = {
      game,
      last,
      startPly,
      entry,
      moveTimeS: message.move_time_s ?? defaults.review_move_time_s,
      thresholds: { ...defaults.thresholds, ...message.thresholds },
      isBackground: message.background ?? false,
    };
    const job = new ReviewJob(settings, this, this.createSender(message));
    this.startJob("review", job, message.ref ?? null, async () => {
      const review = await job.run();
      if (game !== null && review?.finished) await this.games.saveReview(game, review);
    });
  }

  /**
   * @param {any} message
   * @returns {Promise<{last: Position, startPly: number}>}
   */
  async readPosition({ position, start_ply: startPly = 0 }) {
    const last = await this.catalogue.parsePosition(position);
    const stones = last.moves.length;
    if (startPly > stones) {
      const problem = `start_ply must be at most ${stones}, the number of stones, not ${startPly}`;
      throw new RequestError("bad_message", { problem });
    }
    return { last, startPly };
  }

  /**
   * @param {string} id
   * @returns {Promise<{last: Position, startPly: number}>}
   */
  async readGame(id) {
    const stored = await this.games.find(id);
    if (!stored) throw new RequestError("unknown_game", { game: id });
    const last = await this.catalogue.parsePosition(stored.position);
    return { last, startPly: last.moves.length - stored.moves.length };
  }

  /**
   * @param {Received} message
   * @returns {(reply: ServerMessage) => void}
   */
  createSender(message) {
    return (reply) => this.send(/** @type {ServerMessage} */ ({ ...reply, ref: message.ref ?? null }));
  }

  /**
   * Start a job; it replaces the last one of the same kind.
   * @param {string} kind
   * @param {Job} job
   * @param {string | null} ref
   * @param {() => Promise<unknown>} run
   */
  startJob(kind, job, ref, run) {
    this.jobs.get(kind)?.cancel();
    this.jobs.set(kind, job);
    run().catch((error) => this.sendError(error, ref));
  }

  /**
   * @param {unknown} error
   * @param {string | null} ref
   */
  sendError(error, ref) {
    this.send({ type: "error", ref, ...toRequestError(error).toInfo() });
  }
}
