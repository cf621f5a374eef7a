// The chart of the ratings of a ladder: one line per agent over the number of games. Pointer and arrow keys select a
// point in time; a tooltip lists the ratings there.

import { formatDate, formatNumber, t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { placeTooltip, selectByKey } from "./chart_selection.js";
import { el, replaceContent, svg } from "./dom.js";
import { formatSignedNumber } from "./event_tables.js";
import { getLineClass } from "./ladder_table.js";

/** @import { LadderHistory } from "../model/ladder_messages.d.ts" */
/** @typedef {{name: string, className: string, points: [x: number, y: number][]}} ChartLine */

const HEIGHT = 320;
const TOP = 12;
const BOTTOM = 30;
const LEFT = 46;
const LABEL_GAP = 8;
const LABEL_HEIGHT = 15;
const LETTER_WIDTH = 7;
const MAX_LABEL_SHARE = 0.28; // of the width
const MIN_TICK_DISTANCE = { x: 70, y: 34 };

export class RatingChart {
  constructor() {
    /** @type {LadderHistory} */
    this.history = { games: [], times: [], ratings: {} };
    /** Names of the agents whose lines have colours and labels. @type {string[]} */
    this.lines = [];
    /** The selected point in time; null for the last one. @type {number | null} */
    this.selected = null;
    this.image = svg("svg", { "aria-hidden": "true", height: HEIGHT });
    this.tooltip = el("div", { class: "graph-tooltip", "aria-hidden": "true", hidden: true });
    const attributes = { class: "graph-plot rating-chart", role: "slider", tabindex: 0, "aria-valuemin": 0 };
    this.element = el("div", attributes, this.image, this.tooltip);
    this.addListeners();
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  addListeners() {
    this.element.addEventListener("pointermove", (event) => this.select(this.findPoint(event)));
    this.element.addEventListener("pointerdown", (event) => this.select(this.findPoint(event)));
    for (const type of ["pointerleave", "blur"]) this.element.addEventListener(type, () => this.select(null));
    this.element.addEventListener("focus", () => {
      if (this.element.matches(":focus-visible")) this.select(this.last);
    });
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /**
   * @param {LadderHistory | null} history
   * @param {string[]} lines
   */
  show(history, lines) {
    if (history) this.history = history;
    this.lines = lines;
    const isEmpty = this.history.games.length < 2;
    this.element.hidden = isEmpty;
    if (isEmpty) return;
    if (this.selected !== null) this.selected = Math.min(this.selected, this.last);
    this.draw();
  }

  get last() {
    return this.history.games.length - 1;
  }

  /** @param {number | null} point */
  select(point) {
    if (point === this.selected) return;
    this.selected = point;
    this.draw();
  }

  draw() {
    const { games, ratings } = this.history;
    this.width = this.element.clientWidth;
    if (!this.width || games.length < 2) return;
    const values = Object.values(ratings).flatMap((line) => line.filter((value) => value !== null));
    this.low = Math.min(...values, 0);
    this.high = Math.max(...values, 0);
    const longest = Math.max(0, ...this.lines.map((name) => translatePlayerName(name).length));
    this.right = Math.min(longest * LETTER_WIDTH + 2 * LABEL_GAP, MAX_LABEL_SHARE * this.width) + LABEL_GAP;
    const others = Object.keys(ratings).filter((name) => !this.lines.includes(name));
    const shown = this.lines.map((name, index) => this.createLine(name, getLineClass(index)));
    this.image.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.image.replaceChildren(
      ...this.drawAxes(),
      ...others.map((name) => drawLine(this.createLine(name, "rating-line other-line"))),
      ...shown.map(drawLine),
      ...this.drawLabels(shown),
      ...this.drawSelection(shown),
    );
    this.describe();
  }

  /** @param {number} point */
  toX(point) {
    const { games } = this.history;
    const width = (this.width ?? 0) - LEFT - (this.right ?? 0);
    return LEFT + (width * (games[point] - games[0])) / Math.max(games[this.last] - games[0], 1);
  }

  /** @param {number} rating */
  toY(rating) {
    const [low, high] = [this.low ?? 0, this.high ?? 0];
    return TOP + ((HEIGHT - TOP - BOTTOM) * (high - rating)) / Math.max(high - low, 1);
  }

  /**
   * @param {string} name
   * @param {string} className
   * @returns {ChartLine}
   */
  createLine(name, className) {
    /** @type {[number, number][]} */
    const points = [];
    this.history.ratings[name]?.forEach((rating, point) => {
      if (rating !== null) points.push([this.toX(point), this.toY(rating)]);
    });
    return { name, className, points };
  }

  drawAxes() {
    const { games } = this.history;
    const right = (this.width ?? 0) - (this.right ?? 0);
    const [low, high] = [this.low ?? 0, this.high ?? 0];
    const bottom = HEIGHT - BOTTOM;
    const rows = listTicks(low, high, (MIN_TICK_DISTANCE.y / (bottom - TOP)) * (high - low)).flatMap((value) => {
      const y = this.toY(value);
      return [
        svg("line", { class: value ? "grid-line" : "grid-line even", x1: LEFT, x2: right, y1: y, y2: y }),
        svg("text", { class: "axis-label", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, formatSignedNumber(value)),
      ];
    });
    const span = games[this.last] - games[0];
    const columns = listTicks(games[0], games[this.last], (MIN_TICK_DISTANCE.x / (right - LEFT)) * span).map(
      (value) => {
        const x = LEFT + ((right - LEFT) * (value - games[0])) / Math.max(span, 1);
        return svg("text", { class: "axis-label", x, y: HEIGHT - 8, "text-anchor": "middle" }, formatNumber(value));
      },
    );
    const title = { class: "axis-label", x: (this.width ?? 0) - LABEL_GAP, y: HEIGHT - 8, "text-anchor": "end" };
    return [...rows, ...columns, svg("text", title, t("ladder.chart.games"))];
  }

  /**
   * Names at the ends of the lines, moved apart where they would overlap.
   * @param {ChartLine[]} lines
   */
  drawLabels(lines) {
    const letters = Math.floor(((this.right ?? 0) - 2 * LABEL_GAP) / LETTER_WIDTH);
    const ends = lines.flatMap(({ name, className, points }) => {
      const end = points[points.length - 1];
      return end ? [{ name, className, x: end[0], y: end[1] }] : [];
    });
    const heights = spread(
      ends.map(({ y }) => y),
      LABEL_HEIGHT,
      HEIGHT - BOTTOM,
    );
    return ends.flatMap(({ name, className, x, y }, index) => {
      const label = translatePlayerName(name);
      const text = label.length > letters ? `${label.slice(0, Math.max(letters - 1, 1))}…` : label;
      return [
        svg("circle", { class: `${className} line-end`, cx: x, cy: y, r: 3.5 }),
        svg("text", { class: "line-label", x: x + LABEL_GAP, y: heights[index] + 4 }, text),
      ];
    });
  }

  /** @param {ChartLine[]} lines */
  drawSelection(lines) {
    const { selected } = this;
    if (selected === null) return [];
    const x = this.toX(selected);
    const marks = lines.flatMap(({ name, className }) => {
      const rating = this.history.ratings[name]?.[selected] ?? null;
      if (rating === null) return [];
      return [svg("circle", { class: `${className} line-end`, cx: x, cy: this.toY(rating), r: 4.5 })];
    });
    return [svg("line", { class: "current-line", x1: x, x2: x, y1: TOP - 6, y2: HEIGHT - BOTTOM }), ...marks];
  }

  /** Put the ratings at the selected point into the tooltip and into the text for screen readers. */
  describe() {
    const { element, tooltip, history, selected } = this;
    const point = selected ?? this.last;
    const ratings = this.lines
      .map((name) => ({ name, rating: history.ratings[name]?.[point] ?? null }))
      .filter(({ rating }) => rating !== null)
      .sort((one, other) => Number(other.rating) - Number(one.rating));
    const title = t("ladder.chart.point", history.games[point], formatDate(history.times[point]));
    const texts = ratings.map(
      ({ name, rating }) => `${translatePlayerName(name)} ${formatSignedNumber(Number(rating))}`,
    );
    element.setAttribute("aria-label", t("ladder.chart.label"));
    element.setAttribute("aria-valuemax", String(this.last));
    element.setAttribute("aria-valuenow", String(point));
    element.setAttribute("aria-valuetext", `${title}: ${texts.join(", ")}`);
    tooltip.hidden = selected === null;
    if (selected === null) return;
    replaceContent(
      tooltip,
      [el("div", { class: "tooltip-title" }, title)],
      texts.map((text) => el("div", {}, text)),
    );
    const isLeft = this.toX(selected) > element.clientWidth / 2;
    const left = this.toX(selected) + (isLeft ? -tooltip.offsetWidth - 12 : 12);
    placeTooltip(tooltip, left, element.clientWidth);
  }

  /** The point in time that is nearest to the pointer. @param {PointerEvent} event */
  findPoint(event) {
    const x = event.clientX - this.element.getBoundingClientRect().left;
    let nearest = 0;
    for (let point = 1; point <= this.last; point++) {
      if (Math.abs(this.toX(point) - x) < Math.abs(this.toX(nearest) - x)) nearest = point;
    }
    return nearest;
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const point = selectByKey(event, this.selected ?? this.last, this.last);
    if (point !== null) this.select(point);
  }
}

/** @param {ChartLine} line */
function drawLine({ className, points }) {
  const path = points.map((point) => point.map((value) => value.toFixed(1)).join(" ")).join("L");
  return svg("path", { class: className, d: points.length ? `M${path}` : "" });
}

/**
 * Round values between two numbers, at least `distance` apart.
 * @param {number} low
 * @param {number} high
 * @param {number} distance
 */
function listTicks(low, high, distance) {
  const power = 10 ** Math.floor(Math.log10(Math.max(distance, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= distance) ?? 10 * power;
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) ticks.push(value);
  return ticks;
}

/**
 * Move heights apart so that neighbours have a distance; they stay in order and above a limit.
 * @param {number[]} heights
 * @param {number} distance
 * @param {number} limit
 */
function spread(heights, distance, limit) {
  const order = heights.map((height, index) => ({ height, index })).sort((one, other) => one.height - other.height);
  order.forEach((item, place) => {
    if (place) item.height = Math.max(item.height, order[place - 1].height + distance);
  });
  for (let place = order.length - 1; place >= 0; place--) {
    const below = place === order.length - 1 ? limit : order[place + 1].height - distance;
    order[place].height = Math.min(order[place].height, below);
  }
  const moved = [...heights];
  for (const { height, index } of order) moved[index] = height;
  return moved;
}
