// Shows one game with its variations: board, evaluation bar, graph and move list. Analyse and Review share it.

import { GameTree } from "../model/game_tree.js";
import { getShownSide } from "../model/perspective.js";
import { COLUMN_NAMES, Position } from "../model/position.js";
import { formatPositionFragment, replaceFragment } from "../model/routes.js";
import { convertScore, toFirstPlayer } from "../model/scores.js";
import { formatNumber, t } from "../words/language.js";
import { getSideNames, translatePlayerNames } from "../words/player_names.js";
import { BoardView } from "./board.js";
import { ColumnValues } from "./column_values.js";
import { createIcon, el, replaceContent } from "./dom.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { EvaluationGraph } from "./evaluation_graph.js";
import { createButton } from "./form_fields.js";
import { MoveList } from "./move_list.js";
import { announce } from "./notifications.js";
import { createPerspectiveField } from "./perspective_field.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { MistakeKind, OutcomeInfo, ReviewReply, ScoreInfo } from "../model/messages.d.ts" */
/** @import { BoardOptions, PreviewStone } from "./board.js" */
/** @import { Children } from "./dom.js" */
/** @import { Shortcuts } from "./shortcuts.js" */

/**
 * The server's data about a game. `scores` and `times_ms` do not include the moves of the opening.
 * @typedef {object} GameInfo
 * @property {string} [gameId]
 * @property {[string, string]} [names]
 * @property {(ScoreInfo | null)[]} [scores]
 * @property {(number | null)[]} [times_ms]
 * @property {ReviewReply | null} [review]
 * @property {OutcomeInfo | null} [outcome]
 */

const MAX_PREVIEW_STONES = 8;

