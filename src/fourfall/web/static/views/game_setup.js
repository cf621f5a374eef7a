// The form before a game: opponent, first move, clock, board and sound. The choices are stored.

import { COLUMN_NAMES, Position } from "../model/position.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { BoardPicker } from "../ui/board_picker.js";
import { el } from "../ui/dom.js";
import { createButton, createCheckboxField } from "../ui/form_fields.js";
import { isSoundOn, setSound } from "../ui/sounds.js";
import { t } from "../words/language.js";
import { roundLevel } from "../words/level_names.js";
import { createClockFields } from "./clock_fields.js";
import { createOpponentFields } from "./opponent_fields.js";

/** @import { App } from "../app.js" */
/** @import { Cell, ClientMessage, Player } from "../model/messages.d.ts" */

/**
 * `board`: a random official board, 6×7, a board of chosen size, or the position of another view. `isStrongest`: the
 * entry after the last level. `clock_minutes`: 0 is no clock.
 * @typedef {object} SetupChoice
 * @property {"level" | "engine" | "person"} by
 * @property {number} levelNumber
 * @property {boolean} isStrongest
 * @property {string} engine
 * @property {"first" | "second"} side
 * @property {number} move_time_s
 * @property {number} clock_minutes
 * @property {number} increment_s
 * @property {"random" | "classic" | "custom" | "position"} board
 * @property {number} rows
 * @property {number} cols
 * @property {Cell | null} hole
 */

const STRONGEST = "fourfall";
const PERSON = "human";

/** @type {SetupChoice} */
const DEFAULT_CHOICE = {
  by: "level",
  levelNumber: 30,
  isStrongest: false,
  engine: "fourfall",
  side: "first",
  move_time_s: 1,
  clock_minutes: 0,
  increment_s: 0,
  board: "random",
  rows: 8,
  cols: 9,
  hole: null,
};

export class GameSetup {
  /**
   * `onChange` draws the whole set-up, `onBoardChange` only the board.
   * @param {App} app
   * @param {{onChange: () => void, onBoardChange: () => void, onStart: () => void}} listeners
   */
  constructor(app, { onChange, onBoardChange, onStart }) {
    this.app = app;
    this.onChange = onChange;
    this.onBoardChange = onBoardChange;
    this.onStart = onStart;
    /** @type {SetupChoice} */
    this.choice = { ...DEFAULT_CHOICE, ...loadSetting("setup", {}) };
    this.choice.levelNumber = roundLevel(this.choice.levelNumber);
    const { rows, cols, hole } = this.choice;
    this.picker = new BoardPicker({
      board: { rows, cols, hole },
      onChange: (board) => this.chooseBoard(board),
      onConfirm: () => this.onStart(),
    });
    this.position = this.createBoard();
  }

  createBoard() {
    const { board } = this.choice;
    if (board === "custom") return this.picker.position;
    return board === "classic" ? new Position(6, 7) : Position.random();
  }

  renewBoard() {
    if (this.choice.board === "position") this.choice.board = "random";
    this.position = this.createBoard();
  }

  /** The fragment of the address: a reload keeps the position of another view. */
  get fragment() {
    return this.choice.board === "position" ? `#play=${this.position.notation}` : "#play";
  }

  get opponent() {
    const { by, isStrongest, levelNumber, engine } = this.choice;
    if (by === "person") return PERSON;
    if (by === "engine") return engine;
    return isStrongest ? STRONGEST : `level-${levelNumber}`;
  }

  /** The user's side; null between two persons. @returns {Player | null} */
  get userPlayer() {
    if (this.choice.by === "person") return null;
    return this.choice.side === "first" ? 0 : 1;
  }

  /** Whether a person makes the next move. */
  get isUserFirst() {
    return this.userPlayer === null || this.userPlayer === this.position.turn;
  }

  getStatusText() {
    return t(this.isUserFirst ? "status.ready" : "status.ready.engine_first");
  }

