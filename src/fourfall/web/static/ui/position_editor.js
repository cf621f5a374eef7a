// The position editor: stones are placed and removed by click, tap or keyboard; a text says whether the position is legal.

import { ApiError, requestJson } from "../model/api.js";
import { EditedPosition } from "../model/edited_position.js";
import { COLUMN_NAMES, Position } from "../model/position.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { BoardView } from "./board.js";
import { BoardPicker } from "./board_picker.js";
import { createStoneIcon } from "./board_shapes.js";
import { el, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";
import { announce } from "./notifications.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Problem } from "../model/edited_position.js" */
/** @import { Child } from "./dom.js" */

/** What a click does: place a stone of one side, of the sides in turn, or remove a stone. @typedef {"blue" | "orange" | "turns" | "remove"} Tool */
/** `stones`: the numbers of stones determine the side to move. @typedef {"stones" | "blue" | "orange"} TurnChoice */
/** `describe` returns the text in the language of the page. @typedef {{state: "checking" | "legal" | "illegal", describe: () => string, position: Position | null}} Verdict */

/** @type {Tool[]} */
const TOOLS = ["turns", "blue", "orange", "remove"];
/** @type {TurnChoice[]} */
const TURNS = ["stones", "blue", "orange"];
const REQUEST_DELAY_MS = 120;

export class PositionEditor {
  /**
   * @param {object} properties
   * @param {() => Position} properties.getCurrent the position that is analysed
   * @param {(position: Position) => unknown} properties.onApply
   * @param {() => unknown} properties.onCancel
   */
  constructor({ getCurrent, onApply, onCancel }) {
    this.getCurrent = getCurrent;
    this.onApply = onApply;
    this.onCancel = onCancel;
    this.position = EditedPosition.from(getCurrent());
    /** @type {Tool} */
    this.tool = "turns";
    /** @type {TurnChoice} */
    this.turnChoice = "stones";
    /** @type {Verdict} */
    this.verdict = { state: "checking", describe: () => "", position: null };
    this.requestNumber = 0;
    this.timer = 0;
    this.board = new BoardView({ onColumn: () => {}, getLabel: () => this.getBoardLabel() });
    this.board.onCell = (row, column) => this.handleCell(row, column);
    this.board.element.addEventListener("keydown", (event) => this.handleKey(event));
    this.picker = new BoardPicker({
      board: this.position,
      onChange: (board) => this.change(this.position.resize(board)),
      onConfirm: () => this.apply(),
    });
    this.size = el("details", { class: "editor-size" });
    this.controls = el("div", { class: "stack" });
    this.status = el("p", { class: "editor-status", role: "status" });
    this.buttons = el("div", { class: "row" });
    this.element = el("div", { class: "board-area" }, el("div", { class: "board-row" }, this.board.element));
    this.sidebar = el(
      "div",
      { class: "stack" },
      el("section", { class: "card editor" }, this.controls, this.status, this.buttons, this.size),
    );
  }

  /** The side to move. @returns {Player} */
  get turn() {
    if (this.turnChoice === "stones") return this.position.turn;
    return this.turnChoice === "blue" ? 0 : 1;
  }

  /**
   * Start with a position; with `isBoardChosen` the fields for the board are open.
   * @param {Position} position
   * @param {{isBoardChosen?: boolean}} [options]
   */
  open(position, { isBoardChosen = false } = {}) {
    this.turnChoice = "stones";
    this.tool = "turns";
    this.size.open = isBoardChosen;
    this.setBoard(EditedPosition.from(position));
  }

  /** @param {EditedPosition} position */
  setBoard(position) {
    const { rows, cols, hole } = position;
    this.picker.setBoard({ rows, cols, hole });
    this.change(position);
  }

  /** @param {EditedPosition} position */
  change(position) {
    this.position = position;
    this.check();
    this.render();
  }

  render() {
    const { position } = this;
    const isPlacing = this.tool !== "remove";
    // The stone under the pointer has the colour that a click places.
    const shown = Object.create(position, { turn: { value: this.getPlacedPlayer() } });
    this.board.show(shown, { isPlayable: isPlacing, skipAnimation: true });
    this.board.element.classList.add("playable");
    this.picker.render();
    replaceContent(
      this.controls,
      el("h2", {}, t("edit.title")),
      this.createChoice("tool", t("edit.tool"), TOOLS, this.tool, (tool) => {
        this.tool = tool;
        this.render();
      }),
      el("p", { class: "small muted" }, t("edit.help")),
      this.createChoice("turn", t("edit.turn"), TURNS, this.turnChoice, (turn) => {
        this.turnChoice = turn;
        this.change(this.position);
      }),
      el(
        "div",
        { class: "row editor-actions" },
        createButton("clear", t("edit.clear"), () => this.change(position.clear()), { variant: "compact" }),
        createButton("flip", t("edit.flip"), () => this.change(position.flipColours()), { variant: "compact" }),
        createButton("current", t("edit.current"), () => this.setBoard(EditedPosition.from(this.getCurrent())), {
          variant: "compact",
        }),
      ),
    );
    this.renderSize();
    this.renderVerdict();
  }

  renderSize() {
    const { rows, cols, hole } = this.position;
    const blocked = hole ? t("board.hole", COLUMN_NAMES[hole[1]], rows - hole[0]) : "";
    const size = t(hole ? "board.size.hole" : "board.size", rows, cols, blocked);
    /** @param {Position} board */
    const use = (board) => this.setBoard(EditedPosition.from(board));
    const summary = el("summary", {}, `${t("edit.board")}: ${size}`);
    const presets = el(
      "div",
      { class: "row" },
      createButton("classic", "6 × 7", () => use(new Position(6, 7)), { variant: "compact" }),
      createButton("random", t("edit.random_board"), () => use(Position.random()), { variant: "compact" }),
    );
    // The picker stays in the page, so that its fields keep the focus.
    if (!this.size.contains(this.picker.element)) this.size.append(summary, presets, this.picker.element);
    this.size.children[0].replaceWith(summary);
    if (!this.size.children[1].contains(document.activeElement)) this.size.children[1].replaceWith(presets);
  }

  renderVerdict() {
    const { state, describe, position } = this.verdict;
    this.status.dataset.state = state;
    replaceContent(this.status, createStoneIcon(this.turn), describe());
    replaceContent(
      this.buttons,
      createButton("apply", t("edit.apply"), () => this.apply(), { variant: "primary", disabled: !position }),
      createButton("cancel", t("button.cancel"), () => this.onCancel()),
    );
  }

  /**
   * @template {string} T
   * @param {string} name
   * @param {string} legend
   * @param {T[]} values
   * @param {T} chosen
   * @param {(value: T) => void} onChange
   */
  createChoice(name, legend, values, chosen, onChange) {
    const labels = values.map((value) => {
      const attributes = { type: "radio", name: `edit-${name}`, value, checked: value === chosen };
      const change = () => onChange(value);
      const dataset = { focusKey: `${name}-${value}` };
      return el("label", {}, el("input", { ...attributes, dataset, on: { change } }), getChoiceLabel(name, value));
    });
    return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "segmented" }, labels));
  }

  /** The player whose stone a click places. @returns {Player} */
  getPlacedPlayer() {
    if (this.tool === "blue" || this.tool === "orange") return this.tool === "blue" ? 0 : 1;
    return this.position.turn;
  }

  /**
   * Remove the top stone that was clicked; a click elsewhere in a column places a stone.
   * @param {number} row
   * @param {number} column
   */
  handleCell(row, column) {
    const top = this.position.findTopStone(column);
    if (this.tool === "remove" || (top && top[0] === row)) this.removeTop(column);
    else this.place(column);
  }

  /** @param {number} column */
  place(column) {
    if (column >= this.position.cols) announce(t("board.no_column"));
    else if (this.position.findLandingRow(column) < 0) announce(t("board.column_full"));
    else this.change(this.position.add(column, this.getPlacedPlayer()));
  }

  /** @param {number} column */
  removeTop(column) {
    if (this.position.findTopStone(column)) this.change(this.position.removeTop(column));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if ((event.key !== "Backspace" && event.key !== "Delete") || !this.board.cursor) return;
    event.preventDefault();
    this.removeTop(this.board.cursor[1]);
  }

  /** Say at once what is wrong; if nothing is, ask the server for a legal order of the moves. */
  check() {
    clearTimeout(this.timer);
    this.requestNumber += 1;
    const problem = this.position.findProblem(this.turn);
    if (problem) {
      const { counts } = this.position;
      this.verdict = { state: "illegal", describe: () => describeProblem(problem, counts), position: null };
      return;
    }
    this.verdict = { state: "checking", describe: () => t("edit.checking"), position: null };
    const number = this.requestNumber;
    this.timer = setTimeout(() => this.request(number), REQUEST_DELAY_MS);
  }

  /** @param {number} number of the request; an older reply is ignored */
  async request(number) {
    const { rows, cols, hole } = this.position;
    const body = { rows, cols, hole, ...this.position.listStones() };
    /** @type {Verdict} */
    let verdict;
    try {
      const found = Position.fromServer((await requestJson("/api/stones", { method: "POST", body })).position);
      verdict = { state: "legal", describe: () => describeLegal(found), position: found };
    } catch (error) {
      const isOffline = error instanceof ApiError && error.code === "offline";
      const word = isOffline ? "page.offline" : "edit.no_order";
      verdict = { state: "illegal", describe: () => t(word), position: null };
    }
    if (number !== this.requestNumber) return;
    this.verdict = verdict;
    this.renderVerdict();
  }

  apply() {
    if (this.verdict.position) this.onApply(this.verdict.position);
  }

  getBoardLabel() {
    const { rows, cols } = this.position;
    return t("board.label", rows, cols, t("edit.title"));
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {Child[]}
 */
function getChoiceLabel(name, value) {
  if (value === "blue" || value === "orange") {
    const player = value === "blue" ? 0 : 1;
    return [createStoneIcon(player), getSideNames()[player]];
  }
  return [t(`edit.${name}.${value}`)];
}

/**
 * @param {Problem} problem
 * @param {[number, number]} counts
 */
function describeProblem({ reason, player }, counts) {
  const sides = getSideNames();
  if (reason === "counts") return t(`edit.problem.counts.${player === 0 ? "first" : "second"}`, ...counts, ...sides);
  return t(`edit.problem.${reason}`, sides[player], sides[player === 0 ? 1 : 0]);
}

/** @param {Position} position */
function describeLegal(position) {
  const sides = getSideNames();
  if (position.winningCells) return t("edit.legal.won", sides[position.opponent]);
  if (position.isOver) return t("edit.legal.draw");
  return t("edit.legal", sides[position.turn]);
}
