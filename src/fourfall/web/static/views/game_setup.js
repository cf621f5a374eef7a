// The form before a game: opponent, first move, time per move and board. The choices are stored.

import { MAX_SIZE, MIN_SIZE, Position } from "../model/position.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el } from "../ui/dom.js";
import { createButton, createNumberField, createSelectField, createTimeField } from "../ui/form_fields.js";
import { formatNumber, t } from "../words/language.js";

/** @import { App } from "../app.js" */
/** @import { Cell, ClientMessage, Player } from "../model/messages.d.ts" */

/**
 * `board`: a random official board, 6×7, a board of chosen size, or the position of another view.
 * @typedef {object} SetupChoice
 * @property {"level" | "engine"} by
 * @property {number} level
 * @property {string} engine
 * @property {"first" | "second"} side
 * @property {number} move_time_s
 * @property {"random" | "classic" | "custom" | "position"} board
 * @property {number} rows
 * @property {number} cols
 * @property {Cell | null} hole
 */

const MOVE_TIMES_S = [0.5, 1, 2, 5, 10, 30];
const LEVELS = 10;

/** @type {SetupChoice} */
const DEFAULT_CHOICE = {
  by: "level",
  level: 3,
  engine: "fourfall",
  side: "first",
  move_time_s: 1,
  board: "random",
  rows: 8,
  cols: 9,
  hole: null,
};

export class GameSetup {
  /**
   * @param {App} app
   * @param {{onChange: () => void, onStart: () => void}} listeners
   */
  constructor(app, { onChange, onStart }) {
    this.app = app;
    this.onChange = onChange;
    this.onStart = onStart;
    /** @type {SetupChoice} */
    this.choice = { ...DEFAULT_CHOICE, ...loadSetting("setup", {}) };
    this.isHoleButtonPressed = false;
    this.position = this.createBoard();
  }

  createBoard() {
    const { board, rows, cols, hole } = this.choice;
    if (board === "custom") return new Position(rows, cols, hole && hole[0] < rows && hole[1] < cols ? hole : null);
    return board === "classic" ? new Position(6, 7) : Position.random();
  }

  renewBoard() {
    if (this.choice.board === "position") this.choice.board = "random";
    this.position = this.createBoard();
  }

  /** Whether a click on the board sets the blocked cell. */
  get isPlacingHole() {
    return this.choice.board === "custom" && this.isHoleButtonPressed;
  }

  get opponent() {
    return this.choice.by === "level" ? `level-${this.choice.level}` : this.choice.engine;
  }

  /** @returns {Player} */
  get userPlayer() {
    return this.choice.side === "first" ? 0 : 1;
  }

  /** Whether the user makes the next move; after "Play from here" it is always the user. */
  get isUserFirst() {
    return this.choice.side === "first" || this.choice.board === "position";
  }

  getStatusText() {
    if (this.isPlacingHole) return t("status.place_hole");
    return t(this.isUserFirst ? "status.ready" : "status.ready.engine_first");
  }

  /**
   * The message that starts the game.
   * @returns {ClientMessage}
   */
  createMessage() {
    const { by, side } = this.choice;
    const move_time_s = by === "level" ? null : this.choice.move_time_s;
    return { type: "new", board: this.position.notation, opponent: this.opponent, side, move_time_s };
  }

  /**
   * Start from a position; the user is the side to move.
   * @param {Position} position
   * @param {string | null} opponent
   */
  usePosition(position, opponent) {
    const level = /^level-(\d+)$/.exec(opponent ?? "")?.[1];
    if (level) Object.assign(this.choice, { by: "level", level: Number(level) });
    else if (this.app.engines.some(({ name }) => name === opponent))
      Object.assign(this.choice, { by: "engine", engine: opponent });
    this.position = position;
    this.choice.board = "position";
    this.choice.side = position.turn === 0 ? "first" : "second";
  }

  /**
   * Block a cell, or unblock it if it is the blocked one.
   * @param {number} row
   * @param {number} column
   */
  toggleHole(row, column) {
    const isHole = String(this.choice.hole) === `${row},${column}`;
    this.change({ hole: isHole ? null : [row, column] });
  }

  /** @param {Partial<SetupChoice>} change */
  change(change) {
    const changesBoard = ["board", "rows", "cols", "hole"].some((name) => name in change);
    Object.assign(this.choice, change);
    if (change.board === "custom") this.isHoleButtonPressed = true;
    if (this.choice.board !== "position") {
      saveSetting("setup", this.choice);
      if (changesBoard) this.position = this.createBoard();
    }
    this.onChange();
  }

