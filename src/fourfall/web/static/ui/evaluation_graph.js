// The evaluation graph: the win chance after each move, of the side whose values are shown. Pointer and arrow keys select a move.

import { t } from "../words/language.js";
import { formatEvaluation } from "../words/score_text.js";
import { el, svg } from "./dom.js";

/** @import { MistakeKind, Player, ScoreInfo } from "../model/messages.d.ts" */

/**
 * The position after one ply: its score and the mark of the move that led to it.
 * @typedef {{score: ScoreInfo | null, mark: "" | MistakeKind}} GraphPoint
 */
/** @typedef {{ply: number, score: ScoreInfo, mark: "" | MistakeKind}} KnownPoint */
/** @typedef {[x: number, y: number]} Point */

const HEIGHT = 120;
const PADDING = 10;
const LEFT = 26;
const GRID_LINES = [0.1, 0.25, 0.5, 0.75, 0.9];
/** An exponent below 1 enlarges small advantages. */
const SCALE_EXPONENT = 0.6;

/** The shape says how large the mistake is: triangle, square, cross. @type {Record<MistakeKind, string>} */
const MISTAKE_SHAPES = {
  inaccuracy: "M0-5.500L5.500 4.500H-5.500Z",
  mistake: "M-4.500-4.500H4.500V4.500H-4.500Z",
  blunder: "M-5-5L5 5M5-5L-5 5",
};

export class EvaluationGraph {
  /** @param {(ply: number) => void} onSelect */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.image = svg("svg", { "aria-hidden": "true", height: HEIGHT });
    const role = { class: "evaluation-graph", role: "slider", tabindex: 0, "aria-valuemin": 0 };
    this.element = el("div", role, this.image);
    /** @type {GraphPoint[]} */
    this.points = [];
    /** @type {Player} */
    this.side = 0;
    this.ply = 0;
    this.width = 0;
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.selectAt(event.clientX);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons) this.selectAt(event.clientX);
    });
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /**
   * @param {GraphPoint[]} points one for each ply from 0, with scores of the player `side`
   * @param {number} ply the selected one
   * @param {Player} side
   */
  show(points, ply, side) {
    this.side = side;
    this.points = points;
    this.ply = ply;
    this.draw();
    const score = points[ply]?.score;
    const text = score ? formatEvaluation(score, side) : t("score.unknown");
    this.element.setAttribute("aria-label", t("graph.label"));
    this.element.setAttribute("aria-valuemax", String(points.length - 1));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", t("graph.at", ply, text));
  }

  /** @param {number} ply */
  toX(ply) {
    return LEFT + (ply / Math.max(this.points.length - 1, 1)) * (this.width - LEFT - PADDING);
  }

  /** @param {number} winChance of the side whose values are shown */
  toY(winChance) {
    const advantage = 2 * Math.min(Math.max(winChance, 0), 1) - 1;
    const scaled = Math.sign(advantage) * Math.abs(advantage) ** SCALE_EXPONENT;
    return HEIGHT / 2 - scaled * (HEIGHT / 2 - PADDING);
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.width || !this.points.length) return;
    this.image.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    /** @type {KnownPoint[]} */
    const known = [];
    this.points.forEach(({ score, mark }, ply) => {
      if (score) known.push({ ply, score, mark });
    });
    this.image.replaceChildren(
      ...this.drawGridLines(),
      ...createSideIcons(this.side),
      ...this.drawCurve(known),
      ...this.drawCurrentMarks(),
      ...known.flatMap((point) => (point.mark ? [this.drawMistakeDot(point, point.mark)] : [])),
    );
  }

  drawGridLines() {
    return GRID_LINES.map((winChance) => {
      const y = this.toY(winChance);
      const style = winChance === 0.5 ? "grid-line even" : "grid-line";
      return svg("line", { class: style, x1: LEFT, x2: this.width - PADDING, y1: y, y2: y });
    });
  }

  /**
   * The curve; the area between it and the 50 % line has the colour of the better side.
   * @param {KnownPoint[]} known
   */
  drawCurve(known) {
    if (known.length < 2) return [];
    const middle = HEIGHT / 2;
    /** @type {Point[]} */
    const points = known.map(({ ply, score }) => [this.toX(ply), this.toY(score.win_chance)]);
    /** @param {(...values: number[]) => number} clip keeps the part on one side of the 50 % line */
    const area = (clip) => {
      const edge = points.map(
        ([x, y], index) => `${findCrossing(points[index - 1], [x, y], middle)}L${x} ${clip(y, middle)}`,
      );
      return `M${points[0][0]} ${middle}${edge.join("")}L${points[points.length - 1][0]} ${middle}Z`;
    };
    return [
      svg("path", { class: `area player-${this.side}`, d: area(Math.min) }),
      svg("path", { class: `area player-${1 - this.side}`, d: area(Math.max) }),
      svg("path", { class: "curve", d: `M${points.map((point) => point.join(" ")).join("L")}` }),
    ];
  }

  /** The vertical line at the selected ply and the point on the curve. */
  drawCurrentMarks() {
    const x = this.toX(this.ply);
    const line = svg("line", { class: "current-line", x1: x, x2: x, y1: 2, y2: HEIGHT - 2 });
    const score = this.points[this.ply]?.score;
    return score
      ? [line, svg("circle", { class: "current-point", cx: x, cy: this.toY(score.win_chance), r: 4.5 })]
      : [line];
  }

  /**
   * @param {KnownPoint} point
   * @param {MistakeKind} mark
   */
  drawMistakeDot({ ply, score }, mark) {
    const transform = `translate(${this.toX(ply)} ${this.toY(score.win_chance)})`;
    return svg("g", { class: `mistake-dot ${mark}`, transform }, svg("path", { d: MISTAKE_SHAPES[mark] }));
  }

  /** @param {number} clientX */
  selectAt(clientX) {
    const box = this.element.getBoundingClientRect();
    const fraction = (clientX - box.left - LEFT) / (box.width - LEFT - PADDING);
    this.onSelect(Math.round(Math.min(Math.max(fraction, 0), 1) * (this.points.length - 1)));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const last = this.points.length - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: this.ply - 1,
      ArrowDown: this.ply - 1,
      ArrowRight: this.ply + 1,
      ArrowUp: this.ply + 1,
      Home: 0,
      End: last,
      PageDown: this.ply - 10,
      PageUp: this.ply + 10,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onSelect(Math.min(Math.max(target, 0), last));
  }
}

/**
 * The stone of the player `side` at the top, the opponent's at the bottom.
 * @param {Player} side
 */
function createSideIcons(side) {
  const square = { x: -4, y: -4, width: 8, height: 8, transform: "rotate(45)" };
  const [top, bottom] = ["translate(12 12)", `translate(12 ${HEIGHT - 12})`];
  return [
    svg("g", { class: "player-0", transform: side === 0 ? top : bottom }, svg("circle", { r: 5 })),
    svg("g", { class: "player-1", transform: side === 0 ? bottom : top }, svg("rect", square)),
  ];
}

/**
 * The path to the point where the curve crosses the 50 % line between two points; empty if it does not.
 * @param {Point | undefined} from
 * @param {Point} to
 * @param {number} middle
 */
function findCrossing(from, to, middle) {
  if (!from || (from[1] - middle) * (to[1] - middle) >= 0) return "";
  const fraction = (middle - from[1]) / (to[1] - from[1]);
  return `L${from[0] + fraction * (to[0] - from[0])} ${middle}`;
}