export class GameViewer {
  constructor() {
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** The current view replaces these three functions. @type {() => BoardOptions} */
    this.getBoardOptions = () => ({});
    /** @type {(node: GameNode) => "" | MistakeKind} */
    this.getMark = () => "";
    /** @type {(position: Position, ply: number) => string} */
    this.getFragment = formatPositionFragment;
    this.tree = new GameTree(new Position(6, 7));
    /** @type {GameInfo} */
    this.info = {};
    this.board = new BoardView({ onColumn: (column) => this.play(column), getLabel: () => this.getBoardLabel() });
    this.columnValues = new ColumnValues(this.board.columnValues, () => this.drawEvaluation());
    this.bar = new EvaluationBar();
    this.graph = new EvaluationGraph((ply) => this.selectPly(ply));
    this.moveList = new MoveList(
      (node) => this.select(node),
      (node) => this.getMark(node),
    );
    this.facts = el("p", { class: "small muted game-facts" });
    this.steps = el("div", { class: "row steps", role: "group" });
    const boardRow = el("div", { class: "board-row" }, this.bar.element, this.board.element);
    this.perspective = el("div");
    const valuesLine = el("div", { class: "values-line" }, this.perspective, this.columnValues.note);
    this.element = el("div", { class: "board-area" }, boardRow, valuesLine, this.steps);
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
    const openingLength = position.moves.length - (info.scores?.length ?? 0);
    this.tree.mainLine.forEach((node, index) => {
      const score = info.scores?.[index - openingLength];
      if (score) node.score = toFirstPlayer(score, node.position.turn);
      node.time_ms = info.times_ms?.[index - openingLength - 1] ?? null;
    });
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

  get isEmpty() {
    return !this.tree.root.mainChild && !this.info.gameId;
  }

  /** The id of the stored game while a position of its main line is selected; null in a variation. */
  get gameId() {
    return (this.tree.isOnMainLine && this.info.gameId) || null;
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

  getPlayerNames() {
    return this.info.names ? translatePlayerNames(this.info.names) : getSideNames();
  }

  /** @param {() => void} listener called after another position was selected */
  onChange(listener) {
    this.listeners.add(listener);
  }

  update() {
    this.draw();
    for (const listener of this.listeners) listener();
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
    const line = this.tree.currentLine;
    if (ply !== this.current.ply) this.select(line[Math.min(ply, line.length - 1)]);
  }

  /** @param {number} plies positive: forward, negative: back */
  step(plies) {
    const line = this.tree.currentLine;
    const target = line[Math.min(Math.max(this.current.ply + plies, 0), line.length - 1)];
    if (target === this.current) return;
    this.select(target);
    announce(target.parent ? t("move.at", target.ply, COLUMN_NAMES[target.column]) : t("move.start"));
  }

  draw() {
    this.board.show(this.position, { isPlayable: !this.position.isOver, ...this.getBoardOptions() });
    this.drawSteps();
    this.moveList.show(this.tree);
    this.facts.textContent = this.describeFacts();
    this.drawScores();
  }

  /** Draw new evaluations of the same position without animation. */
  drawEvaluation() {
    const isPlayable = !this.position.isOver;
    this.board.show(this.position, { isPlayable, ...this.getBoardOptions(), skipAnimation: true });
    this.drawScores();
  }

  drawScores() {
    const side = getShownSide(this.position.turn);
    const points = this.tree.currentLine.map((node) => ({
      score: node.score && convertScore(node.score, 0, side),
      mark: this.getMark(node),
    }));
    this.graph.show(points, this.current.ply, side);
    this.bar.show(points[this.current.ply].score, side);
    replaceContent(this.perspective, createPerspectiveField(this.position.turn));
  }

  drawSteps() {
    const { ply } = this.current;
    const end = this.tree.currentLine.length - 1;
    /**
     * @param {"first" | "back" | "forward" | "last"} name
     * @param {string} word
     * @param {number} plies
     * @param {boolean} disabled
     */
    const stepButton = (name, word, plies, disabled) => {
      const attributes = { variant: "icon-button", disabled, "aria-label": t(word), title: t(word) };
      return createButton(word, createIcon(name), () => this.step(plies), attributes);
    };
    const deleteVariation = () => {
      this.tree.deleteVariation();
      this.update();
    };
    const hadFocus = this.steps.contains(document.activeElement);
    this.steps.setAttribute("aria-label", t("steps.label"));
    replaceContent(
      this.steps,
      stepButton("first", "steps.start", -end, ply === 0),
      stepButton("back", "steps.back", -1, ply === 0),
      el("span", { class: "ply-counter" }, `${ply} / ${end}`),
      stepButton("forward", "steps.forward", 1, ply === end),
      stepButton("last", "steps.end", end, ply === end),
      this.tree.isOnMainLine
        ? null
        : createButton("delete-variation", t("steps.delete_variation"), deleteVariation, { variant: "secondary" }),
    );
    if (!hadFocus || this.steps.contains(document.activeElement)) return;
    const enabled = this.steps.querySelector("button:enabled");
    if (enabled instanceof HTMLElement) enabled.focus();
  }

  /**
   * The card with the graph, the moves and, between them, `content`.
   * @param {string} title
   * @param {Children} [content]
   */
  createCard(title, content = null) {
    const { graph, moveList, facts } = this;
    return el("section", { class: "card tight" }, el("h2", {}, title), graph.element, content, moveList.element, facts);
  }

  getBoardLabel() {
    const { position } = this;
    const sides = getSideNames();
    const state = position.winningCells
      ? t("result.wins", sides[position.opponent])
      : position.isOver
        ? t("result.draw")
        : t("status.side_to_move", sides[position.turn]);
    return t("board.label", position.rows, position.cols, state);
  }

  /** How the game ended, and the time of the selected move. */
  describeFacts() {
    const { outcome } = this.info;
    const facts = [];
    if (outcome && outcome.ending !== "win") {
      if (outcome.winner !== null) facts.push(t("result.wins", this.getPlayerNames()[outcome.winner]));
      facts.push([t(`ending.${outcome.ending}`), outcome.detail].filter(Boolean).join(": "));
    }
    const { ply, time_ms } = this.current;
    if (time_ms !== null) facts.push(t("move.time", ply, formatNumber(time_ms / 1000, 3)));
    return facts.join(" · ");
  }

  updateAddress() {
    replaceFragment(this.getFragment(this.lastPosition, this.current.ply));
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return {
      playColumn: (column) => this.play(column),
      keys: {
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

/**
 * The stones of expected moves, numbered from 1.
 * @param {Position} position
 * @param {number[]} columns
 * @param {number} [limit] number of stones
 * @returns {PreviewStone[]}
 */
export function previewMoves(position, columns, limit = MAX_PREVIEW_STONES) {
  const stones = [];
  let at = position;
  for (const column of columns.slice(0, limit)) {
    if (!at.isLegal(column)) break;
    const row = at.findLandingRow(column);
    const { turn } = at;
    at = at.play(column);
    stones.push({ row, column, player: turn, label: stones.length + 1, winningCells: at.winningCells });
  }
  return stones;
}
