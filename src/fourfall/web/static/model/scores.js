// Converts scores between the views of the two players.

/** @import { ColumnInfo, Player, Proof, ScoreInfo } from "./messages.d.ts" */

/** @type {Record<Proof, Proof>} */
const OPPOSITE = { win: "loss", loss: "win", draw: "draw" };

/**
 * The same evaluation from the view of the other player.
 * @param {ScoreInfo} score
 * @returns {ScoreInfo}
 */
export function flipScore(score) {
  return { ...score, win_chance: 1 - score.win_chance, proof: score.proof && OPPOSITE[score.proof] };
}

/**
 * Convert the score of one player to the view of another.
 * @param {ScoreInfo} score
 * @param {Player} from
 * @param {Player} to
 * @returns {ScoreInfo}
 */
export function convertScore(score, from, to) {
  return from === to ? score : flipScore(score);
}

/**
 * Convert the score of a player to the view of the first player.
 * @param {ScoreInfo} score
 * @param {Player} player
 */
export function toFirstPlayer(score, player) {
  return convertScore(score, player, 0);
}

/**
 * The score of a column; null if it has neither an estimate nor a proof yet.
 * @param {ColumnInfo | undefined} entry
 * @returns {ScoreInfo | null}
 */
export function getColumnScore(entry) {
  if (!entry || entry.win_chance === null) return null;
  return { win_chance: entry.win_chance, proof: entry.proof, distance: entry.distance };
}

/**
 * The number of moves of the winner until a proven win: 1 if the winner's next stone wins.
 * @param {number} distance plies until the end of the game, the last of them by the winner
 */
export function countWinnerMoves(distance) {
  return Math.ceil(distance / 2);
}

/**
 * The score of the position after the best move, for the same player: a proven result is one ply closer.
 * @param {ScoreInfo} score
 * @returns {ScoreInfo}
 */
export function advanceScore(score) {
  return { ...score, distance: score.distance === null ? null : Math.max(score.distance - 1, 0) };
}

/**
 * The score of a finished game for the first player.
 * @param {Player | null} winner null for a draw
 * @returns {ScoreInfo}
 */
export function scoreResult(winner) {
  if (winner === null) return { win_chance: 0.5, proof: "draw", distance: 0 };
  return winner === 0 ? { win_chance: 1, proof: "win", distance: 0 } : { win_chance: 0, proof: "loss", distance: 0 };
}
