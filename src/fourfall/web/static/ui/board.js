// The board on the screen: an SVG image with a labelled grid of cells above it for pointer, keyboard, screen readers.

import { COLUMN_NAMES } from "../model/position.js";
import { getLanguage, t } from "../words/language.js";
import { getEventCell, listenForPointer } from "./board_input.js";
import {
  CELL_SIZE,
  drawBlockedCell,
  drawEmptyCell,
  drawLastMoveMark,
  drawPreviewStone,
  drawPreviewWinningMark,
  drawStone,
  drawWinningMark,
} from "./board_shapes.js";
import { el, prefersReducedMotion, svg } from "./dom.js";
import { drawFactCells, drawFactLines } from "./fact_drawing.js";
import { drawThreats } from "./threats.js";

/** @import { FactInfo } from "../model/explanation_messages.d.ts" */
/** @import { Cell, Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/**
 * A stone of an expected move; `winningCells` are the stones of the lines that it completes.
 * @typedef {object} PreviewStone
 * @property {number} row
 * @property {number} column
 * @property {Player} player
 * @property {string | number} label
 * @property {Cell[] | null} [winningCells]
 */
/**
 * `isPlayable`: a click plays a column. `selectsCells`: a click selects a cell. `skipAnimation`: stones do not fall.
 * @typedef {object} BoardOptions
 * @property {boolean} [isPlayable]
 * @property {boolean} [selectsCells]
 * @property {boolean} [skipAnimation]
 * @property {PreviewStone[]} [previewStones]
 * @property {Player[]} [threatsOf]
 * @property {number | null} [hintColumn]
 * @property {FactInfo | null} [fact] a fact of an explanation
 */

const FALL_BASE_MS = 90;
const FALL_MS_PER_ROW = 26;

export class BoardView {
  /**
   * `onColumn` is called after a click, a tap or Enter in a column; `onCell`, if set, is called instead.
   * @param {{onColumn: (column: number) => unknown, getLabel: () => string}} properties
   */
  constructor({ onColumn, getLabel }) {
    this.onColumn = onColumn;
    /** @type {((row: number, column: number) => unknown) | null} */
    this.onCell = null;
    this.getLabel = getLabel;
    /** @type {Position | null} */
    this.position = null;
    /** @type {BoardOptions} */
    this.options = {};
    /** The cell that has the keyboard focus or gets it next. @type {Cell | null} */
    this.cursor = null;
    /** Whether the cursor was set by a click or tap, not by the keyboard. */
    this.isPointerUsed = false;
    /** @type {number | null} */
    this.hoveredColumn = null;
    this.labelState = "";
    this.layers = { cells: svg("g"), stones: svg("g"), previews: svg("g"), marks: svg("g"), hover: svg("g") };
    this.image = svg("svg", { "aria-hidden": "true", focusable: "false" }, Object.values(this.layers));
    this.grid = el("div", { class: "board-cells", role: "grid" });
    this.columnNames = el("div", { class: "column-names", "aria-hidden": "true" });
    this.rowNames = el("div", { class: "row-names", "aria-hidden": "true" });
    this.columnValues = el("div", { class: "column-values" });
    const frame = el("div", { class: "board-frame" }, this.image, this.grid);
    this.element = el("div", { class: "board" }, this.columnNames, this.rowNames, frame, this.columnValues);
    this.addListeners();
  }

  /**
   * @param {Position} position
   * @param {BoardOptions} [options]
   */
  show(position, options = {}) {
    const before = this.position;
    this.position = position;
    this.options = options;
    if (before?.boardNotation !== position.boardNotation) this.rebuild(position);
    this.drawStones(position, before !== null && !options.skipAnimation);
    this.drawMarks(position);
    this.labelCells(position);
    this.drawHover();
  }

