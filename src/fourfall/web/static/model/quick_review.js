// Fills the evaluation graph of an opened game: a review with a short time for each position, sent without a click.

import { toFirstPlayer } from "./scores.js";

/** @import { App } from "../app.js" */
/** @import { GameNode, GameTree } from "./game_tree.js" */
/** @import { ServerMessage } from "./messages.d.ts" */

const DELAY_MS = 700;
const MOVE_TIME_S = 0.05;

export class QuickReview {
  /**
   * @param {App} app
   * @param {() => void} onChange called when positions have new scores
   */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
    /** @type {GameTree | null} */
    this.reviewedTree = null;
    this.isRunning = false;
    this.timer = 0;
  }

  /**
   * Schedule the review of a game, once for each tree, if at most half of its positions have scores.
   * @param {GameTree} tree
   */
  schedule(tree) {
    const nodes = tree.mainLine;
    const scored = nodes.filter((node) => node.score).length;
    if (this.reviewedTree === tree || nodes.length < 3 || scored > nodes.length / 2) return;
    this.stop();
    this.timer = setTimeout(() => this.request(tree, nodes), DELAY_MS);
  }

  /**
   * @param {GameTree} tree
   * @param {GameNode[]} nodes
   */
  request(tree, nodes) {
    if (this.app.views.review.job) return;
    this.reviewedTree = tree;
    const position = nodes[nodes.length - 1].position.notation;
    const ref = this.app.connection.send(
      { type: "review", position, move_time_s: MOVE_TIME_S },
      { onReply: (reply) => this.receive(reply, nodes) },
    );
    this.isRunning = ref !== null;
  }

  /**
   * Set the scores that are still missing. Returns false while more replies follow.
   * @param {ServerMessage} reply
   * @param {GameNode[]} nodes
   */
  receive(reply, nodes) {
    if (reply.type === "error") this.isRunning = false;
    if (reply.type !== "review") return reply.type === "error";
    for (const move of reply.moves) nodes[move.ply].score ??= toFirstPlayer(move.score_before, move.player);
    const last = nodes[nodes.length - 1];
    if (reply.final) last.score ??= toFirstPlayer(reply.final, last.position.turn);
    this.isRunning = !(reply.finished || reply.stopped);
    this.onChange();
    return !this.isRunning;
  }

  stop() {
    clearTimeout(this.timer);
    if (this.isRunning) this.app.connection.send({ type: "stop_review" });
    this.isRunning = false;
  }
}
