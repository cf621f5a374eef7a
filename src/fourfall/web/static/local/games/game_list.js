// The list of games: filters, entries, and the place at which the next part of the list begins.

import { COLUMN_NAMES } from "../../model/position.js";
import { RequestError } from "../request_error.js";

/** @import { GameSummary } from "../../model/messages.d.ts" */
/** @import { Place } from "./game_database.js" */
/** @import { GameRow } from "./game_rows.js" */

/**
 * Which games a list contains, as in `GET /api/games`; null and undefined do not filter. `agent` is the exact name of a
 * player, `text` a part of a name in upper or lower case.
 * @typedef {object} GameFilter
 * @property {"page" | "arena" | null} [source]
 * @property {number | null} [event]
 * @property {string | null} [agent]
 * @property {string | null} [text]
 * @property {"first" | "second" | "draw" | "unfinished" | null} [result]
 */

/**
 * Whether a game is in the list. Only the server has games of the arena, which belong to events.
 * @param {GameRow} row
 * @param {GameFilter} filter
 */
export function matchesFilter(row, filter) {
  const { moves, names, outcome } = row.game;
  if (row.deleted || moves.length === 0) return false;
  if (filter.source === "arena" || typeof filter.event === "number") return false;
  if (typeof filter.agent === "string" && !names.includes(filter.agent)) return false;
  const part = filter.text?.toLowerCase();
  if (part && !names.some((name) => name.toLowerCase().includes(part))) return false;
  if (!filter.result) return true;
  return filter.result === (outcome ? (["first", "second"][outcome.winner ?? 2] ?? "draw") : "unfinished");
}

/**
 * @param {GameRow} row
 * @returns {GameSummary}
 */
export function createSummary({ id, started, reviewed, game }) {
  const names = game.moves.map((column) => COLUMN_NAMES[column]).join("");
  return {
    id,
    source: "page",
    event: null,
    names: game.names,
    board: game.start,
    position: names ? `${game.start}${game.start.includes(":") ? "" : ":"}${names}` : game.start,
    plies: game.moves.length,
    status: game.outcome ? "over" : "playing",
    winner: game.outcome?.winner ?? null,
    ending: game.outcome?.ending ?? null,
    started,
    reviewed,
  };
}

/**
 * Newest first; of games that started at the same time, the one with the larger id first.
 * @param {Place} a
 * @param {Place} b
 */
export function compareNewest(a, b) {
  return compareTexts(b.started, a.started) || compareTexts(b.id, a.id);
}

/**
 * @param {string} a
 * @param {string} b
 */
function compareTexts(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Write a place as the `next` of a list.
 * @param {Place} place
 */
export function encodeCursor({ started, id }) {
  const text = `[${JSON.stringify(started)}, ${JSON.stringify(id)}]`;
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Read the `next` of an earlier list. Throws RequestError `bad_request`.
 * @param {string} cursor
 * @returns {Place}
 */
export function decodeCursor(cursor) {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const [started, id, ...others] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof started === "string" && typeof id === "string" && others.length === 0) return { started, id };
  } catch {
    // not base64, not UTF-8, not JSON, or not a list
  }
  throw new RequestError("bad_request", { problem: "before must be the 'next' of an earlier list" });
}