  /**
   * Draw the cells of another board.
   * @param {Position} position
   */
  rebuild(position) {
    const { rows, cols } = position;
    this.element.style.setProperty("--rows", String(rows));
    this.element.style.setProperty("--cols", String(cols));
    this.image.setAttribute("viewBox", `0 0 ${cols * CELL_SIZE} ${rows * CELL_SIZE}`);
    this.labelState = "";
    this.columnNames.replaceChildren(...Array.from(COLUMN_NAMES.slice(0, cols), (name) => el("span", {}, name)));
    this.rowNames.replaceChildren(...Array.from({ length: rows }, (_, row) => el("span", {}, rows - row)));
    this.layers.stones.replaceChildren();
    this.layers.cells.replaceChildren();
    const hadFocus = this.grid.contains(document.activeElement);
    this.grid.replaceChildren();
    for (let row = 0; row < rows; row += 1) {
      const line = el("div", { role: "row" });
      for (let column = 0; column < cols; column += 1) {
        this.layers.cells.append(
          position.isHole(row, column) ? drawBlockedCell(row, column) : drawEmptyCell(row, column),
        );
        line.append(el("div", { role: "gridcell", tabindex: -1, dataset: { row, column } }));
      }
      this.grid.append(line);
    }
    const [row, column] = this.cursor ?? [rows - 1, Math.floor(cols / 2)];
    this.moveCursor([Math.min(row, rows - 1), Math.min(column, cols - 1)], hadFocus);
  }

  /**
   * Add new stones and remove those that are gone; the last stone falls.
   * @param {Position} position
   * @param {boolean} animate
   */
  drawStones(position, animate) {
    /** @type {Map<string | undefined, SVGElement>} */
    const drawn = new Map();
    for (const group of this.layers.stones.children) {
      if (group instanceof SVGElement) drawn.set(group.dataset.cell, group);
    }
    for (let row = 0; row < position.rows; row += 1) {
      for (let column = 0; column < position.cols; column += 1) {
        const player = position.getStone(row, column);
        this.layers.cells.children[row * position.cols + column].classList.toggle("occupied", player !== null);
        const key = `${row},${column},${player}`;
        if (player === null || drawn.delete(key)) continue;
        const group = drawStone(row, column, player);
        group.dataset.cell = key;
        this.layers.stones.append(group);
        if (animate && String(position.lastCell) === `${row},${column}`) animateFall(group, row);
      }
    }
    for (const group of drawn.values()) group.remove();
  }

  /** @param {Position} position */
  drawMarks(position) {
    const { threatsOf = [], previewStones = [], hintColumn = null, fact = null } = this.options;
    const marks = (position.winningCells ?? []).map((cell) => drawWinningMark(...cell));
    if (position.lastCell) marks.push(drawLastMoveMark(...position.lastCell));
    this.layers.marks.replaceChildren(...marks, ...drawThreats(position, threatsOf));
    const previews = previewStones.map(({ row, column, player, label }) =>
      drawPreviewStone(row, column, player, label),
    );
    const completed = previewStones.flatMap(({ winningCells }) => winningCells ?? []);
    previews.push(...completed.map((cell) => drawPreviewWinningMark(...cell)));
    if (hintColumn !== null && position.isLegal(hintColumn)) {
      previews.push(drawStone(position.findLandingRow(hintColumn), hintColumn, position.turn, "hint-stone"));
    }
    if (fact) this.layers.previews.replaceChildren(...drawFactLines(fact), ...previews, ...drawFactCells(fact));
    else this.layers.previews.replaceChildren(...previews);
  }

  /**
   * Set the labels of the grid and its cells. An analysis redraws often, so nothing is done if they did not change.
   * @param {Position} position
   */
  labelCells(position) {
    const { isPlayable = false, selectsCells = false } = this.options;
    const label = this.getLabel();
    const state = [position.notation, getLanguage(), label, selectsCells, isPlayable].join();
    if (this.labelState === state) return;
    this.labelState = state;
    this.grid.setAttribute("aria-label", label);
    const { hole, rows } = position;
    const blocked = hole ? t("board.hole", COLUMN_NAMES[hole[1]], rows - hole[0]) : "";
    const help = t(selectsCells ? "board.help.hole" : "board.help");
    this.grid.setAttribute("aria-description", `${blocked} ${help}`.trim());
    this.element.classList.toggle("playable", isPlayable || selectsCells);
    this.element.classList.toggle("selects-cells", selectsCells);
    const winning = new Set((position.winningCells ?? []).map(String));
    for (let row = 0; row < position.rows; row += 1) {
      for (let column = 0; column < position.cols; column += 1) {
        const last = String(position.lastCell) === `${row},${column}` ? t("cell.last") : "";
        const won = winning.has(`${row},${column}`) ? t("cell.winning") : "";
        const content = t(getCellWord(position, row, column));
        const text = t("cell.label", COLUMN_NAMES[column], position.rows - row, content, last + won);
        this.getCellElement([row, column]).setAttribute("aria-label", text);
      }
    }
  }

