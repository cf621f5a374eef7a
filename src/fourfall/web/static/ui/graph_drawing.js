// Draws the parts of the evaluation graph: axes, curves, marks. Coordinates are CSS pixels.

import { t } from "../words/language.js";
import { formatPercent } from "../words/score_text.js";
import { svg } from "./dom.js";
import { drawMistakeShape } from "./mistake_icons.js";

/** @import { MistakeKind, Player, ScoreInfo } from "../model/messages.d.ts" */

/**
 * The position after one ply: its score for the side whose values are shown, the move that led to it in words, the mark
 * of the move, and how the game ended if it ended here.
 * @typedef {{score: ScoreInfo | null, move: string, mark: "" | MistakeKind, result: string}} GraphPoint
 */
/** The positions of a variation after the ply `start`. @typedef {{start: number, points: GraphPoint[]}} GraphBranch */
/** What a player expected before each of its moves. @typedef {{player: Player, name: string, scores: Map<number, ScoreInfo>}} PlayerLine */
/** @typedef {[x: number, y: number]} Point */

export const HEIGHT = 158;
const LEFT = 42;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
const GRID_VALUES = [0, 0.25, 0.5, 0.75, 1];
const PLY_STEPS = [1, 2, 5, 10, 20, 50];
const MIN_TICK_DISTANCE = 30;
const LABEL_DISTANCE = 10;

/** Converts plies and win chances to coordinates. */
export class GraphScale {
  /**
   * @param {number} width
   * @param {number} lastPly
   */
  constructor(width, lastPly) {
    this.width = width;
    this.lastPly = Math.max(lastPly, 1);
    this.middle = this.toY(0.5);
  }

  /** @param {number} ply */
  toX(ply) {
    return LEFT + (ply / this.lastPly) * (this.width - LEFT - RIGHT);
  }

  /** @param {number} winChance of the side whose values are shown */
  toY(winChance) {
    return TOP + (1 - Math.min(Math.max(winChance, 0), 1)) * (HEIGHT - TOP - BOTTOM);
  }

  /** @param {number} x */
  findPly(x) {
    const fraction = (x - LEFT) / (this.width - LEFT - RIGHT);
    return Math.round(Math.min(Math.max(fraction, 0), 1) * this.lastPly);
  }
}

/**
 * Grid lines with win chances on the left, move numbers below.
 * @param {GraphScale} scale
 */
