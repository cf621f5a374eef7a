// Fields to choose a board: number of rows and columns, and the blocked cell on a small board.

import { COLUMN_NAMES, MAX_SIZE, MIN_SIZE, Position } from "../model/position.js";
import { t } from "../words/language.js";
import { BoardView } from "./board.js";
import { el } from "./dom.js";
import { createButton } from "./form_fields.js";
import { announce } from "./notifications.js";

/** @import { Cell } from "../model/messages.d.ts" */

/** @typedef {{rows: number, cols: number, hole: Cell | null}} BoardChoice */
/** @typedef {"rows" | "cols"} Side */

/** @type {Side[]} */
const SIDES = ["rows", "cols"];
let pickerCount = 0;

/**
 * The picker keeps its element, so that the focus and a half-typed number stay: put `element` into the page once and do
 * not remove it in `onChange`. A number that is not allowed changes nothing; a text below the fields says what is.
 */
export class BoardPicker {
  /**
   * `onChange` is called with every other board that is chosen, `onConfirm` after Enter in a valid number field.
   * @param {object} properties
   * @param {BoardChoice} properties.board
   * @param {(board: BoardChoice) => unknown} properties.onChange
   * @param {() => unknown} [properties.onConfirm]
   */
  constructor({ board, onChange, onConfirm = () => {} }) {
    this.onChange = onChange;
    this.onConfirm = onConfirm;
    this.rows = board.rows;
    this.cols = board.cols;
    /** The cell that was chosen last; it is blocked only if it is on the board. @type {Cell | null} */
    this.chosenHole = board.hole;
    pickerCount += 1;
    const id = `board-picker-problem-${pickerCount}`;
    this.problem = el("p", { class: "error-text", role: "alert", id });
    this.inputs = { rows: this.createInput("rows"), cols: this.createInput("cols") };
    this.labels = { rows: el("span"), cols: el("span") };
    this.holeText = el("p", { class: "small", "aria-live": "polite" });
    this.boardView = new BoardView({ onColumn: () => {}, getLabel: () => this.getBoardLabel() });
    this.boardView.onCell = (row, column) => this.toggleHole([row, column]);
    this.holeButtons = el("div", { class: "row" });
    this.holeTitle = el("span", { class: "field-title" });
    this.element = el(
      "div",
      { class: "board-picker stack" },
      el(
        "div",
        { class: "row size-fields" },
        SIDES.map((side) => el("label", { class: "field" }, this.labels[side], this.inputs[side])),
      ),
      this.problem,
      el("div", { class: "row spread" }, this.holeTitle, this.holeButtons),
      this.boardView.element,
      this.holeText,
    );
    this.render();
  }

  /** The blocked cell; null if none was chosen or if it is outside of the board. */
  get hole() {
    const { rows, cols, chosenHole } = this;
    return chosenHole && chosenHole[0] < rows && chosenHole[1] < cols ? chosenHole : null;
  }

  /** The last board that is allowed. @returns {BoardChoice} */
  get board() {
    return { rows: this.rows, cols: this.cols, hole: this.hole };
  }

  get position() {
    return new Position(this.rows, this.cols, this.hole);
  }

  /**
   * Show another board without a call of `onChange`.
   * @param {BoardChoice} board
   */
  setBoard({ rows, cols, hole }) {
    Object.assign(this, { rows, cols, chosenHole: hole });
    for (const side of SIDES) this.inputs[side].value = String(this[side]);
    this.showProblems(true);
    this.render();
  }

  /** Whether both numbers are allowed; if not, the first wrong field gets the focus and a text says why. */
  validate() {
    const wrong = this.showProblems(true);
    wrong?.focus();
    return !wrong;
  }

  /** Draw the board and all texts, also after a change of the language. */
  render() {
    for (const side of SIDES) this.labels[side].textContent = t(`setup.${side}`);
    this.holeTitle.textContent = t("picker.hole");
    this.holeButtons.replaceChildren(
      createButton("no-hole", t("picker.hole.none"), () => this.chooseHole(null), { variant: "compact" }),
      createButton("random-hole", t("picker.hole.random"), () => this.chooseRandomHole(), { variant: "compact" }),
    );
    if (this.problem.textContent) this.showProblems(true);
    this.renderBoard();
  }

  renderBoard() {
    this.boardView.show(this.position, { selectsCells: true, skipAnimation: true });
    this.holeText.textContent = `${this.describeHole()} ${t("setup.help.hole")}`;
  }

  describeHole() {
    const { hole } = this;
    if (hole) return t("board.hole", COLUMN_NAMES[hole[1]], this.rows - hole[0]);
    return t(this.chosenHole ? "picker.hole.outside" : "picker.hole.no");
  }

  getBoardLabel() {
    return t("board.label", this.rows, this.cols, this.describeHole());
  }

  /** @param {Side} side */
  createInput(side) {
    /** @param {KeyboardEvent} event */
    const keydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // a form would be submitted also with a wrong number
      if (this.validate()) this.onConfirm();
    };
    return el("input", {
      type: "number",
      min: MIN_SIZE,
      max: MAX_SIZE,
      step: 1,
      value: this[side],
      "aria-describedby": this.problem.id,
      dataset: { focusKey: side, field: side },
      on: { keydown, input: () => this.handleInput(side), blur: () => this.showProblems(true) },
    });
  }

  /** @param {Side} side */
  handleInput(side) {
    const size = Number(this.inputs[side].value);
    this.showProblems(false);
    if (!isAllowed(size) || size === this[side]) return;
    this[side] = size;
    this.changeBoard();
  }

  /**
   * Mark the fields with a number that is not allowed and return the first of them.
   * @param {boolean} isComplete whether the user has finished typing: "1" may become "10"
   * @returns {HTMLInputElement | null}
   */
  showProblems(isComplete) {
    const wrong = SIDES.filter((side) => {
      const text = this.inputs[side].value;
      return !isAllowed(Number(text)) && (isComplete || !["", "1"].includes(text));
    });
    for (const side of SIDES) this.inputs[side].setAttribute("aria-invalid", String(wrong.includes(side)));
    const text = wrong.map((side) => t("picker.range", t(`setup.${side}`), MIN_SIZE, MAX_SIZE)).join(" ");
    if (this.problem.textContent !== text) this.problem.textContent = text;
    return wrong.length ? this.inputs[wrong[0]] : null;
  }

  /** @param {Cell} cell */
  toggleHole(cell) {
    this.chooseHole(String(this.hole) === String(cell) ? null : cell);
  }

  chooseRandomHole() {
    /** @param {number} count */
    const below = (count) => Math.floor(Math.random() * count);
    this.chooseHole([below(this.rows), below(this.cols)]);
    announce(this.describeHole());
  }

  /** @param {Cell | null} cell */
  chooseHole(cell) {
    this.chosenHole = cell;
    this.changeBoard();
  }

  changeBoard() {
    this.renderBoard();
    this.onChange(this.board);
  }
}

/** @param {number} size */
function isAllowed(size) {
  return Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE;
}