  drawHover() {
    const { position, hoveredColumn } = this;
    const { isPlayable, selectsCells } = this.options;
    this.layers.hover.replaceChildren();
    if (selectsCells || !isPlayable || hoveredColumn === null || !position?.isLegal(hoveredColumn)) return;
    this.layers.hover.append(
      drawStone(position.findLandingRow(hoveredColumn), hoveredColumn, position.turn, "hover-stone"),
    );
  }

  /** @param {number | null} column */
  hover(column) {
    if (this.hoveredColumn === column) return;
    this.hoveredColumn = column;
    this.drawHover();
  }

  addListeners() {
    listenForPointer(this);
    this.grid.addEventListener("focusin", (event) => {
      const cell = getEventCell(event);
      if (!cell) return;
      this.cursor = cell;
      if (event.target instanceof Element && event.target.matches(":focus-visible")) this.hover(cell[1]);
    });
    this.grid.addEventListener("pointerdown", () => {
      this.isPointerUsed = true;
    });
    this.grid.addEventListener("focusout", (event) => {
      this.hover(null);
      if (!(event.relatedTarget instanceof Node && this.grid.contains(event.relatedTarget))) this.isPointerUsed = false;
    });
    this.grid.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const { cursor, position } = this;
    if (!cursor || !position || event.altKey || event.ctrlKey || event.metaKey) return;
    // After a click the cursor is not visible: then the arrow keys belong to the view.
    if (this.isPointerUsed && event.key !== "Enter" && event.key !== " ") return;
    const [row, column] = cursor;
    /** @type {Record<string, Cell>} */
    const targets = {
      ArrowLeft: [row, Math.max(column - 1, 0)],
      ArrowRight: [row, Math.min(column + 1, position.cols - 1)],
      ArrowUp: [Math.max(row - 1, 0), column],
      ArrowDown: [Math.min(row + 1, position.rows - 1), column],
      Home: [row, 0],
      End: [row, position.cols - 1],
      PageUp: [0, column],
      PageDown: [position.rows - 1, column],
    };
    if (targets[event.key]) this.moveCursor(targets[event.key], true);
    else if (event.key === "Enter" || event.key === " ") this.choose(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Focus the board; if it has the focus already, move the cursor by some columns.
   * @param {number} columns
   */
  focusOrMove(columns) {
    if (!this.cursor || !this.position) return;
    const [row, column] = this.cursor;
    const step = this.grid.contains(document.activeElement) ? columns : 0;
    this.moveCursor([row, Math.min(Math.max(column + step, 0), this.position.cols - 1)], true);
  }

  /** @param {Cell} cell */
  choose(cell) {
    this.moveCursor(cell, false);
    if (this.onCell) this.onCell(...cell);
    else this.onColumn(cell[1]);
  }

  /**
   * @param {Cell} cell
   * @param {boolean} focus
   */
  moveCursor(cell, focus) {
    this.grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    this.cursor = cell;
    const element = this.getCellElement(cell);
    element.setAttribute("tabindex", "0");
    if (!focus) return;
    this.isPointerUsed = false;
    element.focus({ preventScroll: true });
  }

  /**
   * @param {Cell} cell
   * @returns {HTMLElement}
   */
  getCellElement([row, column]) {
    return /** @type {HTMLElement} */ (this.grid.children[row].children[column]);
  }
}

/**
 * The key of the word for the content of a cell.
 * @param {Position} position
 * @param {number} row
 * @param {number} column
 */
function getCellWord(position, row, column) {
  const player = position.getStone(row, column);
  if (player !== null) return player === 0 ? "cell.first" : "cell.second";
  return position.isHole(row, column) ? "cell.hole" : "cell.free";
}

/**
 * @param {SVGGElement} group
 * @param {number} row
 */
function animateFall(group, row) {
  if (prefersReducedMotion()) return;
  const from = `translate(0, ${-(row + 1) * CELL_SIZE}px)`;
  const timing = { duration: FALL_BASE_MS + FALL_MS_PER_ROW * (row + 1), easing: "cubic-bezier(.5, 0, .9, .6)" };
  group.firstElementChild?.animate([{ transform: from }, { transform: "none" }], timing);
}
