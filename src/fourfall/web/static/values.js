// Owns the row under the board: what the engine thinks of each column, as a win chance or as a proof.

import { el } from "./dom.js";
import { t } from "./language.js";
import { NAMES } from "./rules.js";
import { percent, scoreText } from "./scores.js";

/** Make the cells for an analysis of a position with `cols` columns; empty ones where a column is full. */
export function valueCells(analysis, cols) {
  const known = new Map((analysis?.columns ?? []).map((report) => [report.column, report]));
  const all = [...known.values()].reduce((sum, report) => sum + report.visits, 0);
  return Array.from({ length: cols }, (_, column) => cell(known.get(column), analysis, all));
}

function cell(report, analysis, all) {
  if (!report || (!report.visits && !report.proof)) return el("span", { class: "value" });
  const best = report.column === analysis.move;
  const share = el("span", { class: "share" }, el("i"));
  share.firstChild.style.width = `${(100 * report.visits) / Math.max(all, 1)}%`;
  const label = t("value.label", NAMES[report.column], scoreText(report));
  return el(
    "span",
    {
      class: `value${best ? " best" : ""}`,
      role: "img",
      "aria-label": best ? `${label} ${t("value.best")}` : label,
      title: label,
    },
    words(report),
    share,
  );
}

function words(report) {
  if (report.proof === "draw") return el("span", {}, t("short.draw"));
  if (!report.proof) return el("span", {}, percent(report.win_chance));
  const won = report.proof === "win";
  return [
    el("span", { class: won ? "wins" : "loses" }, t(won ? "short.wins" : "short.loses")),
    report.distance
      ? el("span", {}, el("span", { class: "in" }, t("short.in")), t("short.count", report.distance))
      : null,
  ];
}
