// The result of a finished game and its score.

/** @import { OutcomeInfo, Player, ScoreInfo } from "./messages.d.ts" */
/** @import { Position } from "./position.js" */

/**
 * The winner, null for a draw; undefined if the game is not over.
 * @param {Position} position
 * @param {OutcomeInfo | null} [outcome] how the game ended at this position without four in a row, for example by resignation
 * @returns {Player | null | undefined}
 */
export function findWinner(position, outcome = null) {
  if (position.isOver) return position.winningCells ? position.opponent : null;
  return outcome ? outcome.winner : undefined;
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
