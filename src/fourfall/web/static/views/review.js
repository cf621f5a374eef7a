// The view Review: requests a review of the whole game and attaches its findings to the moves.

import { keepMistakes } from "../model/mistake_keeper.js";
import { classifyMove } from "../model/mistakes.js";
import { COLUMN_NAMES } from "../model/position.js";
import { ReviewSettings } from "../model/review_settings.js";
import { el, replaceContent } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { MoveReason } from "../ui/move_reason.js";
import { announce, showError } from "../ui/notifications.js";
import { createShareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { BetterLine } from "./better_line.js";
import { Retry } from "./retry.js";
import { createComment } from "./review_comment.js";
import { createMistakeList, createReviewPanel } from "./review_panel.js";
import { formatComment } from "./review_text.js";

/** @import { App } from "../app.js" */
/** @import { GameNode } from "../model/game_tree.js" */
/** @import { ErrorInfo, MistakeKind, QueuedReply, ReviewReply } from "../model/messages.d.ts" */
/** @import { BoardOptions } from "../ui/board.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

/**
 * A running review: `line` holds the positions it is about, `queuePlace` is its place in the queue.
 * @typedef {{ref: string | null, done: number, total: number, queuePlace: number | null, line: GameNode[]}} RunningReview
 */

export class ReviewView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.viewer = app.viewer;
    this.settings = new ReviewSettings(app);
    /** @type {RunningReview | null} */
    this.job = null;
    /** The reviews of variations by their last position. @type {WeakMap<GameNode, ReviewReply>} */
    this.variationResults = new WeakMap();
    /** @type {Retry | null} */
    this.retry = null;
    this.isActive = false;
    this.isThresholdsOpen = false;
    this.panel = el("section", { class: "card review-panel" });
    this.mistakes = el("div", { class: "stack" });
    this.actions = el("div", { class: "row" });
    /** @type {BetterLine | null} */
    this.better = null;
    this.comment = el("section", { class: "card tight move-comment" });
    this.reason = new MoveReason(app.connection, () => this.isActive && this.viewer.drawBoard({ skipAnimation: true }));
    this.sidebar = el("div", { class: "stack" });
    this.viewer.onChange(() => this.isActive && this.handleSelection());
    app.connection.on("review", (message) => this.receive(message));
    app.connection.on("queued", (message) => this.receiveQueued(message));
    app.connection.on("analysis", (message) => this.retry?.receive(message));
  }

  /** The review of the game or, while a variation is selected, of the variation. @returns {ReviewReply | null} */
  get result() {
    const { viewer } = this;
    if (viewer.branchPly === null) return viewer.info.review ?? null;
    const line = viewer.tree.currentLine;
    return this.variationResults.get(line[line.length - 1]) ?? null;
  }

  /** Whether there is something to comment: a review of the game or of the selected variation. */
  get hasComments() {
    return this.retry !== null || Boolean(this.viewer.info.review) || this.result !== null;
  }

  /** The move that the comment is about: in the better line, the mistake that the line replaces. */
  get commentedNode() {
    const { viewer } = this;
    const { branchPly, gameLine, current } = viewer;
    if (this.retry) return this.retry.node;
    if (branchPly === null || current.review) return current;
    if (this.better?.contains(current)) return this.better.mistake;
    const replaced = gameLine[branchPly + 1];
    return replaced && this.isBetterLine(replaced) ? replaced : current;
  }

  enter() {
    const { viewer } = this;
    this.isActive = true;
    viewer.getBoardOptions = () => this.getBoardOptions();
    viewer.getMark = (node) => this.getMark(node);
    viewer.describeMove = ({ review }) =>
      review ? formatComment(review, classifyMove(review, this.settings.thresholds)) : "";
    viewer.view = "review";
    this.render();
    viewer.draw();
    this.handleSelection();
  }

  leave() {
    this.endRetry();
    this.isActive = false;
    this.viewer.describeMove = () => "";
    this.app.quickReview.stop();
  }

  handleReconnect() {
    this.app.quickReview.handleReconnect();
    if (this.job) this.start();
    this.retry?.handleReconnect();
  }

  render() {
    const { viewer, app } = this;
    viewer.bar.element.hidden = false;
    viewer.graph.element.hidden = false;
    viewer.board.columnValues.hidden = true;
    replaceContent(
      this.sidebar,
      this.comment,
      viewer.createCard(app.getViewerTitle(), this.mistakes),
      this.panel,
      el(
        "section",
        { class: "card" },
        this.actions,
        createShareButtons(() => ({ position: viewer.sharedPosition, ply: viewer.current.ply, gameId: viewer.gameId })),
      ),
    );
    this.renderPanel();
    this.renderComment();
    app.mount("review", viewer.element, this.sidebar);
  }

  renderActions() {
    const { viewer, app } = this;
    replaceContent(this.actions, [
      createButton("analyse", t("game.analyse"), () => app.openAnalyse()),
      createButton("play-from-here", t("game.play_from_here"), () => app.playFrom(viewer.position), {
        disabled: viewer.position.isOver,
      }),
      createButton("open-other", t("review.open_other"), () => app.open("games")),
    ]);
  }

  renderPanel() {
    if (!this.isActive) return;
    replaceContent(this.panel, createReviewPanel(this));
    replaceContent(this.mistakes, createMistakeList(this));
    this.renderActions();
  }

  /** Before the first review the panel is more important than the comment. */
  renderComment() {
    this.explain();
    this.comment.setAttribute("aria-label", t("review.comment"));
    this.comment.hidden = !this.hasComments;
    this.sidebar.classList.toggle("not-reviewed", !this.hasComments);
    replaceContent(this.comment, this.hasComments ? createComment(this) : null);
  }

  /** Explain the commented move if it is a mistake; not while the user looks for a better move. */
  explain() {
    const node = this.commentedNode;
    const isExplained = !this.retry && node.parent !== null && this.getMark(node) !== "";
    const move = isExplained && node.parent ? { position: node.parent.position, column: node.column } : null;
    this.reason.show(move && { ...move, isDrawn: true, isAnnounced: true, hidesComparison: true });
  }

  handleSelection() {
    if (this.retry && this.viewer.current !== this.retry.parent) this.endRetry();
    this.removeBetterLine();
    this.viewer.updateAddress();
    if (!this.job) this.app.quickReview.schedule(this.viewer.tree);
    this.renderPanel();
    this.renderComment();
  }

  /**
   * @param {MistakeKind} kind
   * @param {number} value
   */
  setThreshold(kind, value) {
    this.settings.setThreshold(kind, value);
    this.renderPanel();
    this.viewer.draw();
    this.renderComment();
  }

  /**
   * The kind of mistake by the current thresholds; "" for a good move.
   * @param {GameNode} node
   * @returns {"" | MistakeKind}
   */
  getMark({ review }) {
    return review ? classifyMove(review, this.settings.thresholds) : "";
  }

  /** The mistakes of the game or, while a reviewed variation is selected, of the variation. */
  listMistakes() {
    const { viewer } = this;
    const { branchPly } = viewer;
    const isVariation = branchPly !== null && this.result !== null;
    const line = isVariation ? viewer.tree.currentLine.slice(branchPly + 1) : viewer.gameLine;
    return line.filter((node) => this.getMark(node));
  }

  /**
   * The next mistake after the commented move, or the previous one.
   * @param {1 | -1} direction
   */
  findMistake(direction) {
    const { ply } = this.commentedNode;
    const mistakes = this.listMistakes();
    if (direction > 0) return mistakes.find((node) => node.ply > ply) ?? null;
    return mistakes.findLast((node) => node.ply < ply) ?? null;
  }

  /** @param {GameNode | null} node */
  selectMistake(node) {
    if (!node?.review) return;
    this.viewer.select(node);
    this.comment.scrollIntoView({ block: "nearest" });
    announce(`${t("move.at", node.ply, COLUMN_NAMES[node.column])} ${formatComment(node.review, this.getMark(node))}`);
  }

  /** Review the game or, while a variation is selected, the moves of the variation. */
  start() {
    const { viewer } = this;
    const { branchPly, gameId } = viewer;
    const line = branchPly === null ? viewer.gameLine : viewer.tree.currentLine;
    const position = line[line.length - 1].position.notation;
    const game = gameId ? { game: gameId } : { position, start_ply: branchPly ?? 0 };
    this.app.quickReview.end();
    const ref = this.app.connection.send(
      {
        type: "review",
        ...game,
        engine: this.settings.engine,
        move_time_s: this.settings.moveTime,
        thresholds: this.settings.thresholds,
      },
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
  receiveQueued({ what, place, ref }) {
    if (what !== "review" || !this.job || ref !== this.job.ref) return;
    this.job.queuePlace = place;
    this.renderPanel();
  }

  /** @param {ReviewReply} message */
  receive(message) {
    if (!this.job || message.ref !== this.job.ref) return;
    const { line } = this.job;
    Object.assign(this.job, { done: message.done, total: message.total, queuePlace: null });
    if (line[0] === this.viewer.tree.root) this.applyResult(message, line);
    if (message.finished) announce(t("review.done", this.listMistakes().length));
    if (message.finished || message.stopped) this.job = null;
    if (!this.isActive) return;
    this.renderPanel();
    this.viewer.draw();
    this.renderComment();
  }

  /**
   * Store a review of the game or of a variation.
   * @param {ReviewReply} result
   * @param {GameNode[]} line
   */
  applyResult(result, line) {
    const { viewer } = this;
    const last = line[line.length - 1];
    if (last === viewer.gameLine[viewer.gameLine.length - 1]) viewer.info.review = result;
    else this.variationResults.set(last, result);
    viewer.applyReview(result, line);
    if (result === viewer.info.review && result.finished)
      keepMistakes(line, viewer.info.names, this.settings.thresholds);
  }

  /**
   * Show the better move beside a mistake; while the user retries, the replies to the tried move.
   * @returns {BoardOptions}
   */
  getBoardOptions() {
    if (this.retry) return this.retry.boardOptions;
    const { review, parent, position } = this.viewer.current;
    if (!review || !parent || !this.getMark(this.viewer.current)) return {};
    this.explain();
    const { best, player } = review;
    const row = parent.position.findLandingRow(best);
    const { fact = null, previewStones: sequence = [] } = this.reason.getBoardOptions(position);
    const isFree = position.isFree(row, best) && !sequence.some((stone) => stone.row === row && stone.column === best);
    const better = isFree ? [{ row, column: best, player, label: "★" }] : [];
    return { fact, previewStones: [...better, ...sequence] };
  }

  /**
   * Whether the selected position is in the variation with the better moves.
   * @param {GameNode} node the position after the mistake
   */
  isBetterLine(node) {
    const { branchPly, tree } = this.viewer;
    if (this.better?.mistake === node && this.better.contains(this.viewer.current)) return true;
    if (branchPly === null || branchPly + 1 !== node.ply || !node.review) return false;
    return tree.currentLine[node.ply]?.column === node.review.best;
  }

  /**
   * Show the better moves as a variation and select one of its positions.
   * @param {GameNode} node the position after the mistake
   * @param {number} [count] the number of better moves to play
   */
  showBetterLine(node, count = 1) {
    const { parent, review } = node;
    if (!parent || !review) return;
    this.endRetry();
    this.better?.remove();
    this.better = new BetterLine(this.viewer.tree, node, parent, review, count);
    this.viewer.update();
    this.comment.scrollIntoView({ block: "nearest" });
  }

  removeBetterLine() {
    if (!this.better || this.better.contains(this.viewer.current)) return;
    this.better.remove();
    this.better = null;
    this.viewer.draw();
  }

  /** @param {GameNode} node the position after the mistake */
  startRetry(node) {
    const { viewer } = this;
    if (!node.review || !node.parent) return;
    viewer.select(node.parent);
    this.retry = new Retry(this, node, node.review, node.parent);
    viewer.onColumn = (column) => this.retry?.chooseColumn(column);
    announce(this.retry.question);
    this.renderPanel();
    this.renderRetry();
  }

  renderRetry() {
    const { viewer } = this;
    const hadFocus = this.comment.contains(document.activeElement);
    viewer.shown = this.retry?.shown ?? null;
    viewer.draw();
    this.renderComment();
    this.comment.scrollIntoView({ block: "nearest" });
    if (!hadFocus || this.comment.contains(document.activeElement)) return;
    const button = this.comment.querySelector("button:enabled");
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  endRetry() {
    if (!this.retry) return;
    this.retry = null;
    this.viewer.onColumn = null;
    this.viewer.shown = null;
    if (this.isActive) this.viewer.draw();
  }

  retryNextMistake() {
    const node = this.findMistake(1);
    if (node) this.startRetry(node);
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    const { playColumn, keys } = this.viewer.getShortcuts();
    const endRetry = () => this.retry && this.viewer.select(this.retry.node);
    const node = this.commentedNode;
    return {
      playColumn,
      keys: {
        ...keys,
        n: () => this.selectMistake(this.findMistake(1)),
        p: () => this.selectMistake(this.findMistake(-1)),
        r: () => this.getMark(node) && this.startRetry(node),
        s: () => node.review && this.showBetterLine(node),
        Escape: () => (this.retry ? endRetry() : this.viewer.returnToGame()),
      },
    };
  }
}
