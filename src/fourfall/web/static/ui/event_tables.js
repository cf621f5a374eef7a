// Standings, cross table and live games of an event.

import { Position } from "../model/position.js";
import { formatNumber, t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { createBoardThumbnail } from "./board_shapes.js";
import { el } from "./dom.js";
import { createPlayerLabels } from "./player_labels.js";

/** @import { Estimate, GroupSummary, LiveGame, Standing } from "../model/messages.d.ts" */

/**
 * The card of one group: standings and cross table.
 * @param {GroupSummary} group
 */
export function createGroupCard(group) {
  const title = group.name ? t("event.group", group.name) : t("event.standings");
  const hasCrossTable = group.standings.length > 1 && group.cross.length > 0;
  return el(
    "section",
    { class: "card" },
    el("h2", {}, title),
    createScrollContainer(`standings-${group.name}`, t("event.standings"), createStandingsTable(group.standings)),
    hasCrossTable ? createCrossTable(group) : null,
  );
}

/**
 * A container in which a wide table scrolls, also with the keyboard.
 * @param {string} focusKey
 * @param {string} label
 * @param {HTMLTableElement} table
 */
function createScrollContainer(focusKey, label, table) {
  const attributes = { class: "table-scroll", tabindex: 0, role: "group", "aria-label": label, dataset: { focusKey } };
  return el("div", attributes, table);
}

/** @param {Standing[]} standings */
function createStandingsTable(standings) {
  /** @param {Standing} standing */
  const row = ({ rank, agent, games, won, drawn, lost, score, elo, failures }) =>
    el(
      "tr",
      {},
      createNumberCell(rank),
      el("td", {}, translatePlayerName(agent), createFailureCounts(failures)),
      createNumberCell(games),
      createNumberCell(`${won} – ${drawn} – ${lost}`),
      games
        ? [createEstimateCell(score, formatShare), createEstimateCell(elo, formatSignedNumber)]
        : [createNumberCell("–"), createNumberCell("–")],
    );
  const titles = [t("event.games.number"), t("event.results"), t("event.score"), "Elo"];
  const head = [
    el("th", { scope: "col", class: "number" }, "#"),
    el("th", { scope: "col" }, t("event.agent")),
    ...titles.map((title) => el("th", { scope: "col", class: "number" }, title)),
  ];
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, standings.map(row)));
}

/** @param {string | number} content */
function createNumberCell(content) {
  return el("td", { class: "number" }, content);
}

/** @param {number} value 0 to 1 */
function formatShare(value) {
  return formatNumber(100 * value);
}

/** @param {number} value */
function formatSignedNumber(value) {
  return `${value > 0 ? "+" : ""}${formatNumber(value)}`.replace("-", "−");
}

/**
 * The value and its confidence interval; an open bound is shown as "…".
 * @param {Estimate} estimate
 * @param {(value: number) => string} format
 */
function createEstimateCell({ value, low, high }, format) {
  /**
   * @param {number | null} number
   * @param {string} missing
   */
  const text = (number, missing) => (number === null ? missing : format(number));
  const isOpen = low === null && high === null;
  const interval = isOpen ? null : el("span", { class: "small muted" }, ` ${text(low, "…")} – ${text(high, "…")}`);
  return el("td", { class: "number" }, text(value, "–"), interval);
}

/** @param {Record<string, number>} failures */
function createFailureCounts(failures) {
  const counts = Object.entries(failures).map(([ending, count]) => `${t(`ending.${ending}`)} ×${count}`);
  return counts.length ? el("span", { class: "small error-text" }, ` ${counts.join(", ")}`) : null;
}

/** @param {GroupSummary} group */
function createCrossTable({ name, standings, cross }) {
  const names = standings.map(({ agent }) => translatePlayerName(agent));
  const head = names.map((column) => el("th", { scope: "col", class: "number" }, column));
  const rows = cross.map((results, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, names[index]),
      results.map((result) => createNumberCell(result ? result.join(" – ") : "·")),
    ),
  );
  const table = el(
    "table",
    { class: "cross-table" },
    el("thead", {}, el("tr", {}, el("td", {}), head)),
    el("tbody", {}, rows),
  );
  return [
    el("h3", {}, t("event.cross_table")),
    el("p", { class: "small muted" }, t("event.cross_table.help")),
    createScrollContainer(`cross-table-${name}`, t("event.cross_table"), table),
  ];
}

/**
 * Thumbnails of the live games; a click opens the position in Analyse.
 * @param {LiveGame[]} games
 */
export function createLiveGamesCard(games) {
  if (!games.length) return null;
  const links = games.map(({ number, names, position }) =>
    el(
      "a",
      { class: "live-game", href: `#${position}`, dataset: { focusKey: `live-${number}` } },
      createBoardThumbnail(Position.fromServer(position)),
      el("span", { class: "small thumbnail-names" }, createPlayerLabels(names)),
    ),
  );
  return el(
    "section",
    { class: "card" },
    el("h2", {}, t("event.games.live")),
    el("div", { class: "live-games" }, links),
  );
}
