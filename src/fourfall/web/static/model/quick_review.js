// Evaluates all positions of an opened game in the background: a review by one engine with a short time for each
// position. It fills the graph and the bar of a game that has no review.

import { toFirstPlayer } from "./scores.js";

/** @import { App } from "../app.js" */
/** @import { GameNode, GameTree } from "./game_tree.js" */
/** @import { ReviewReply, ServerMessage } from "./messages.d.ts" */

const DELAY_MS = 700;
const BUSY_DELAY_MS = 5000;
const MOVE_TIME_S = 0.05;

export class QuickReview {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {GameTree | null} */
    this.tree = null;
    /** The message that requested the running review. @type {string | null} */
    this.ref = null;
    this.timer = 0;
  }

  get isRunning() {
    return this.ref !== null;
  }

  /**
   * Start the evaluation of a game after a short delay, unless it runs or all positions have scores.
   * @param {GameTree} tree
   * @param {number} [delay] in milliseconds
   */
  schedule(tree, delay = DELAY_MS) {
    this.discardOtherEngine();
    if (this.tree === tree && (this.isRunning || this.timer)) return;
    this.stop();
    if (!this.listMissing().length) return;
    this.tree = tree;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.request();
    }, delay);
  }

  /** Forget the scores of a quick evaluation by another engine than the chosen one: all must be of one engine. */
  discardOtherEngine() {
    const { viewer, views } = this.app;
    if (viewer.evaluation?.source !== "quick" || viewer.evaluation.engine === views.analyse.engine) return;
    this.stop();
    viewer.evaluation = null;
    for (const node of viewer.gameLine) node.score = null;
  }

  /** The positions of the game that have no score, at the end of the game also no result. */
  listMissing() {
    const { gameLine } = this.app.viewer;
    if (gameLine.length < 2) return [];
    return gameLine.filter((node) => !node.score && !node.position.isOver);
  }

  /** Request the review from the last position without a score to the start. */
  request() {
    const { viewer, views, connection } = this.app;
    const missing = this.listMissing();
    const last = missing[missing.length - 1];
    if (!last || views.review.job) return;
    if (views.play.turningPoint.isSearching) {
      if (this.tree) this.schedule(this.tree);
      return;
    }
    const line = viewer.gameLine.slice(0, last.ply + 1);
    this.ref = connection.send(
      {
        type: "review",
        position: last.position.notation,
        engine: views.analyse.engine,
        move_time_s: MOVE_TIME_S,
        background: true,
      },
      { onReply: (reply) => this.receive(reply, line) },
    );
    if (!this.isRunning) return;
    viewer.evaluation = { source: "quick", engine: views.analyse.engine, isRunning: true, queuePlace: null };
    viewer.drawScores();
  }

  /**
   * Handle a reply. Returns false while more replies follow.
   * @param {ServerMessage} reply
   * @param {GameNode[]} line
   */
  receive(reply, line) {
    if (reply.ref !== this.ref) return true;
    const { evaluation } = this.app.viewer;
    if (reply.type === "error") {
      this.end();
      if (reply.code === "busy" && this.tree) this.schedule(this.tree, BUSY_DELAY_MS);
      return true;
    }
    if (reply.type === "queued" && evaluation) evaluation.queuePlace = reply.place;
    if (reply.type === "review") {
      if (evaluation) evaluation.queuePlace = null;
      applyScores(reply, line);
      if (reply.finished || reply.stopped) this.end();
    }
    this.app.viewer.drawScores();
    return !this.isRunning;
  }

  /** Stop the evaluation; the scores so far are kept, and `schedule` continues with the others. */
  stop() {
    if (this.isRunning) this.app.connection.send({ type: "stop_review" });
    this.end();
  }

  /** Continue an evaluation that a lost connection interrupted. */
  handleReconnect() {
    const { isRunning, tree } = this;
    this.end();
    if (isRunning && tree) this.schedule(tree);
  }

  /** Forget the running request: it is over, or the server has replaced it by another review. */
  end() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.ref = null;
    const { evaluation } = this.app.viewer;
    if (evaluation?.source === "quick") evaluation.isRunning = false;
  }
}

/**
 * Set the scores that are still missing.
 * @param {ReviewReply} review
 * @param {GameNode[]} line
 */
function applyScores(review, line) {
  for (const move of review.moves) line[move.ply].score ??= toFirstPlayer(move.score_before, move.player);
  const last = line[line.length - 1];
  if (review.final) last.score ??= toFirstPlayer(review.final, last.position.turn);
}
