// The view Review: requests a review of the whole game and attaches its findings to the moves.

import { classifyLoss, replaceThreshold } from "../model/mistakes.js";
import { formatPositionFragment } from "../model/routes.js";
import { toFirstPlayer } from "../model/scores.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el, replaceContent } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { previewMoves } from "../ui/game_viewer.js";
import { announce, showError } from "../ui/notifications.js";
import { createShareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { createMoveComment, createReviewPanel } from "./review_panel.js";

/** @import { App } from "../app.js" */
/** @import { GameNode } from "../model/game_tree.js" */
/** @import { ErrorInfo, MistakeKind, QueuedReply, ReviewReply, Thresholds } from "../model/messages.d.ts" */
/** @import { BoardOptions } from "../ui/board.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

const DEFAULT_THRESHOLDS = { inaccuracy: 0.08, mistake: 0.16, blunder: 0.3 };
const DEFAULT_MOVE_TIME_S = 0.2;

/** @typedef {{engine: string | null, move_time_s: number | null, thresholds: Thresholds | null}} ReviewSettings */
/**
 * A running review: `line` holds the positions it is about, `queuePlace` is its place in the queue.
 * @typedef {{ref: string | null, done: number, total: number, queuePlace: number | null, line: GameNode[]}} RunningReview
 */

export class ReviewView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.viewer = app.viewer;
    /** @type {ReviewSettings} */
    this.settings = { engine: null, move_time_s: null, thresholds: null, ...loadSetting("review", {}) };
    /** @type {RunningReview | null} */
    this.job = null;
    this.isActive = false;
    this.isThresholdsOpen = false;
    this.panel = el("section", { class: "card" });
    this.comment = el("div", { class: "stack move-comment" });
    this.sidebar = el("div", { class: "stack" });
    this.viewer.onChange(() => this.isActive && this.handleSelection());
    app.connection.on("review", (message) => this.receive(message));
    app.connection.on("queued", (message) => this.receiveQueued(message));
  }

  get thresholds() {
    return this.settings.thresholds ?? this.app.welcome?.defaults.thresholds ?? DEFAULT_THRESHOLDS;
  }

  get moveTime() {
    return this.settings.move_time_s ?? this.app.welcome?.defaults.review_move_time_s ?? DEFAULT_MOVE_TIME_S;
  }

  get engine() {
    return this.settings.engine ?? this.app.welcome?.defaults.engine ?? "fourfall";
  }

  get result() {
    return this.viewer.info.review ?? null;
  }

  enter() {
    const { viewer } = this;
    this.isActive = true;
    viewer.getBoardOptions = () => this.getBoardOptions();
    viewer.getMark = (node) => this.getMark(node);
    viewer.getFragment = (position, ply) => {
      if (!viewer.gameId) return `#review=${formatPositionFragment(position, ply).slice(1)}`;
      return `#review=${viewer.gameId}${ply === position.moves.length ? "" : `&ply=${ply}`}`;
    };
    if (this.result) this.applyResult(this.result, viewer.tree.mainLine);
    this.render();
    viewer.draw();
    this.handleSelection();
  }

  leave() {
    this.isActive = false;
  }

  /** Start the unfinished review again. */
  handleReconnect() {
    if (this.job) this.start();
  }

  render() {
    const { viewer, app } = this;
    viewer.bar.element.hidden = false;
    viewer.graph.element.hidden = false;
    viewer.board.columnValues.hidden = true;
    const actions = [
      createButton("analyse", t("game.analyse"), () => app.openAnalyse()),
      createButton("open-other", t("review.open_other"), () => app.open("games"), { variant: "secondary" }),
    ];
    replaceContent(
      this.sidebar,
      this.panel,
      viewer.createCard(app.getViewerTitle(), this.comment),
      el(
        "section",
        { class: "card" },
        el("div", { class: "row" }, actions),
        createShareButtons(() => ({ position: viewer.lastPosition, ply: viewer.current.ply, gameId: viewer.gameId })),
      ),
    );
    this.renderPanel();
    this.renderComment();
    app.mount("review", viewer.element, this.sidebar);
  }

  renderPanel() {
    if (this.isActive) replaceContent(this.panel, createReviewPanel(this));
  }

  renderComment() {
    replaceContent(this.comment, createMoveComment(this, this.viewer.current));
  }

  handleSelection() {
    this.viewer.updateAddress();
    this.renderComment();
  }

  /** @param {Partial<ReviewSettings>} change */
  changeSettings(change) {
    Object.assign(this.settings, change);
    saveSetting("review", this.settings);
  }

  /**
   * @param {MistakeKind} kind
   * @param {number} value
   */
  setThreshold(kind, value) {
    if (value > 0 && value <= 1) this.changeSettings({ thresholds: replaceThreshold(this.thresholds, kind, value) });
    this.renderPanel();
    this.viewer.draw();
    this.renderComment();
  }

  /**
   * The kind of mistake by the current thresholds; "" for a good move.
   * @param {GameNode} node
   * @returns {"" | MistakeKind}
   */
  getMark({ review, column }) {
    return review && review.best !== column ? classifyLoss(review.loss, this.thresholds) : "";
  }

  listMistakes() {
    return this.viewer.tree.mainLine.filter((node) => this.getMark(node));
  }

  start() {
    const { viewer } = this;
    const line = viewer.tree.isOnMainLine ? viewer.tree.mainLine : viewer.tree.currentLine;
    const game = viewer.gameId ? { game: viewer.gameId } : { position: line[line.length - 1].position.notation };
    const ref = this.app.connection.send(
      { type: "review", ...game, engine: this.engine, move_time_s: this.moveTime, thresholds: this.thresholds },
      {
        waitForConnection: true,
        onReply: (message) => message.type === "error" && this.endJob(message),
      },
    );
    this.job = { ref, done: 0, total: 0, queuePlace: null, line };
    this.renderPanel();
  }

  cancel() {
    this.app.connection.send({ type: "stop_review" });
    this.endJob();
  }

  /** @param {ErrorInfo | null} [error] */
  endJob(error = null) {
    this.job = null;
    if (error) showError(error);
    this.renderPanel();
  }

  /** @param {QueuedReply} message */
  receiveQueued({ what, place }) {
    if (what !== "review" || !this.job) return;
    this.job.queuePlace = place;
    this.renderPanel();
  }

  /** @param {ReviewReply} message */
  receive(message) {
    if (!this.job || message.ref !== this.job.ref) return;
    const { line } = this.job;
    Object.assign(this.job, { done: message.done, total: message.total, queuePlace: null });
    if (line[0] === this.viewer.tree.root) {
      this.viewer.info.review = message;
      this.applyResult(message, line);
    }
    if (message.finished || message.stopped) {
      this.job = null;
      if (message.finished) announce(t("review.done", this.listMistakes().length));
    }
    if (!this.isActive) return;
    this.renderPanel();
    this.viewer.draw();
    this.renderComment();
  }

  /**
   * Attach the findings of a review to the positions of a line.
   * @param {ReviewReply} result
   * @param {GameNode[]} line
   */
  applyResult(result, line) {
    for (const move of result.moves) {
      const node = line[move.ply + 1];
      if (node?.column !== move.column) continue;
      node.review = move;
      line[move.ply].score = toFirstPlayer(move.score_before, move.player);
    }
    const last = line[line.length - 1];
    if (result.final) last.score = toFirstPlayer(result.final, last.position.turn);
  }

  /**
   * Show the better move beside a mistake.
   * @returns {BoardOptions}
   */
  getBoardOptions() {
    const { review, parent, position } = this.viewer.current;
    if (!review || !parent || !this.getMark(this.viewer.current)) return {};
    const { best, player } = review;
    const row = parent.position.findLandingRow(best);
    return position.isFree(row, best) ? { previewStones: [{ row, column: best, player, label: "★" }] } : {};
  }

  /**
   * Add the better moves as a variation and select its first move.
   * @param {GameNode} node
   */
  showBetterMoves(node) {
    const { tree } = this.viewer;
    const { parent, review } = node;
    if (!parent || !review) return;
    tree.select(parent);
    const columns = review.pv[0] === review.best ? review.pv : [review.best];
    for (const { column } of previewMoves(parent.position, columns)) tree.play(column);
    const better = parent.children.find((child) => child.column === review.best);
    if (better) this.viewer.select(better);
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return this.viewer.getShortcuts();
  }
}
