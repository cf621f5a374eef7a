// Rows of the browser's database: one for each game of the page, with the columns by which games are found.

import { Position } from "../../model/position.js";

/** @import { ReviewReply } from "../../model/messages.d.ts" */
/** @import { StoredGame } from "../types.d.ts" */

/** Version of the fields of `GameRow.game`. */
export const FORMAT = 1;
const ID = /^p[A-Za-z0-9]{16}$/;

/**
 * `board` is the shape of the board without moves, `format` the version of the fields of `game`. A game without moves
 * has `unplayed`, a deleted one `deleted`; other rows do not have these keys, so that they are not in their indexes.
 * @typedef {object} GameRow
 * @property {string} id
 * @property {number} format
 * @property {string} started
 * @property {string} board
 * @property {string} [unplayed] the time at which a game without moves started
 * @property {string} [deleted] the time of the deletion
 * @property {boolean} reviewed
 * @property {StoredGame} game
 */

/**
 * A row with its review, and what an update makes of both: null removes it, undefined leaves it as it is.
 * @typedef {{row?: GameRow | null, review?: ReviewReply | null}} StoredEntry
 */
/** Computes the new state of a game from the present one; `row` is undefined if there is no such game.
 * @typedef {(entry: {row?: GameRow, review?: ReviewReply | null}) => StoredEntry} Change
 */

/**
 * @param {StoredGame} game
 * @param {boolean} reviewed
 * @returns {GameRow}
 */
export function createRow(game, reviewed) {
  const { review: _, ...fields } = game;
  const row = {
    id: game.id,
    format: FORMAT,
    started: game.started,
    board: getShape(game.start),
    reviewed,
    game: fields,
  };
  return game.moves.length ? row : { ...row, unplayed: game.started };
}

/**
 * The part of a position's notation before the moves.
 * @param {string} position
 */
export function getShape(position) {
  return position.split(":", 1)[0];
}

/**
 * Whether a row has the fields that lists need. A damaged row, or one of another version with other fields, has not.
 * @param {any} row
 * @returns {row is GameRow}
 */
export function isComplete(row) {
  const game = row?.game;
  return (
    ID.test(row?.id) &&
    typeof row.started === "string" &&
    typeof game === "object" &&
    game !== null &&
    typeof game.start === "string" &&
    isList(game.moves, (move) => Number.isInteger(move) && move >= 0 && move < 12) &&
    isList(game.names, (name) => typeof name === "string") &&
    game.names.length === 2 &&
    (game.outcome === null || (typeof game.outcome === "object" && typeof game.outcome.ending === "string"))
  );
}

/**
 * The position after all moves of a game; null if the moves are not legal.
 * @param {StoredGame} game
 */
export function replayGame(game) {
  let position = Position.parse(game.start);
  for (const column of game.moves) position = position?.isLegal(column) ? position.play(column) : null;
  return position;
}

/**
 * @param {unknown} value
 * @param {(item: any) => boolean} isValid
 */
function isList(value, isValid) {
  return Array.isArray(value) && value.every(isValid);
}
