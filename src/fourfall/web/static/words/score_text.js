// Words for scores: win chances and proven results. "in 3" counts the moves of the winner.

import { COLUMN_NAMES } from "../model/position.js";
import { countWinnerMoves } from "../model/scores.js";
import { formatNumber, t } from "./language.js";
import { getSideNames } from "./player_names.js";

/** @import { Player, ScoreInfo } from "../model/messages.d.ts" */

/**
 * @param {number} fraction 0 to 1
 * @param {number} [digits]
 */
export function formatPercent(fraction, digits = 0) {
  return t("score.percent", formatNumber(100 * fraction, digits));
}

/**
 * "63%": an estimate, at least 1% and at most 99% because it is not proven.
 * @param {ScoreInfo} score
 */
export function formatWinChance({ win_chance }) {
  return formatPercent(Math.min(Math.max(win_chance, 0.01), 0.99));
}

/**
 * "wins in 3", "Draw" or "63%", from the view of the player to whom the score belongs.
 * @param {ScoreInfo} score
 */
export function formatScore(score) {
  if (score.proof === null) return formatWinChance(score);
  if (score.proof === "draw" || !score.distance) return t(`score.${score.proof}`);
  return t(`score.${score.proof}.in`, countWinnerMoves(score.distance));
}

/**
 * "Blue wins in 3" or "Blue: 63% win chance": the evaluation of a position for one side.
 * @param {ScoreInfo} score of the player `side`
 * @param {Player} side
 */
export function formatEvaluation(score, side) {
  if (score.proof === "draw") return t("score.draw");
  return t(score.proof ? "score.side.proven" : "score.side.estimate", getSideNames()[side], formatScore(score));
}

/**
 * "Column 5: 63% for Blue" or "Column 5: Blue wins in 3": the result of a move in a column for one side.
 * @param {number} column
 * @param {ScoreInfo} score of the player `side`
 * @param {Player} side
 */
export function formatColumnScore(column, score, side) {
  const name = COLUMN_NAMES[column];
  if (score.proof) return t("column.label", name, formatEvaluation(score, side));
  return t("column.estimate", name, formatWinChance(score), getSideNames()[side]);
}

/**
 * "Blue loses in 2: column 7, then 3 7": a result and the moves that lead to it.
 * @param {string} text the result
 * @param {number[]} moves
 */
export function formatRefutation(text, moves) {
  if (!moves.length) return text;
  const [reply, ...rest] = moves.map((column) => COLUMN_NAMES[column]);
  return rest.length ? t("column.refuted.then", text, reply, rest.join(" ")) : t("column.refuted", text, reply);
}

/**
 * "Values for Blue": says for which side values are; `getShownSide` returns it.
 * @param {Player} side
 */
export function formatPerspective(side) {
  return t("perspective.values", getSideNames()[side]);
}
