// The evaluation graph: the win chance after each move, for the side whose values are shown. Pointer and arrow keys select
// a move; a tooltip names the move and its value.

import { loadSetting, saveSetting } from "../model/storage.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { formatEvaluation, formatPercent } from "../words/score_text.js";
import { createStoneIcon } from "./board_shapes.js";
import { placeTooltip, selectByKey } from "./chart_selection.js";
import { el, replaceContent, svg } from "./dom.js";
import { createCheckboxField } from "./form_fields.js";
import {
  drawAxes,
  drawBranch,
  drawCurrentMarks,
  drawCurve,
  drawPlayerLine,
  drawPointMarks,
  GraphScale,
  HEIGHT,
} from "./graph_drawing.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { GraphBranch, GraphPoint, PlayerLine } from "./graph_drawing.js" */

/**
 * `points` are those of the game from ply 0, `branch` the selected variation, `ply` the selected position, `side` the
 * player whose values the scores are, `playerLines` what the players expected.
 * @typedef {object} GraphData
 * @property {GraphPoint[]} points
 * @property {GraphBranch | null} branch
 * @property {number} ply
 * @property {Player} side
 * @property {PlayerLine[]} playerLines
 */

export class EvaluationGraph {
  /** @param {(ply: number) => void} onSelect */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {GraphData} */
    this.data = { points: [], branch: null, ply: 0, side: 0, playerLines: [] };
    this.showsPlayerLines = loadSetting("player_values", false);
    this.scale = new GraphScale(0, 0);
    this.image = svg("svg", { "aria-hidden": "true", height: HEIGHT });
    this.tooltip = el("div", { class: "graph-tooltip", "aria-hidden": "true", hidden: true });
    const slider = { class: "graph-plot", role: "slider", tabindex: 0, "aria-valuemin": 0 };
    this.plot = el("div", slider, this.image, this.tooltip);
    this.title = el("p", { class: "small muted graph-title" });
    this.legend = el("div", { class: "small graph-legend" });
    this.caption = el("div", { class: "small muted graph-caption" });
    this.element = el("div", { class: "evaluation-graph" }, this.title, this.plot, this.legend, this.caption);
    this.addListeners();
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  addListeners() {
    this.plot.addEventListener("pointerdown", (event) => {
      this.plot.setPointerCapture(event.pointerId);
      this.onSelect(this.findPly(event));
    });
    this.plot.addEventListener("pointermove", (event) => {
      const ply = this.findPly(event);
      this.showTooltip(ply);
      if (event.buttons) this.onSelect(ply);
    });
    for (const type of ["pointerleave", "blur"]) this.plot.addEventListener(type, () => this.hideTooltip());
    this.plot.addEventListener("focus", () => this.plot.matches(":focus-visible") && this.showTooltip(this.data.ply));
    this.plot.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** @param {GraphData} data */
  show(data) {
    this.data = data;
    const { ply, side } = data;
    this.title.textContent = t("graph.title", getSideNames()[side]);
    this.drawLegend();
    this.draw();
    this.plot.setAttribute("aria-label", t("graph.label"));
    this.plot.setAttribute("aria-valuemax", String(this.lastPly));
    this.plot.setAttribute("aria-valuenow", String(ply));
    this.plot.setAttribute("aria-valuetext", this.describePoint(ply).join(". "));
    if (document.activeElement === this.plot && !this.tooltip.hidden) this.showTooltip(ply);
  }

  /** The last ply of the selected line: of the variation if one is selected. */
  get lastPly() {
    const { points, branch } = this.data;
    return (branch ? branch.start + branch.points.length : points.length) - 1;
  }

  /** @param {number} ply */
  getPoint(ply) {
    const { points, branch } = this.data;
    /** @type {GraphPoint | undefined} */
    const point = branch && ply >= branch.start ? branch.points[ply - branch.start] : points[ply];
    return point ?? null;
  }

  draw() {
    const width = this.plot.clientWidth;
    const { points, branch, ply, side, playerLines } = this.data;
    if (!width || !points.length) return;
    this.scale = new GraphScale(width, Math.max(points.length - 1, this.lastPly));
    this.image.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.image.replaceChildren(
      ...drawAxes(this.scale),
      ...(branch ? drawBranch(this.scale, branch) : []),
      ...drawCurve(this.scale, points, side),
      ...(this.showsPlayerLines ? playerLines.flatMap((line) => drawPlayerLine(this.scale, line)) : []),
      ...drawPointMarks(this.scale, points),
      ...drawCurrentMarks(this.scale, ply, this.getPoint(ply)?.score ?? null),
    );
  }

  /** The switch for the players' own values and, if they are shown, the styles of the lines. */
  drawLegend() {
    const { playerLines, branch } = this.data;
    const items = [];
    if (this.showsPlayerLines && playerLines.length) {
      items.push(createLegendItem("curve", t("graph.engine")));
      for (const { player, name } of playerLines) {
        items.push(createLegendItem(`player-line line-${player}`, createStoneIcon(player), name));
      }
    }
    if (branch) items.push(createLegendItem("curve branch", t("graph.variation")));
    const field = createCheckboxField({
      label: t("graph.player_values"),
      checked: this.showsPlayerLines,
      field: "player-values",
      onChange: (isShown) => {
        this.showsPlayerLines = isShown;
        saveSetting("player_values", isShown);
        this.drawLegend();
        this.draw();
      },
    });
    replaceContent(this.legend, playerLines.length ? field : null, items);
  }

  /**
   * Move, value and mark of a position, and what its player expected.
   * @param {number} ply
   */
  describePoint(ply) {
    const { side, playerLines } = this.data;
    const point = this.getPoint(ply);
    const lines = [point?.move || t("move.start")];
    if (point?.result) lines.push(point.result);
    else lines.push(point?.score ? formatEvaluation(point.score, side) : t("score.unknown"));
    if (point?.mark) lines.push(t(`mark.${point.mark}`));
    if (!this.showsPlayerLines) return lines;
    for (const { name, scores } of playerLines) {
      const score = scores.get(ply);
      if (score) lines.push(t("graph.player_value", name, formatPercent(score.win_chance)));
    }
    return lines;
  }

  /** @param {number} ply */
  showTooltip(ply) {
    if (!this.data.points.length) return;
    replaceContent(
      this.tooltip,
      this.describePoint(ply).map((line) => el("div", {}, line)),
    );
    this.tooltip.hidden = false;
    placeTooltip(this.tooltip, this.scale.toX(ply) - this.tooltip.offsetWidth / 2, this.plot.clientWidth);
    const score = this.getPoint(ply)?.score;
    this.tooltip.classList.toggle("at-bottom", Boolean(score && score.win_chance > 0.5));
  }

  hideTooltip() {
    this.tooltip.hidden = true;
  }

  /** @param {PointerEvent} event */
  findPly(event) {
    return Math.min(this.scale.findPly(event.clientX - this.plot.getBoundingClientRect().left), this.lastPly);
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const selected = selectByKey(event, this.data.ply, this.lastPly);
    if (selected === null) return;
    this.onSelect(selected);
    this.showTooltip(selected);
  }
}

/**
 * @param {string} style CSS class of the line
 * @param {...(Node | string)} text
 */
function createLegendItem(style, ...text) {
  const sample = svg("line", { class: style, x1: 0, x2: 26, y1: 5, y2: 5 });
  const image = svg("svg", { class: "legend-line", viewBox: "0 0 26 10", "aria-hidden": "true" }, sample);
  return el("span", { class: "legend-item" }, image, text);
}
