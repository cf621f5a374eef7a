// The row below the board: for each column the win chance of the side to move, as the engine estimates it, or the proven
// result.

import { COLUMN_NAMES } from "../model/position.js";
import { t } from "../words/language.js";
import { formatPercent, formatScore } from "../words/score_text.js";
import { el } from "./dom.js";

/** @import { AnalysisReply, ColumnInfo, ScoreInfo } from "../model/messages.d.ts" */

/**
 * One element for each column; full columns and columns without an estimate get an empty one.
 * @param {AnalysisReply | null} analysis
 * @param {number} cols
 */
export function createColumnValueCells(analysis, cols) {
  const byColumn = new Map(analysis?.columns.map((entry) => [entry.column, entry]));
  const allVisits = analysis?.columns.reduce((sum, entry) => sum + entry.visits, 0) ?? 0;
  return Array.from({ length: cols }, (_, column) => {
    const entry = byColumn.get(column);
    if (!entry || entry.win_chance === null) return el("span", { class: "column-value" });
    return createValueCell(
      { ...entry, win_chance: entry.win_chance },
      column === analysis?.move,
      entry.visits / Math.max(allVisits, 1),
    );
  });
}

/**
 * @param {ColumnInfo & ScoreInfo} entry
 * @param {boolean} isBest
 * @param {number} visitShare
 */
function createValueCell(entry, isBest, visitShare) {
  const bar = el("i");
  bar.style.width = `${100 * visitShare}%`;
  const label = t("column.label", COLUMN_NAMES[entry.column], formatScore(entry));
  return el(
    "span",
    {
      class: `column-value${isBest ? " best" : ""}`,
      role: "img",
      "aria-label": isBest ? `${label} ${t("column.best")}` : label,
      title: label,
    },
    formatValue(entry),
    el("span", { class: "visit-share" }, bar),
  );
}

/** @param {ColumnInfo & ScoreInfo} entry */
function formatValue(entry) {
  if (!entry.proof) return el("span", {}, formatPercent(entry.win_chance));
  if (entry.proof === "draw") return el("span", {}, t("column.draw"));
  const result = el("span", { class: entry.proof }, t(`column.${entry.proof}`));
  if (!entry.distance) return result;
  return [
    result,
    el("span", {}, el("span", { class: "preposition" }, t("column.in")), t("column.plies", entry.distance)),
  ];
}