export function drawAxes(scale) {
  const right = scale.width - RIGHT;
  const grid = GRID_VALUES.flatMap((value) => {
    const y = scale.toY(value);
    return [
      svg("line", { class: value === 0.5 ? "grid-line even" : "grid-line", x1: LEFT, x2: right, y1: y, y2: y }),
      svg("text", { class: "axis-label", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, formatPercent(value)),
    ];
  });
  const distance = (scale.width - LEFT - RIGHT) / scale.lastPly;
  const step = PLY_STEPS.find((plies) => plies * distance >= MIN_TICK_DISTANCE) ?? PLY_STEPS[PLY_STEPS.length - 1];
  const ticks = [];
  for (let ply = 0; ply <= scale.lastPly; ply += step) {
    const x = scale.toX(ply);
    ticks.push(
      svg("line", { class: "grid-line", x1: x, x2: x, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4 }),
      svg("text", { class: "axis-label ply-label", x, y: HEIGHT - 6, "text-anchor": "middle" }, String(ply)),
    );
  }
  const title = { class: "axis-label", x: LEFT - 10, y: HEIGHT - 6, "text-anchor": "end" };
  return [...grid, ...ticks, svg("text", title, t("graph.moves"))];
}

/**
 * Split points into runs of consecutive plies with a score.
 * @param {GraphScale} scale
 * @param {GraphPoint[]} points
 * @param {number} start the ply of the first point
 */
function listRuns(scale, points, start) {
  /** @type {Point[][]} */
  const runs = [];
  let isOpen = false;
  points.forEach(({ score }, index) => {
    if (!score) {
      isOpen = false;
      return;
    }
    if (!isOpen) runs.push([]);
    isOpen = true;
    runs[runs.length - 1].push([scale.toX(start + index), scale.toY(score.win_chance)]);
  });
  return runs;
}

/**
 * The curve of the game; the area between it and the 50 % line has the colour of the better side.
 * @param {GraphScale} scale
 * @param {GraphPoint[]} points
 * @param {Player} side
 */
export function drawCurve(scale, points, side) {
  return listRuns(scale, points, 0).flatMap((run) => {
    if (run.length === 1) return [svg("circle", { class: "curve-point", cx: run[0][0], cy: run[0][1], r: 2.5 })];
    return [
      svg("path", { class: `area player-${side}`, d: formatArea(run, scale.middle, Math.min) }),
      svg("path", { class: `area player-${1 - side}`, d: formatArea(run, scale.middle, Math.max) }),
      svg("path", { class: "curve", d: formatPath(run) }),
    ];
  });
}

/**
 * @param {GraphScale} scale
 * @param {GraphBranch} branch
 */
export function drawBranch(scale, { start, points }) {
  const [from, to] = [scale.toX(start), scale.toX(start + points.length - 1)];
  const area = {
    class: "variation-area",
    x: from,
    width: Math.max(to - from, 0),
    y: TOP,
    height: HEIGHT - TOP - BOTTOM,
  };
  const curves = listRuns(scale, points, start).map((run) =>
    svg("path", { class: "curve branch", d: formatPath(run) }),
  );
  return [svg("rect", area), ...curves];
}

/**
 * @param {GraphScale} scale
 * @param {PlayerLine} line
 */
export function drawPlayerLine(scale, { player, scores }) {
  /** @type {Point[]} */
  const points = [...scores].map(([ply, score]) => [scale.toX(ply), scale.toY(score.win_chance)]);
  return points.length ? [svg("path", { class: `player-line line-${player}`, d: formatPath(points) })] : [];
}

/**
 * The vertical line at the selected ply and the point on the curve.
 * @param {GraphScale} scale
 * @param {number} ply
 * @param {ScoreInfo | null} score
 */
export function drawCurrentMarks(scale, ply, score) {
  const x = scale.toX(ply);
  const line = svg("line", { class: "current-line", x1: x, x2: x, y1: TOP - 6, y2: HEIGHT - BOTTOM });
  if (!score) return [line];
  return [line, svg("circle", { class: "current-point", cx: x, cy: scale.toY(score.win_chance), r: 4.5 })];
}

/**
 * The shapes of the mistakes and the result at the end of the game.
 * @param {GraphScale} scale
 * @param {GraphPoint[]} points
 */
export function drawPointMarks(scale, points) {
  return points.flatMap(({ score, mark, result }, ply) => {
    if (!score) return [];
    const [x, y] = [scale.toX(ply), scale.toY(score.win_chance)];
    const marks = [];
    if (mark) marks.push(drawMistakeShape(mark, `translate(${x} ${y})`));
    if (result) {
      const below = score.win_chance > 0.5 ? LABEL_DISTANCE + 8 : -LABEL_DISTANCE;
      marks.push(
        svg("circle", { class: "result-point", cx: x, cy: y, r: 5 }),
        svg("text", { class: "result-label", x: x + RIGHT - 2, y: y + below, "text-anchor": "end" }, result),
      );
    }
    return marks;
  });
}

/** @param {Point[]} points */
function formatPath(points) {
  return `M${points.map((point) => point.map((value) => value.toFixed(1)).join(" ")).join("L")}`;
}

/**
 * The area between a curve and the 50 % line, on one side of the line.
 * @param {Point[]} points
 * @param {number} middle
 * @param {(...values: number[]) => number} clip keeps the part on one side
 */
function formatArea(points, middle, clip) {
  const edge = points.map(
    ([x, y], index) => `${findCrossing(points[index - 1], [x, y], middle)}L${x} ${clip(y, middle)}`,
  );
  return `M${points[0][0]} ${middle}${edge.join("")}L${points[points.length - 1][0]} ${middle}Z`;
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
