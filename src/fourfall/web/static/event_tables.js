// Owns the tables and small boards of an event: standings, cross table, games that are being played.

import { el, svg } from "./dom.js";
import { number, t } from "./language.js";
import { displayName } from "./names.js";
import { Position } from "./rules.js";
import { badge, block, CELL, lastMark, stone, well, winningMark } from "./stones.js";

/** The card of one group: who stands where, and how each fared against each. */
export function groupCard(group) {
  return el(
    "section",
    { class: "card" },
    el("h2", {}, group.name ? t("group", group.name) : t("standings")),
    scrolling(`standings-${group.name}`, t("standings"), standingsTable(group)),
    group.standings.length > 1 && group.cross.length ? crossTable(group) : null,
  );
}

/** A wide table scrolls by itself, with the keyboard too. */
function scrolling(name, label, table) {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": label, dataset: { keep: name } },
    table,
  );
}

function standingsTable({ standings }) {
  const share = (value) => (value === null ? null : number(100 * value));
  const elo = (value) => (value === null ? null : `${value > 0 ? "+" : ""}${number(value)}`.replace("-", "−"));
  const heads = [
    ["#", true],
    [t("agent")],
    [t("match.games"), true],
    [t("wdl"), true],
    [`${t("points")} %`, true],
    ["Elo", true],
  ];
  const row = (line) =>
    el(
      "tr",
      {},
      el("td", { class: "n" }, String(line.rank)),
      el("td", {}, displayName(line.agent), failures(line.failures)),
      el("td", { class: "n" }, String(line.games)),
      el("td", { class: "n" }, `${line.won} – ${line.drawn} – ${line.lost}`),
      line.games ? [interval(line.score, share), interval(line.elo, elo)] : [unknown(), unknown()],
    );
  const head = heads.map(([text, right]) => el("th", { scope: "col", class: right ? "n" : "" }, text));
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, standings.map(row)));
}

function unknown() {
  return el("td", { class: "n" }, "–");
}

function interval({ value, low, high }, text) {
  const open = low === null && high === null;
  const range = ` ${text(low) ?? "…"} – ${text(high) ?? "…"}`;
  const bounds = open ? null : el("span", { class: "small faint" }, range);
  return el("td", { class: "n" }, text(value) ?? "–", bounds);
}

function failures(found) {
  const words = Object.entries(found ?? {}).map(([what, count]) => `${t(`ending.${what}`)} ×${count}`);
  return words.length ? el("span", { class: "small trouble" }, ` ${words.join(", ")}`) : null;
}

function crossTable({ name, standings, cross }) {
  const names = standings.map((line) => displayName(line.agent));
  const head = names.map((each) => el("th", { scope: "col", class: "n" }, each));
  const row = (cells, at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, names[at]),
      cells.map((cell) => el("td", { class: "n" }, cell ? cell.join(" – ") : "·")),
    );
  const table = el(
    "table",
    { class: "cross" },
    el("thead", {}, el("tr", {}, el("td", {}), head)),
    el("tbody", {}, cross.map(row)),
  );
  return [
    el("h3", {}, t("cross")),
    el("p", { class: "small faint" }, t("cross.how")),
    scrolling(`cross-${name}`, t("cross"), table),
  ];
}

/** The boards of the games that are being played; a click opens the position. */
export function liveBoards(live) {
  if (!live.length) return null;
  const board = (game) =>
    el(
      "a",
      { class: "live-game", href: `#${game.position}`, dataset: { keep: `live-${game.number}` } },
      smallBoard(Position.parse(game.position)),
      el("span", { class: "small names-of" }, playersLine(game.names)),
    );
  return el("section", { class: "card" }, el("h2", {}, t("live")), el("div", { class: "live" }, live.map(board)));
}

/** Both players with their stones; the winner's name is marked. */
export function playersLine(names, winner = null) {
  return names.map((name, player) =>
    el(
      "span",
      { class: winner === player ? "winner" : "" },
      badge(player),
      displayName(name),
      winner === player ? el("span", { class: "won" }, t("winner")) : null,
    ),
  );
}

/** A board to look at, not to touch. */
function smallBoard(position) {
  const parts = [];
  for (let row = 0; row < position.rows; row += 1) {
    for (let column = 0; column < position.cols; column += 1) {
      if (position.isHole(row, column)) parts.push(block(row, column));
      else if (position.isFree(row, column)) parts.push(well(row, column));
      else parts.push(stone(row, column, position.stone(row, column)));
    }
  }
  parts.push(...(position.four ?? []).map((cell) => winningMark(...cell)));
  if (position.last) parts.push(lastMark(...position.last));
  const [width, height] = [position.cols * CELL + 12, position.rows * CELL + 12];
  const frame = svg("rect", { class: "small-frame", x: -6, y: -6, width, height, rx: 16 });
  return svg("svg", { class: "small-board", viewBox: `-6 -6 ${width} ${height}`, "aria-hidden": "true" }, frame, parts);
}
