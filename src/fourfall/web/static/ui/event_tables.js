// Standings, cross table and live games of an event.

import { Position } from "../model/position.js";
import { formatNumber, t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { createBoardThumbnail } from "./board_shapes.js";
import { el } from "./dom.js";
import { createPlayerLabels } from "./player_labels.js";

/** @import { Estimate, GroupSummary, LiveGame, Standing } from "../model/messages.d.ts" */

/** Classes of the columns of the standings after the rank; the number of games is hidden on narrow screens. */
const STANDINGS_CLASSES = ["", "number games-count", "number", "number", "number"];

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
    describeLeader(group.standings),
    createScrollContainer(`standings-${group.name}`, t("event.standings"), createStandingsTable(group)),
    describeUnconnected(group.unconnected),
    hasCrossTable ? createCrossTable(group) : null,
  );
}

/**
 * A container in which a wide table scrolls, also with the keyboard.
 * @param {string} focusKey
 * @param {string} label
 * @param {HTMLTableElement} table
 */
export function createScrollContainer(focusKey, label, table) {
  const attributes = { class: "table-scroll", tabindex: 0, role: "group", "aria-label": label, dataset: { focusKey } };
  return el("div", attributes, table);
}

/** @param {GroupSummary} group */
function createStandingsTable({ standings, elo_kind }) {
  const elo = t(elo_kind === "difference" ? "event.elo.difference" : "event.elo.rating");
  const titles = [t("event.agent"), t("event.games.number"), t("event.results"), t("event.score"), elo];
  const head = [
    el("th", { scope: "col", class: "number" }, "#"),
    ...titles.map((title, index) => el("th", { scope: "col", class: STANDINGS_CLASSES[index] }, title)),
  ];
  const body = el("tbody", {}, standings.map(createStandingRow));
  return el("table", { class: "standings" }, el("thead", {}, el("tr", {}, head)), body);
}

/** @param {Standing} standing */
function createStandingRow({ rank, agent, games, won, drawn, lost, first, second, score, elo, failures }) {
  const sides = games
    ? el("span", { class: "small muted agent-sides" }, t("event.sides", first.join("–"), second.join("–")))
    : null;
  return el(
    "tr",
    {},
    createNumberCell(rank),
    el("td", { class: "agent-cell" }, translatePlayerName(agent), createFailureCounts(failures), sides),
    el("td", { class: "number games-count" }, games),
    createNumberCell(`${won} – ${drawn} – ${lost}`),
    games
      ? [createScoreCell(score), createEstimateCell(elo, formatSignedNumber)]
      : [createNumberCell("–"), createNumberCell("–")],
  );
}

/**
 * The score in percent, with a bar on which the confidence interval is drawn.
 * @param {Estimate} score
 */
function createScoreCell(score) {
  const cell = createEstimateCell(score, formatShare);
  const left = score.low ?? 0;
  const width = (score.high ?? 1) - left;
  const mark = el("i", { class: "interval" });
  mark.style.left = `${100 * left}%`;
  mark.style.width = `${100 * width}%`;
  const share = el("i", { class: "share" });
  share.style.width = `${100 * (score.value ?? 0)}%`;
  cell.append(el("span", { class: "score-bar", "aria-hidden": "true" }, share, mark));
  return cell;
}

/**
 * "fourfall leads with 93% (95% interval: 70 to 99%) after 14 games": the standings in one sentence.
 * @param {Standing[]} standings
 */
function describeLeader(standings) {
  const [leader, next] = standings;
  if (!leader?.games) return null;
  const { value, low, high } = leader.score;
  if (value === null) return null;
  const numbers = [formatShare(value), formatShare(low ?? 0), formatShare(high ?? 1)];
  const equal = standings.filter(({ games, score }) => games && score.value === value);
  if (equal.length > 1) {
    const names = equal.map(({ agent }) => translatePlayerName(agent)).join(", ");
    return el("p", {}, t("event.leader.equal", numbers[0], names));
  }
  const isClear = next?.games && low !== null && next.score.high !== null && low > next.score.high;
  const word = isClear ? "event.leader.clear" : "event.leader.open";
  return el("p", {}, t(word, translatePlayerName(leader.agent), ...numbers, t("event.games", leader.games)));
}

/**
 * Names the sets of agents whose ratings cannot be compared.
 * @param {string[][]} sets
 */
function describeUnconnected(sets) {
  if (!sets.length) return null;
  const names = sets.map((agents) => agents.map(translatePlayerName).join(", ")).join("; ");
  return el("p", { class: "small muted" }, t("event.unconnected", names));
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
export function formatSignedNumber(value) {
  return `${value > 0 ? "+" : ""}${formatNumber(value)}`.replace("-", "−");
}

/**
 * The value and its confidence interval; an infinite value is shown as "+∞" or "−∞", an open bound as "…".
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
  return el("td", { class: "number" }, text(value, isOpen ? "–" : high === null ? "+∞" : "−∞"), interval);
}

/** @param {Record<string, number>} failures */
export function createFailureCounts(failures) {
  const counts = Object.entries(failures).map(([ending, count]) => `${t(`ending.${ending}`)} ×${count}`);
  return counts.length ? el("span", { class: "small error-text" }, ` ${counts.join(", ")}`) : null;
}

/** @param {GroupSummary} group */
export function createCrossTable({ name, standings, cross }) {
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
 * Thumbnails of the live games that are not on the large board; a click shows one there.
 * @param {LiveGame[]} games
 * @param {(game: LiveGame) => unknown} onFollow
 */
export function createLiveGamesCard(games, onFollow) {
  if (!games.length) return null;
  const buttons = games.map((game) =>
    el(
      "button",
      {
        type: "button",
        class: "live-game",
        dataset: { focusKey: `live-${game.group}-${game.number}` },
        on: { click: () => onFollow(game) },
      },
      createBoardThumbnail(Position.fromServer(game.position)),
      el("span", { class: "small thumbnail-names" }, createPlayerLabels(game.names)),
    ),
  );
  return el(
    "section",
    { class: "card" },
    el("h2", {}, t("event.live.others")),
    el("div", { class: "live-games" }, buttons),
  );
}
