// Shows one game with its variations: board, evaluation bar, graph and move list. Analyse and Review share it.

import { GameTree } from "../model/game_tree.js";
import { getShownSide } from "../model/perspective.js";
import { COLUMN_NAMES, Position } from "../model/position.js";
import { formatGameFragment, replaceFragment } from "../model/routes.js";
import { convertScore, scoreResult, toFirstPlayer } from "../model/scores.js";
import { t } from "../words/language.js";
import { getSideNames, translatePlayerNames } from "../words/player_names.js";
import { formatBoardLabel } from "../words/result_text.js";
import { BoardView } from "./board.js";
import { ColumnValues } from "./column_values.js";
import { el, replaceContent } from "./dom.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { EvaluationGraph } from "./evaluation_graph.js";
import { createEvaluationCaption, createGameFacts, createGameHeading } from "./game_header.js";
import { collectGraphData } from "./graph_data.js";
import { MoveList } from "./move_list.js";
import { announce } from "./notifications.js";
import { createPerspectiveField } from "./perspective_field.js";
import { createStepButtons, createVariationNote } from "./step_buttons.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { MistakeKind, OutcomeInfo, ReviewReply, ScoreInfo } from "../model/messages.d.ts" */
/** @import { BoardOptions } from "./board.js" */
/** @import { Children } from "./dom.js" */
/** @import { Shortcuts } from "./shortcuts.js" */

/**
 * The server's data about a game. `scores` are the players' own; they and `times_ms` do not include the opening.
 * @typedef {object} GameInfo
 * @property {string} [gameId]
 * @property {[string, string]} [names]
 * @property {(ScoreInfo | null)[]} [scores]
 * @property {(number | null)[]} [times_ms]
 * @property {ReviewReply | null} [review]
 * @property {OutcomeInfo | null} [outcome]
 * @property {number | null} [event]
 * @property {string | null} [event_name]
 */
/**
 * Where the scores of the game come from: a review, or the quick evaluation of an opened game.
 * @typedef {{source: "review" | "quick", engine: string, isRunning: boolean, queuePlace: number | null}} EvaluationInfo
 */
/** A position that is shown instead of the selected one, with the first player's score. @typedef {{position: Position, score: ScoreInfo | null}} ShownPosition */

export class GameViewer {
  constructor() {
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** The current view replaces these functions. @type {() => BoardOptions} */
    this.getBoardOptions = () => ({});
    /** @type {(node: GameNode) => "" | MistakeKind} */
    this.getMark = () => "";
    /** The view that the address names. @type {"analyse" | "review"} */
    this.view = "analyse";
    /** Words to add when a selected move is announced. @type {(node: GameNode) => string} */
    this.describeMove = () => "";
    /** Receives a column that the user chose, instead of playing it in the tree. @type {((column: number) => void) | null} */
    this.onColumn = null;
    /** @type {ShownPosition | null} */
    this.shown = null;
    /** @type {EvaluationInfo | null} */
    this.evaluation = null;
    /** The positions of a stored game; null if the main line of the tree is the game. @type {GameNode[] | null} */
    this.storedLine = null;
    this.tree = new GameTree(new Position(6, 7));
    /** @type {GameInfo} */
    this.info = {};
    this.board = new BoardView({
      onColumn: (column) => this.chooseColumn(column),
      getLabel: () => this.getBoardLabel(),
    });
    this.columnValues = new ColumnValues(this.board.columnValues, () => this.drawEvaluation());
    this.bar = new EvaluationBar();
    this.graph = new EvaluationGraph((ply) => this.selectPly(ply));
    this.moveList = new MoveList(
      (node) => this.select(node),
      (node) => this.getMark(node),
    );
    this.facts = el("p", { class: "small muted game-facts" });
    this.variationNote = el("div", { class: "row variation-note", role: "note" });
    this.steps = el("div", { class: "row steps", role: "group" });
    const boardRow = el("div", { class: "board-row" }, this.bar.element, this.board.element);
    this.perspective = el("div");
    const valuesLine = el("div", { class: "values-line" }, this.perspective, this.columnValues.note);
    this.element = el("div", { class: "board-area" }, boardRow, valuesLine, this.steps, this.variationNote);
    this.draw();
  }

  /**
   * Open a game and select its last position, or the one after `ply` stones.
   * @param {Position} position
   * @param {{ply?: number | null, info?: GameInfo}} [options]
   */
  load(position, { ply = null, info = {} } = {}) {
    this.tree = new GameTree(position);
    this.info = info;
    this.shown = null;
    this.evaluation = null;
    this.storedLine = info.gameId ? this.tree.mainLine : null;
    const openingLength = position.moves.length - (info.scores?.length ?? 0);
    this.tree.mainLine.forEach((node, index) => {
      node.time_ms = info.times_ms?.[index - openingLength - 1] ?? null;
    });
    if (info.review) this.applyReview(info.review, this.tree.mainLine);
    if (ply !== null) this.tree.select(this.tree.mainLine[Math.min(ply, position.moves.length)]);
    this.update();
  }

