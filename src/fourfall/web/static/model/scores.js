// Converts scores between the views of the two players.

/** @import { Player, Proof, ScoreInfo } from "./messages.d.ts" */

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
 * Convert the score of a player to the view of the first player.
 * @param {ScoreInfo} score
 * @param {Player} player
 */
export function toFirstPlayer(score, player) {
  return player === 0 ? score : flipScore(score);
}