  render() {
    const { board } = this.choice;
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      this.onStart();
    };
    const start = { type: "submit", class: "primary wide", dataset: { focusKey: "start", action: "start" } };
    return el(
      "form",
      { class: "card setup", "aria-label": t("setup.title"), on: { submit } },
      this.createOpponentFields(),
      this.createRadioButtons("side", t("setup.side"), [
        ["first", t("setup.side.first")],
        ["second", t("setup.side.second")],
      ]),
      this.createRadioButtons("board", t("setup.board"), [
        ["random", t("setup.board.random")],
        ["classic", "6×7"],
        ["custom", t("setup.board.custom")],
        ...(board === "position" ? [["position", t("setup.board.position")]] : []),
      ]),
      board === "random" ? this.createRandomBoardRow() : null,
      board === "custom" ? this.createSizeFields() : null,
      el("button", start, t("setup.start")),
      el("p", { class: "small muted" }, this.getHelpText()),
    );
  }

  getHelpText() {
    if (this.isPlacingHole) return t("setup.help.hole");
    return t(this.isUserFirst ? "setup.help.click" : "setup.help.engine_first");
  }

  createOpponentFields() {
    const kinds = [
      ["level", t("setup.by_level")],
      ["engine", t("setup.by_engine")],
    ];
    const fields = this.choice.by === "level" ? this.createLevelField() : this.createEngineFields();
    return el("div", { class: "stack" }, this.createRadioButtons("by", t("setup.opponent"), kinds), fields);
  }

  createLevelField() {
    const { choice } = this;
    const output = el("output", { for: "level" }, this.getLevelText());
    const input = () => {
      choice.level = Number(slider.value);
      output.textContent = this.getLevelText();
      slider.setAttribute("aria-valuetext", this.getLevelText());
      if (choice.board !== "position") saveSetting("setup", choice);
    };
    const range = {
      type: "range",
      min: 1,
      max: this.app.welcome?.levels.length ?? LEVELS,
      step: 1,
      value: choice.level,
    };
    const slider = el("input", {
      ...range,
      id: "level",
      "aria-valuetext": this.getLevelText(),
      dataset: { focusKey: "level" },
      on: { input },
    });
    return el(
      "div",
      { class: "level-field" },
      el("div", { class: "row spread" }, el("label", { for: "level" }, t("setup.level")), output),
      slider,
      el(
        "div",
        { class: "row spread small muted", "aria-hidden": "true" },
        el("span", {}, t("level.1")),
        el("span", {}, t(`level.${LEVELS}`)),
      ),
    );
  }

  getLevelText() {
    const { level } = this.choice;
    const simulations = this.app.welcome?.levels[level - 1]?.simulations;
    return simulations
      ? t("level.text", level, t(`level.${level}`), formatNumber(simulations))
      : t("level.short", level, t(`level.${level}`));
  }

  createEngineFields() {
    const { engine, move_time_s } = this.choice;
    return el(
      "div",
      { class: "two-columns" },
      createSelectField({
        label: t("engine.name"),
        value: engine,
        options: this.app.engines.map(({ name }) => [name, name]),
        field: "opponent",
        onChange: (name) => this.change({ engine: name }),
      }),
      createTimeField({
        label: t("setup.move_time"),
        value: move_time_s,
        times: MOVE_TIMES_S,
        field: "time",
        onChange: (seconds) => this.change({ move_time_s: seconds }),
      }),
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
    const { rows, cols } = this.position;
    return el(
      "div",
      { class: "row spread small" },
      el("span", { class: "muted" }, t("board.size.hole", rows, cols)),
      createButton("new-board", t("setup.new_board"), () => this.change({ board: "random" }), { variant: "secondary" }),
    );
  }

  createSizeFields() {
    /** @param {"rows" | "cols"} name */
    const sizeField = (name) =>
      createNumberField({
        label: t(`setup.${name}`),
        value: this.choice[name],
        min: MIN_SIZE,
        max: MAX_SIZE,
        field: name,
        onChange: (size) =>
          this.change({ [name]: Math.min(Math.max(Math.round(size) || MIN_SIZE, MIN_SIZE), MAX_SIZE) }),
      });
    const toggle = () => {
      this.isHoleButtonPressed = !this.isHoleButtonPressed;
      this.onChange();
    };
    const pressed = { "aria-pressed": String(this.isHoleButtonPressed) };
    return el(
      "div",
      { class: "row size-fields" },
      sizeField("rows"),
      sizeField("cols"),
      createButton("place-hole", t("setup.place_hole"), toggle, pressed),
    );
  }
}