  /**
   * Select the end of a variation if the open game has it, or its position after `ply` stones. False if it has not.
   * @param {Position} position
   * @param {number | null} ply
   */
  selectIfKnown(position, ply) {
    const { tree } = this;
    let node = position.boardNotation === tree.root.position.boardNotation ? tree.root : undefined;
    for (const column of position.moves) node = node?.children.find((child) => child.column === column);
    if (!node || node.mainChild) return false;
    tree.select(node);
    if (ply !== null) tree.select(tree.currentLine[Math.min(ply, node.ply)]);
    this.update();
    return true;
  }

  /**
   * Select a position of the open game, or of the variation with the moves `line`, which is added if it is new.
   * @param {string | null} line
   * @param {number | null} ply null selects the last position
   */
  selectLine(line, ply) {
    const { tree, gameLine } = this;
    tree.select(line === null ? gameLine[gameLine.length - 1] : tree.root);
    for (const name of line ?? "") {
      const column = COLUMN_NAMES.indexOf(name);
      if (!tree.current.position.isLegal(column)) break;
      tree.play(column);
    }
    const last = tree.current.ply;
    if (ply !== null) tree.select((line === null ? gameLine : tree.currentLine)[Math.min(ply, last)]);
    this.update();
  }

  get isEmpty() {
    return !this.tree.root.mainChild && !this.info.gameId;
  }

  /** The id of the stored game while one of its positions is selected; null in a variation. */
  get gameId() {
    return (this.branchPly === null && this.info.gameId) || null;
  }

  /** The positions of the game, without variations. */
  get gameLine() {
    return this.storedLine ?? this.tree.mainLine;
  }

  /** The ply at which the selected variation leaves the game; null while a position of the game is selected. */
  get branchPly() {
    const { gameLine } = this;
    if (gameLine[this.current.ply] === this.current) return null;
    const line = this.tree.currentLine;
    return line.findLastIndex((node, ply) => gameLine[ply] === node);
  }

  get current() {
    return this.tree.current;
  }

  get position() {
    return this.tree.current.position;
  }

  /** The last position of the selected variation; its moves are the whole line. */
  get lastPosition() {
    return this.tree.currentLine[this.tree.currentLine.length - 1].position;
  }

  /** The last position of the line that a link contains: the game, or the variation while one of its moves is selected. */
  get sharedPosition() {
    const { branchPly, gameLine } = this;
    return branchPly === null ? gameLine[gameLine.length - 1].position : this.lastPosition;
  }

  getPlayerNames() {
    return this.info.names ? translatePlayerNames(this.info.names) : getSideNames();
  }

  /**
   * The names of the players who made the moves of the selected line: the moves of a variation are nobody's.
   * @param {GameNode} node
   */
  getMoverNames(node) {
    return this.gameLine[node.ply] === node ? this.getPlayerNames() : getSideNames();
  }

  /**
   * The winner of a game that is over at a position, null for a draw; undefined if it is not over.
   * @param {GameNode} node
   */
  findWinner(node) {
    const { position } = node;
    if (position.isOver) return position.winningCells ? position.opponent : null;
    const isLast = node === this.gameLine[this.gameLine.length - 1];
    return isLast && this.info.outcome ? this.info.outcome.winner : undefined;
  }

  /**
   * The score of a position for the first player: the result if the game is over there, otherwise the evaluation.
   * @param {GameNode} node
   * @returns {ScoreInfo | null}
   */
  getScore(node) {
    const winner = this.findWinner(node);
    return winner === undefined ? node.score : scoreResult(winner);
  }

  /**
   * "Blue won", "Draw", or "" if the game is not over at a position.
   * @param {GameNode} node
   */
  formatResult(node) {
    const winner = this.findWinner(node);
    if (winner === undefined) return "";
    return winner === null ? t("result.draw") : t("result.side_won", getSideNames()[winner]);
  }

  /**
   * Attach the findings of a review to the positions of a line.
   * @param {ReviewReply} review
   * @param {GameNode[]} line
   */
  applyReview(review, line) {
    for (const move of review.moves) {
      const node = line[move.ply + 1];
      if (node?.column !== move.column) continue;
      node.review = move;
      line[move.ply].score = toFirstPlayer(move.score_before, move.player);
    }
    const last = line[line.length - 1];
    if (review.final) last.score = toFirstPlayer(review.final, last.position.turn);
    if (line[line.length - 1] !== this.gameLine[this.gameLine.length - 1]) return;
    const isRunning = !(review.finished || review.stopped);
    this.evaluation = { source: "review", engine: review.engine, isRunning, queuePlace: null };
  }

  /** @param {() => void} listener called after a selection */
  onChange(listener) {
    this.listeners.add(listener);
  }

