// The table of a ladder: rating with its interval drawn on a common scale, trend, results and state of each agent.

import { t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { el, svg } from "./dom.js";
import { createFailureCounts, createScrollContainer, formatSignedNumber } from "./event_tables.js";

/** @import { LadderAgent } from "../model/ladder_messages.d.ts" */
/** @import { Estimate } from "../model/messages.d.ts" */

const LINE_STYLES = 8;
const MARGIN = 0.04;

/**
 * CSS class of the line of an agent in the chart and in the table.
 * @param {number} index place among the drawn agents
 */
export function getLineClass(index) {
  return `rating-line line-style-${index % LINE_STYLES}`;
}

/**
 * @param {LadderAgent[]} rows
 * @param {string[]} lines names of the agents that are drawn in the chart
 * @param {(name: string) => void} onToggle called with the agent whose line is to be drawn or not
 */
export function createLadderTable(rows, lines, onToggle) {
  const scale = createScale(rows);
  const heads = [
    el("th", { scope: "col", class: "number" }, "#"),
    el("th", { scope: "col" }, t("event.agent")),
    el("th", { scope: "col", class: "number" }, t("ladder.elo")),
    el("th", { scope: "col", class: "interval-cell" }, t("ladder.interval")),
    el("th", { scope: "col", class: "number" }, t("ladder.trend")),
    el("th", { scope: "col", class: "number games-count" }, t("event.games.number")),
    el("th", { scope: "col", class: "number results-cell" }, t("event.results")),
  ];
  const body = rows.map((row) => createRow(row, scale, lines.indexOf(row.agent), onToggle));
  const table = el(
    "table",
    { class: "standings ladder-table" },
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, body),
  );
  return createScrollContainer("ladder", t("ladder.standings"), table);
}

/**
 * @param {LadderAgent} row
 * @param {(value: number) => number} scale
 * @param {number} line
 * @param {(name: string) => void} onToggle
 */
function createRow({ rank, agent, state, elo, trend, games, won, drawn, lost, failures }, scale, line, onToggle) {
  const label = state === "active" ? null : el("span", { class: "state" }, t(`ladder.state.${state}`));
  return el(
    "tr",
    { class: `agent-${state}` },
    el("td", { class: "number" }, rank ?? ""),
    el(
      "td",
      { class: "agent-cell" },
      elo ? createLineButton(agent, line, onToggle) : translatePlayerName(agent),
      createFailureCounts(failures),
      label,
    ),
    el("td", { class: "number" }, elo && elo.value !== null ? formatSignedNumber(elo.value) : ""),
    el(
      "td",
      { class: "interval-cell" },
      elo ? createInterval(elo, scale) : el("span", { class: "muted" }, t("ladder.new")),
    ),
    el("td", { class: "number" }, createTrend(trend)),
    el("td", { class: "number games-count" }, games),
    el("td", { class: "number results-cell" }, games ? `${won} – ${drawn} – ${lost}` : ""),
  );
}

/**
 * The name of an agent as a button that draws its line, with a sample of the line.
 * @param {string} name
 * @param {number} line -1 if the line is not drawn
 * @param {(name: string) => void} onToggle
 */
function createLineButton(name, line, onToggle) {
  const style = line >= 0 ? getLineClass(line) : "rating-line other-line";
  const sample = svg("line", { class: style, x1: 0, x2: 26, y1: 5, y2: 5 });
  const label = translatePlayerName(name);
  return el(
    "button",
    {
      type: "button",
      class: "secondary compact line-button",
      "aria-pressed": line >= 0 ? "true" : "false",
      title: t("ladder.line", label),
      dataset: { focusKey: `line-${name}` },
      on: { click: () => onToggle(name) },
    },
    svg("svg", { class: "legend-line", viewBox: "0 0 26 10", "aria-hidden": "true" }, sample),
    label,
  );
}

/** A function from ratings to shares of the width, which contains all ratings and finite bounds. @param {LadderAgent[]} rows */
function createScale(rows) {
  const estimates = rows.flatMap(({ elo }) => (elo ? [elo] : []));
  const values = estimates.flatMap(({ value, low, high }) => [value, low, high]).filter((number) => number !== null);
  const low = Math.min(...values, 0);
  const high = Math.max(...values, 0);
  return (/** @type {number} */ value) => MARGIN + ((1 - 2 * MARGIN) * (value - low)) / Math.max(high - low, 1);
}

/**
 * The interval as text and as a bar; an infinite bound reaches the edge.
 * @param {Estimate} elo
 * @param {(value: number) => number} scale
 */
function createInterval({ value, low, high }, scale) {
  const [left, right] = [low === null ? 0 : scale(low), high === null ? 1 : scale(high)];
  const bar = el("i", { class: "elo-interval" });
  bar.style.left = `${100 * left}%`;
  bar.style.width = `${100 * (right - left)}%`;
  const point = el("i", { class: "elo-point" });
  point.style.left = `${100 * scale(value ?? 0)}%`;
  const zero = el("i", { class: "elo-zero" });
  zero.style.left = `${100 * scale(0)}%`;
  const [from, to] = [low, high].map((bound) => (bound === null ? "…" : formatSignedNumber(bound)));
  return [
    el("span", { class: "small muted interval-text" }, t("ladder.interval.between", from, to)),
    el("span", { class: "elo-bar", "aria-hidden": "true" }, zero, bar, point),
  ];
}

/** @param {number | null} trend */
function createTrend(trend) {
  const change = trend === null ? 0 : Math.round(trend);
  if (!change) return trend === null ? "" : "0";
  const text = formatSignedNumber(change);
  return el(
    "span",
    { class: "trend" },
    el("span", { "aria-hidden": "true" }, `${change > 0 ? "▲" : "▼"} ${text}`),
    el("span", { class: "visually-hidden" }, t(change > 0 ? "ladder.trend.up" : "ladder.trend.down", text)),
  );
}
