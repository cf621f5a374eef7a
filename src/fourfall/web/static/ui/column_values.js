// The row below the board: for each column the win chance after a move there, as the engine estimates it, or the proven
// result; for the side whose values are shown.

import { getShownSide, toShownSide } from "../model/perspective.js";
import { COLUMN_NAMES } from "../model/position.js";
import { countWinnerMoves } from "../model/scores.js";
import { t } from "../words/language.js";
import { formatEvaluation, formatPercent } from "../words/score_text.js";
import { el } from "./dom.js";

/** @import { AnalysisReply, ColumnInfo, Player, ScoreInfo } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/**
 * One element for each column; full columns and columns without an estimate get an empty one.
 * @param {AnalysisReply | null} analysis
 * @param {Position} position
 */
export function createColumnValueCells(analysis, { cols, turn }) {
  const byColumn = new Map(analysis?.columns.map((entry) => [entry.column, entry]));
  const allVisits = analysis?.columns.reduce((sum, entry) => sum + entry.visits, 0) ?? 0;
  return Array.from({ length: cols }, (_, column) => {
    const entry = byColumn.get(column);
    if (!entry || entry.win_chance === null) return el("span", { class: "column-value" });
    return createValueCell(
      { ...entry, win_chance: entry.win_chance },
      turn,
      column === analysis?.move,
      entry.visits / Math.max(allVisits, 1),
    );
  });
}

/**
 * @param {ColumnInfo & ScoreInfo} entry
 * @param {Player} turn
 * @param {boolean} isBest
 * @param {number} visitShare
 */
function createValueCell(entry, turn, isBest, visitShare) {
  const score = toShownSide(entry, turn);
  const bar = el("i");
  bar.style.width = `${100 * visitShare}%`;
  const label = t("column.label", COLUMN_NAMES[entry.column], formatEvaluation(score, getShownSide(turn)));
  return el(
    "span",
    {
      class: `column-value${isBest ? " best" : ""}`,
      role: "img",
      "aria-label": isBest ? `${label} ${t("column.best")}` : label,
      title: label,
    },
    formatValue(score),
    el("span", { class: "visit-share" }, bar),
  );
}

/** @param {ScoreInfo} score */
function formatValue(score) {
  if (!score.proof) return el("span", {}, formatPercent(score.win_chance));
  if (score.proof === "draw") return el("span", {}, t("column.draw"));
  const result = el("span", { class: score.proof }, t(`column.${score.proof}`));
  if (!score.distance) return result;
  return [
    result,
    el(
      "span",
      {},
      el("span", { class: "preposition" }, t("column.in")),
      t("column.moves", countWinnerMoves(score.distance)),
    ),
  ];
}