  update() {
    this.draw();
    for (const listener of this.listeners) listener();
  }

  /** @param {number} column */
  chooseColumn(column) {
    if (this.onColumn) this.onColumn(column);
    else this.play(column);
  }

  /** @param {number} column */
  play(column) {
    if (!this.position.isLegal(column)) {
      announce(this.position.isOver ? t("result.over") : t("board.column_full", COLUMN_NAMES[column]));
      return;
    }
    const side = getSideNames()[this.position.turn];
    this.tree.play(column);
    announce(t("move.played", side, COLUMN_NAMES[column]));
    this.update();
  }

  /** @param {GameNode} node */
  select(node) {
    this.tree.select(node);
    this.update();
  }

  /** @param {number} ply */
  selectPly(ply) {
    const line = this.branchPly === null ? this.gameLine : this.tree.currentLine;
    if (ply !== this.current.ply) this.select(line[Math.min(ply, line.length - 1)]);
  }

  /** @param {number} plies positive: forward, negative: back */
  step(plies) {
    const line = this.tree.currentLine;
    const target = line[Math.min(Math.max(this.current.ply + plies, 0), line.length - 1)];
    if (target === this.current) return;
    this.select(target);
    const move = target.parent ? t("move.at", target.ply, COLUMN_NAMES[target.column]) : t("move.start");
    announce([move, this.formatResult(target), this.describeMove(target)].filter(Boolean).join(" "));
  }

  /** Select the position of the game at which the selected variation begins, or the move that it replaces. */
  returnToGame() {
    const { branchPly, gameLine } = this;
    if (branchPly !== null) this.select(gameLine[branchPly + 1] ?? gameLine[branchPly]);
  }

  draw() {
    this.drawBoard();
    this.drawSteps();
    this.drawVariationNote();
    this.moveList.show(this.tree);
    replaceContent(this.facts, createGameFacts(this));
    this.drawScores();
  }

  drawBoard({ skipAnimation = false } = {}) {
    const position = this.shown?.position ?? this.position;
    this.board.show(position, { isPlayable: !position.isOver, ...this.getBoardOptions(), skipAnimation });
  }

  /** Draw new evaluations of the same position without animation. */
  drawEvaluation() {
    this.drawBoard({ skipAnimation: true });
    this.drawScores();
  }

  drawScores() {
    const side = getShownSide(this.position.turn);
    this.graph.show(collectGraphData(this, side));
    replaceContent(this.graph.caption, createEvaluationCaption(this));
    const score = this.shown ? this.shown.score : this.getScore(this.current);
    this.bar.show(score && convertScore(score, 0, side), side);
    const result = this.shown ? "" : this.formatResult(this.current);
    this.bar.element.dataset.result = result;
    if (result) this.bar.element.setAttribute("aria-valuetext", result);
    replaceContent(this.perspective, createPerspectiveField(this.position.turn));
  }

  drawVariationNote() {
    const { branchPly } = this;
    this.variationNote.hidden = branchPly === null;
    this.element.classList.toggle("in-variation", branchPly !== null);
    replaceContent(this.variationNote, branchPly === null ? null : createVariationNote(this, branchPly));
  }

  drawSteps() {
    const hadFocus = this.steps.contains(document.activeElement);
    this.steps.setAttribute("aria-label", t("steps.label"));
    replaceContent(this.steps, createStepButtons(this));
    if (!hadFocus || this.steps.contains(document.activeElement)) return;
    const enabled = this.steps.querySelector("button:enabled");
    if (enabled instanceof HTMLElement) enabled.focus();
  }

  /**
   * The card with the players, the graph, the moves and, between them, `content`.
   * @param {string} title
   * @param {Children} [content]
   */
  createCard(title, content = null) {
    const { graph, moveList, facts } = this;
    const heading = createGameHeading(this, title);
    return el("section", { class: "card tight" }, heading, facts, graph.element, content, moveList.element);
  }

  getBoardLabel() {
    return formatBoardLabel(this.shown?.position ?? this.position);
  }

  updateAddress() {
    const { info, branchPly, gameLine } = this;
    const position = branchPly === null && info.gameId ? gameLine[gameLine.length - 1].position : this.lastPosition;
    const isVariation = branchPly !== null;
    const { ply } = this.current;
    replaceFragment(formatGameFragment(this.view, { gameId: info.gameId ?? null, position, ply, isVariation }));
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return {
      playColumn: (column) => this.chooseColumn(column),
      keys: {
        Escape: () => this.returnToGame(),
        ",": () => this.step(-1),
        ".": () => this.step(1),
        "<": () => this.step(-Infinity),
        ">": () => this.step(Infinity),
        ArrowLeft: () => this.step(-1),
        ArrowRight: () => this.step(1),
        Home: () => this.step(-Infinity),
        End: () => this.step(Infinity),
      },
    };
  }
}
