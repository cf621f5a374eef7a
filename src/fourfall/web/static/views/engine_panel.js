// The engine card of Analyse: switch, engine and search limit, evaluation, expected moves, search statistics.

import { getShownSide, toShownSide } from "../model/perspective.js";
import { COLUMN_NAMES } from "../model/position.js";
import { el } from "../ui/dom.js";
import { createButton, createEngineField, createSelectField } from "../ui/form_fields.js";
import { formatCompact, formatNumber, t } from "../words/language.js";
import { describeState } from "../words/result_text.js";
import { formatEvaluation } from "../words/score_text.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { AnalysisReply } from "../model/messages.d.ts" */
/** @import { AnalyseView } from "./analyse.js" */

/** Search limits to choose from. @type {Record<string, {time_s: number | null, simulations?: number}>} */
export const BUDGETS = {
  "1s": { time_s: 1 },
  "5s": { time_s: 5 },
  "20s": { time_s: 20 },
  unlimited: { time_s: null },
  "10k": { time_s: null, simulations: 10_000 },
  "100k": { time_s: null, simulations: 100_000 },
  "1M": { time_s: null, simulations: 1_000_000 },
};

/** @param {AnalyseView} view */
export function createEngineControls(view) {
  const { isOn, budget } = view.settings;
  /** @type {[string, string][]} */
  const budgets = Object.keys(BUDGETS).map((name) => [name, t(`budget.${name}`)]);
  const pressed = { "aria-pressed": String(isOn) };
  return [
    el(
      "div",
      { class: "row spread" },
      el("h2", {}, t("engine.title")),
      createButton("engine", t(isOn ? "engine.on" : "engine.off"), () => view.toggleEngine(), pressed),
    ),
    el(
      "div",
      { class: "two-columns" },
      createEngineField({
        app: view.app,
        value: view.engine,
        field: "engine-name",
        onChange: (engine) => view.changeSettings({ engine }),
      }),
      createSelectField({
        label: t("engine.budget"),
        value: budget,
        options: budgets,
        field: "budget",
        onChange: (chosen) => view.changeSettings({ budget: chosen }),
      }),
    ),
  ];
}

/**
 * The engine's evaluation of a position, its principal variation and the search statistics.
 * @param {GameNode} node
 * @param {{showPv: boolean, showStatistics: boolean, queuePlace: number | null}} options
 */
export function createEngineOutput({ analysis, position }, { showPv, showStatistics, queuePlace }) {
  const lines = [];
  if (position.isOver) lines.push(createHeadline(describeState(position)));
  else if (analysis) {
    const score = toShownSide(analysis.score, position.turn);
    lines.push(createHeadline(formatEvaluation(score, getShownSide(position.turn))));
  } else lines.push(createHeadline(queuePlace ? "" : t("engine.waiting"), "muted"));
  if (queuePlace) lines.push(el("p", { class: "small" }, t("queue.analysis", queuePlace)));
  if (analysis?.pv.length && showPv) {
    const moves = analysis.pv.map((column) => COLUMN_NAMES[column]).join(" ");
    lines.push(el("p", { class: "small code" }, el("span", { class: "muted" }, `${t("engine.pv")} `), moves));
  }
  if (analysis?.stopped_by === "census") {
    lines.push(el("p", { class: "small muted source" }, t("engine.census")));
  }
  if (analysis?.nodes && showStatistics) {
    const [nodes, speed] = [formatCompact(analysis.nodes), formatCompact(analysis.simulations_per_second)];
    const text = t("engine.statistics", nodes, speed, analysis.depth, formatNumber(analysis.seconds, 1));
    lines.push(el("p", { class: "small muted statistics" }, text));
  }
  return lines;
}

/**
 * @param {string} text
 * @param {string} [style]
 */
function createHeadline(text, style = "") {
  return el("p", { class: `evaluation ${style}` }, text);
}

/**
 * The note below an analysis "until stopped" that reached the server's limit of time, with a button to continue it.
 * @param {AnalysisReply | null} analysis
 * @param {() => unknown} onResume
 */
export function createLimitNote(analysis, onResume) {
  if (!analysis?.done || !analysis.can_resume) return null;
  return el(
    "div",
    { class: "row limit-note", role: "status" },
    el("span", { class: "small" }, t("engine.limit", formatNumber(Math.round(analysis.seconds)))),
    createButton("resume", t("engine.resume"), onResume, { variant: "compact" }),
  );
}