  /**
   * The message that starts the game.
   * @returns {ClientMessage}
   */
  createMessage() {
    const { by, isStrongest, side, clock_minutes, increment_s } = this.choice;
    const isTimed = by === "engine" || (by === "level" && isStrongest);
    return {
      type: "new",
      board: this.position.notation,
      opponent: this.opponent,
      ...(by === "person" ? {} : { side }),
      move_time_s: isTimed ? this.choice.move_time_s : null,
      clock: clock_minutes ? { initial_s: 60 * clock_minutes, increment_s } : null,
    };
  }

  /**
   * Start from a position; the user is the side to move.
   * @param {Position} position
   * @param {string | null} opponent keeps the chosen opponent if it is unknown
   */
  usePosition(position, opponent) {
    const level = /^level-(\d+)$/.exec(opponent ?? "")?.[1];
    if (level) Object.assign(this.choice, { by: "level", isStrongest: false, levelNumber: roundLevel(Number(level)) });
    else if (opponent === STRONGEST) Object.assign(this.choice, { by: "level", isStrongest: true });
    else if (this.app.engines.some(({ name }) => name === opponent))
      Object.assign(this.choice, { by: "engine", engine: opponent });
    this.position = position;
    this.choice.board = "position";
    this.choice.side = position.turn === 0 ? "first" : "second";
  }

  /** @param {{rows: number, cols: number, hole: Cell | null}} board of the picker */
  chooseBoard(board) {
    Object.assign(this.choice, board);
    this.save();
    this.position = this.createBoard();
    this.onBoardChange();
  }

  /** @param {Partial<SetupChoice>} change */
  change(change) {
    Object.assign(this.choice, change);
    this.save();
    if (change.board && change.board !== "position") this.position = this.createBoard();
    this.onChange();
  }

  /** Store the choices, but not a position of another view. */
  save() {
    if (this.choice.board !== "position") saveSetting("setup", this.choice);
  }

  /** Whether the form is complete; if not, it says what is wrong. */
  validate() {
    return this.choice.board !== "custom" || this.picker.validate();
  }

  render() {
    const { board, by } = this.choice;
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      this.onStart();
    };
    const start = { type: "submit", class: "primary wide", dataset: { focusKey: "start", action: "start" } };
    if (board === "custom") this.picker.render();
    return el(
      "form",
      { class: "card setup", "aria-label": t("setup.title"), novalidate: true, on: { submit } },
      createOpponentFields(this),
      by === "person"
        ? null
        : this.createRadioButtons("side", t(board === "position" ? "setup.your_side" : "setup.side"), [
            ["first", t(board === "position" ? "side.blue" : "setup.side.first")],
            ["second", t(board === "position" ? "side.orange" : "setup.side.second")],
          ]),
      this.createRadioButtons("board", t("setup.board"), [
        ["random", t("setup.board.random")],
        ["classic", "6×7"],
        ["custom", t("setup.board.custom")],
        ...(board === "position" ? [["position", t("setup.board.position")]] : []),
      ]),
      board === "random" ? this.createRandomBoardRow() : null,
      board === "custom" ? this.picker.element : null,
      createClockFields(this),
      el("button", start, t("setup.start")),
      el("p", { class: "small muted" }, t(this.isUserFirst ? "setup.help.click" : "setup.help.engine_first")),
      createSoundField(),
    );
  }

  /**
   * @param {"by" | "side" | "board"} name
   * @param {string} legend
   * @param {string[][]} options pairs of value and text
   */
  createRadioButtons(name, legend, options) {
    const labels = options.map(([value, text]) => {
      const change = () => this.change({ [name]: value });
      const checked = this.choice[name] === value;
      const dataset = { focusKey: `${name}-${value}` };
      return el("label", {}, el("input", { type: "radio", name, value, checked, dataset, on: { change } }), text);
    });
    return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "segmented" }, labels));
  }

  createRandomBoardRow() {
    const { rows, cols, hole } = this.position;
    const blocked = hole ? t("board.hole", COLUMN_NAMES[hole[1]], rows - hole[0]) : "";
    return el(
      "div",
      { class: "row spread small" },
      el("span", { class: "muted" }, t("board.size.hole", rows, cols, blocked)),
      createButton("new-board", t("setup.new_board"), () => this.change({ board: "random" })),
    );
  }
}

export function createSoundField() {
  return createCheckboxField({ label: t("sound.label"), checked: isSoundOn(), field: "sound", onChange: setSound });
}
