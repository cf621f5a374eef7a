// The row below the board: for each column the win chance after a move there, as the engine estimates it, or the proven
// result; for the side whose values are shown. Hover, focus and tap show what follows after a move in the column.

import { getShownSide, toShownSide } from "../model/perspective.js";
import { COLUMN_NAMES } from "../model/position.js";
import { countWinnerMoves, getColumnScore } from "../model/scores.js";
import { t } from "../words/language.js";
import { formatColumnScore, formatRefutation, formatWinChance } from "../words/score_text.js";
import { el, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";
import { announce } from "./notifications.js";

/** @import { AnalysisReply, ColumnInfo, ScoreInfo } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

export class ColumnValues {
  /**
   * @param {HTMLElement} element gets one button for each column
   * @param {() => void} onPreview called when the moves of another column are to be drawn on the board
   */
  constructor(element, onPreview) {
    this.element = element;
    this.onPreview = onPreview;
    /** The line of text about the column whose moves are drawn. */
    this.note = el("div", { class: "column-note small" });
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** @type {Map<number, ColumnInfo>} */
    this.entries = new Map();
    /** @type {Position | null} */
    this.position = null;
    /** @type {number | null} */
    this.hovered = null;
    /** @type {number | null} */
    this.focused = null;
    /** The column that was clicked or tapped; its moves stay on the board. @type {number | null} */
    this.pinned = null;
    this.element.setAttribute("role", "toolbar");
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** The column whose moves are to be drawn on the board; null draws the expected moves of the position. */
  get previewed() {
    const column = this.hovered ?? this.focused ?? this.pinned;
    const entry = column === null ? null : this.entries.get(column);
    return entry?.pv.length ? entry : null;
  }

  /**
   * Show the values of a position; without an analysis each legal column gets a placeholder.
   * @param {AnalysisReply | null} analysis
   * @param {Position} position
   */
  show(analysis, position) {
    if (this.position?.notation !== position.notation) {
      this.focused = null;
      this.pinned = null;
    }
    this.position = position;
    this.entries = new Map(analysis?.columns.map((entry) => [entry.column, entry]));
    if (this.buttons.length !== position.cols || !this.element.firstChild) this.createButtons(position.cols);
    this.element.setAttribute("aria-label", t("column.list"));
    this.element.setAttribute("aria-description", t("column.help"));
    const allVisits = analysis?.columns.reduce((sum, entry) => sum + entry.visits, 0) ?? 0;
    for (const [column, button] of this.buttons.entries()) {
      button.disabled = !position.isLegal(column);
      this.drawButton(button, column, { isBest: column === analysis?.move, allVisits });
    }
    this.moveTabStop();
    this.drawNote();
  }

  /** Remove all values. */
  clear() {
    this.buttons = [];
    this.entries.clear();
    this.position = null;
    this.element.replaceChildren();
    this.removePreview();
  }

  /** Remove the moves of a column from the board. */
  removePreview() {
    const had = this.previewed !== null;
    this.hovered = null;
    this.focused = null;
    this.pinned = null;
    this.drawPressed();
    this.drawNote();
    if (had) this.onPreview();
  }

  /** @param {number} cols */
  createButtons(cols) {
    this.buttons = Array.from({ length: cols }, (_, column) => {
      const on = {
        pointerenter: (/** @type {PointerEvent} */ event) =>
          event.pointerType === "mouse" && this.preview({ hovered: column }),
        pointerleave: () => this.preview({ hovered: null }),
        focus: () => {
          this.moveTabStop(column);
          if (this.buttons[column].matches(":focus-visible")) this.preview({ focused: column });
        },
        blur: () => this.preview({ focused: null }),
        click: () => this.togglePin(column),
      };
      return el("button", { type: "button", class: "column-value", dataset: { column }, on });
    });
    this.element.replaceChildren(...this.buttons);
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {number} column
   * @param {{isBest: boolean, allVisits: number}} properties
   */
  drawButton(button, column, { isBest, allVisits }) {
    const entry = this.entries.get(column);
    const score = getColumnScore(entry);
    button.classList.toggle("best", isBest);
    if (button.disabled || !this.position) {
      button.replaceChildren();
      button.removeAttribute("title");
      button.removeAttribute("aria-label");
      return;
    }
    const text = entry
      ? describeColumn(entry, this.position)
      : t("column.label", COLUMN_NAMES[column], t("score.unknown"));
    button.title = text;
    button.setAttribute("aria-label", isBest ? `${text} ${t("column.best")}` : text);
    button.setAttribute("aria-pressed", String(column === this.pinned));
    const bar = el("i");
    bar.style.width = `${(100 * (entry?.visits ?? 0)) / Math.max(allVisits, 1)}%`;
    button.replaceChildren(
      ...(score ? createValue(toShownSide(score, this.position.turn)) : [el("span", {}, "…")]),
      el("span", { class: "visit-share" }, bar),
    );
  }

  drawPressed() {
    for (const [column, button] of this.buttons.entries()) {
      if (!button.disabled) button.setAttribute("aria-pressed", String(column === this.pinned));
    }
  }

  drawNote() {
    const entry = this.previewed;
    const text = entry && this.position ? describeColumn(entry, this.position) : "";
    const label = t("column.remove_preview");
    const remove = () =>
      createButton("remove-preview", "×", () => this.removePreview(), { variant: "compact", "aria-label": label });
    replaceContent(this.note, el("span", {}, text), text && this.pinned !== null ? remove() : null);
  }

  /** @param {{hovered?: number | null, focused?: number | null}} change */
  preview(change) {
    const before = this.previewed;
    Object.assign(this, change);
    if (this.previewed === before) return;
    this.drawNote();
    this.onPreview();
  }

  /** @param {number} column */
  togglePin(column) {
    if (this.pinned === column) {
      this.removePreview();
      return;
    }
    this.pinned = column;
    this.drawPressed();
    this.drawNote();
    this.onPreview();
    const entry = this.entries.get(column);
    if (entry && this.position) announce(describeColumn(entry, this.position));
  }

  /**
   * Make one button reachable with Tab: a given one, else the one that was, else the first.
   * @param {number} [column]
   */
  moveTabStop(column) {
    const current = this.buttons.find((button) => button.tabIndex === 0 && !button.disabled);
    const target = column === undefined ? current : this.buttons[column];
    const stop = target ?? this.buttons.find((button) => !button.disabled);
    for (const button of this.buttons) button.tabIndex = button === stop ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const enabled = this.buttons.filter((button) => !button.disabled);
    const at = enabled.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: enabled.length - 1 };
    if (event.key in targets) enabled[targets[event.key]]?.focus();
    else if (event.key === "Escape") this.removePreview();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * "Column 5: Blue loses in 2: column 7, then 3 7": the result and, for a lost column, the refutation.
 * @param {ColumnInfo} entry
 * @param {Position} position
 */
function describeColumn(entry, { turn }) {
  const score = getColumnScore(entry);
  if (!score) return t("column.label", COLUMN_NAMES[entry.column], t("score.unknown"));
  const text = formatColumnScore(entry.column, toShownSide(score, turn), getShownSide(turn));
  return entry.proof === "loss" ? formatRefutation(text, entry.pv.slice(1)) : text;
}

/** @param {ScoreInfo} score of the side whose values are shown */
function createValue(score) {
  if (!score.proof) return [el("span", {}, formatWinChance(score))];
  const result = el("span", { class: score.proof }, t(`column.${score.proof}`));
  if (score.proof === "draw" || !score.distance) return [result];
  const preposition = el("span", { class: "preposition" }, t("column.in"));
  return [result, el("span", {}, preposition, t("column.moves", countWinnerMoves(score.distance)))];
}
