// Owns the choices before a game: opponent, side, time and board, remembered from game to game.

import { el } from "./dom.js";
import { button, numberField, picker, timePicker } from "./fields.js";
import { number, t } from "./language.js";
import { recall, remember } from "./memory.js";
import { LARGEST, Position, SMALLEST } from "./rules.js";

const TIMES = [0.5, 1, 2, 5, 10, 30];

export class Setup {
  /** `onChange()` hears every choice; `onStart()` the button. */
  constructor(app, { onChange, onStart }) {
    this.app = app;
    this.onChange = onChange;
    this.onStart = onStart;
    this.choice = {
      by: "level",
      level: 3,
      engine: "fourfall",
      side: "first",
      time_s: 1,
      kind: "random",
      rows: 8,
      cols: 9,
      hole: null,
      ...recall("setup", {}),
    };
    if (!["random", "own", "classic"].includes(this.choice.kind)) this.choice.kind = "random";
    this.picking = false;
    this.position = this.fresh();
  }

  fresh() {
    const { kind, rows, cols, hole } = this.choice;
    if (kind === "own") return new Position(rows, cols, hole && hole[0] < rows && hole[1] < cols ? hole : null);
    return kind === "classic" ? new Position(6, 7) : Position.random();
  }

  get isPicking() {
    return this.choice.kind === "own" && this.picking;
  }

  get opponent() {
    return this.choice.by === "level" ? `level-${this.choice.level}` : this.choice.engine;
  }

  /** The message that begins this game. */
  message() {
    const time = this.choice.by === "level" ? null : this.choice.time_s;
    return { type: "new", board: this.position.text, opponent: this.opponent, side: this.choice.side, time_s: time };
  }

  /** Prepare a game from a position; whoever is to move there is the person. */
  from(position, opponent) {
    const level = /^level-(\d+)$/.exec(opponent ?? "")?.[1];
    if (level) Object.assign(this.choice, { by: "level", level: Number(level) });
    else if (this.app.engines().some(({ name }) => name === opponent))
      Object.assign(this.choice, { by: "engine", engine: opponent });
    this.position = position;
    this.choice.kind = "from";
    this.choice.side = position.turn === 0 ? "first" : "second";
  }

  renew() {
    if (this.choice.kind === "from") this.choice.kind = "random";
    this.position = this.fresh();
  }

  placeHole(row, column) {
    const same = String(this.choice.hole) === `${row},${column}`;
    this.change({ hole: same ? null : [row, column] });
  }

  change(change) {
    const again = ["kind", "rows", "cols", "hole"].some((name) => name in change);
    Object.assign(this.choice, change);
    if (change.kind === "own") this.picking = true;
    if (this.choice.kind !== "from") remember("setup", this.choice);
    if (again && this.choice.kind !== "from") this.position = this.fresh();
    this.onChange();
  }

  render() {
    const { choice } = this;
    return el(
      "form",
      {
        class: "card setup",
        "aria-label": t("setup"),
        on: {
          submit: (event) => {
            event.preventDefault();
            this.onStart();
          },
        },
      },
      this.opponentFields(),
      this.options("side", "setup.side", [
        ["first", t("side.first")],
        ["second", t("side.second")],
      ]),
      this.options("kind", "setup.board", [
        ["random", t("kind.random")],
        ["classic", "6×7"],
        ["own", t("kind.own")],
        ...(choice.kind === "from" ? [["from", t("kind.from")]] : []),
      ]),
      choice.kind === "random" ? this.dice() : null,
      choice.kind === "own" ? this.sizeFields() : null,
      el(
        "button",
        { type: "submit", class: "primary wide", dataset: { keep: "start", action: "start" } },
        t("start.game"),
      ),
      el(
        "p",
        { class: "small faint" },
        t(
          this.isPicking
            ? "start.pick"
            : choice.side === "first" || choice.kind === "from"
              ? "start.click"
              : "start.second",
        ),
      ),
    );
  }

  opponentFields() {
    const ways = [
      ["level", t("by.level")],
      ["engine", t("by.engine")],
    ];
    const fields = this.choice.by === "level" ? this.slider() : this.engineFields();
    return el("div", { class: "stack" }, this.options("by", "setup.opponent", ways), fields);
  }

  slider() {
    const { choice } = this;
    const text = () => this.levelText(choice.level);
    const shown = el("output", { for: "level" }, text());
    const input = (event) => {
      choice.level = Number(event.target.value);
      shown.textContent = text();
      event.target.setAttribute("aria-valuetext", text());
      remember("setup", choice);
    };
    const range = { type: "range", min: 1, max: this.app.welcome?.levels.length ?? 10, step: 1, value: choice.level };
    return el(
      "div",
      { class: "level" },
      el("div", { class: "row spread" }, el("label", { for: "level" }, t("level")), shown),
      el("input", { ...range, id: "level", "aria-valuetext": text(), dataset: { keep: "level" }, on: { input } }),
      el(
        "div",
        { class: "row spread small faint", "aria-hidden": "true" },
        el("span", {}, t("level.1")),
        el("span", {}, t("level.10")),
      ),
    );
  }

  engineFields() {
    const { engine, time_s } = this.choice;
    const options = this.app.engines().map(({ name }) => name);
    const pickEngine = (name) => this.change({ engine: name });
    const pickTime = (time) => this.change({ time_s: time });
    return el(
      "div",
      { class: "pair" },
      picker({ label: t("engine.which"), value: engine, options, field: "opponent", pick: pickEngine }),
      timePicker({ label: t("setup.time"), value: time_s, times: TIMES, field: "time", pick: pickTime }),
    );
  }

  levelText(level) {
    const simulations = this.app.welcome?.levels[level - 1]?.simulations;
    return simulations
      ? t("level.text", level, t(`level.${level}`), number(simulations))
      : t("level.short", level, t(`level.${level}`));
  }

  options(name, words, values) {
    return el(
      "fieldset",
      {},
      el("legend", {}, t(words)),
      el(
        "div",
        { class: "choice" },
        values.map(([value, text]) =>
          el(
            "label",
            {},
            el("input", {
              type: "radio",
              name,
              value,
              checked: this.choice[name] === value,
              dataset: { keep: `${name}-${value}` },
              on: { change: () => this.change({ [name]: value }) },
            }),
            text,
          ),
        ),
      ),
    );
  }

  dice() {
    return el(
      "div",
      { class: "row spread small" },
      el("span", { class: "faint" }, t("board.size", this.position.rows, this.position.cols)),
      el(
        "button",
        {
          type: "button",
          class: "quiet",
          dataset: { keep: "dice", action: "another" },
          on: { click: () => this.change({ kind: "random" }) },
        },
        t("another.board"),
      ),
    );
  }

  sizeFields() {
    const pick = (name) => (size) =>
      this.change({ [name]: Math.min(Math.max(Math.round(size) || SMALLEST, SMALLEST), LARGEST) });
    const field = (name) =>
      numberField({
        label: t(name),
        value: this.choice[name],
        min: SMALLEST,
        max: LARGEST,
        field: name,
        pick: pick(name),
      });
    const pickHole = () => {
      this.picking = !this.picking;
      this.onChange();
    };
    return el(
      "div",
      { class: "row sizes" },
      field("rows"),
      field("cols"),
      button("place-hole", t("place.hole"), pickHole, { "aria-pressed": String(this.picking) }),
    );
  }
}
