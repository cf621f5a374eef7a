// Requests for stored games: the list, one game, deletion, and files.

import { COLUMN_NAMES, Position } from "../../model/position.js";
import { drawBoard } from "../drawing/board_svg.js";
import { createSummary } from "../games/game_list.js";
import { createRow } from "../games/game_rows.js";
import { RequestError } from "../request_error.js";
import { FileResponse } from "./file_response.js";
import { checkPattern, readChoice, readInteger, readText, refuse } from "./validation.js";

/** @import { GameDetails } from "../../model/messages.d.ts" */
/** @import { StoredGame } from "../types.d.ts" */
/** @import { Call, Route } from "./router.js" */

const ID = /^(p[A-Za-z0-9]{16}|a[0-9]{1,18})$/;
const DEFAULT_LIMIT = 50;
const MAX_EVENT = 2 ** 63;
const PERSON = "person";
/** Endings for which no player is to blame. */
const FAIR_ENDINGS = ["win", "tie", "resignation", "time"];
const SOURCES = /** @type {const} */ (["page", "arena"]);
const RESULTS = /** @type {const} */ (["first", "second", "draw", "unfinished"]);
const MEDIA_TYPES = { svg: "image/svg+xml", text: "text/plain; charset=utf-8", json: "application/json" };

/** @type {Route[]} */
export const gameRoutes = [
  { method: "GET", path: /^\/api\/games$/, handle: listGames },
  { method: "GET", path: /^\/api\/games\/([^/]+)$/, handle: async (call) => describeGame(await findGame(call)) },
  { method: "DELETE", path: /^\/api\/games\/([^/]+)$/, handle: deleteGame },
  { method: "POST", path: /^\/api\/games\/([^/]+)\/restore$/, handle: restoreGame },
  { method: "GET", path: /^\/api\/games\/([^/]+)\/download$/, handle: downloadGame },
];

/** @param {Call} call */
function listGames({ query, services }) {
  return services.games.list({
    limit: readInteger(query, "limit", { min: 1, max: 200 }) ?? DEFAULT_LIMIT,
    before: readText(query, "before", 200),
    source: readChoice(query, "source", SOURCES),
    event: readInteger(query, "event", { min: 1, max: MAX_EVENT }),
    agent: readText(query, "agent", 1000),
    text: readText(query, "text", 100),
    result: readChoice(query, "result", RESULTS),
  });
}

/** @param {Call} call */
async function findGame({ groups, services }) {
  const id = checkPattern("game", groups[0], ID);
  const game = await services.games.find(id);
  if (!game) throw new RequestError("unknown_game", { game: id });
  return game;
}

/**
 * @param {StoredGame} game
 * @returns {GameDetails}
 */
function describeGame(game) {
  const review = game.review ?? null;
  return {
    ...createSummary(createRow(game, review !== null)),
    event_name: null,
    start: game.start,
    moves: game.moves,
    you: game.you,
    opponent: game.opponent,
    outcome: game.outcome,
    times_ms: game.times_ms,
    scores: game.scores,
    review,
  };
}

/** @param {Call} call */
async function deleteGame({ groups, services }) {
  const id = checkPattern("game", groups[0], ID);
  if (!id.startsWith("p")) throw new RequestError("read_only");
  services.onDelete?.(id);
  await services.games.delete(id);
}

/** @param {Call} call */
async function restoreGame({ groups, services }) {
  await services.games.restore(checkPattern("game", groups[0], ID));
}

/** @param {Call} call */
async function downloadGame(call) {
  const format = readChoice(call.query, "format", ["svg", "text", "json"]) ?? "json";
  const ply = readInteger(call.query, "ply", { min: 0, max: 144 });
  const game = await findGame(call);
  return new FileResponse(exportGame(game, format, ply, call.services.serverInfo.version), MEDIA_TYPES[format]);
}

/**
 * @param {StoredGame} game
 * @param {"svg" | "text" | "json"} format
 * @param {number | null} ply number of stones that SVG and text show; null shows all
 * @param {string} version
 */
function exportGame(game, format, ply, version) {
  if (format === "json") {
    const { position, you, opponent } = game;
    return `${JSON.stringify(game.outcome ? createRecord(game, version) : { position, you, opponent })}\n`;
  }
  const position = Position.fromServer(createSummary(createRow(game, false)).position);
  const { length } = position.moves;
  if (ply !== null && ply > length) throw refuse(`ply must be at most ${length}, the number of stones`);
  const shown = ply === null ? position : position.rewindTo(ply);
  return format === "svg" ? drawBoard(shown) : `${position.notation}\n\n${shown.toTextBoard()}\n`;
}

/**
 * The record of a finished game, which the arena imports.
 * @param {StoredGame} game
 * @param {string} version
 */
function createRecord(game, version) {
  const { outcome, you } = game;
  const winner = outcome?.winner ?? null;
  const ending = outcome?.ending ?? "";
  const time = game.move_time_s ?? 0;
  return {
    number: 0,
    pair: 0,
    group: "",
    names: game.names,
    addresses: [0, 1].map((player) => (you === null || you === player ? PERSON : game.opponent)),
    move_time_s: [time, time],
    board: game.start,
    moves: game.moves.map((column) => COLUMN_NAMES[column]).join(""),
    times_ms: game.times_ms,
    scores: game.scores.map((score) => score?.win_chance ?? null),
    startup_ms: [0, 0],
    ending,
    winner,
    culprit: FAIR_ENDINGS.includes(ending) || winner === null ? null : 1 - winner,
    detail: outcome?.detail ?? "",
    stderr: "",
    reproducer: "",
    seed: 0,
    sandboxed: true,
    version,
    started: game.started,
  };
}
