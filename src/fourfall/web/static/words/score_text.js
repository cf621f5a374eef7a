// Words for scores: win chances and proven results.

import { flipScore } from "../model/scores.js";
import { formatNumber, t } from "./language.js";

/** @import { ScoreInfo } from "../model/messages.d.ts" */

/**
 * @param {number} fraction 0 to 1
 * @param {number} [digits]
 */
export function formatPercent(fraction, digits = 0) {
  return t("score.percent", formatNumber(100 * fraction, digits));
}

/**
 * "wins in 17 plies", "Draw" or "63%", from the view of the player to whom the score belongs.
 * @param {ScoreInfo} score
 */
export function formatScore(score) {
  if (score.proof === null) return formatPercent(score.win_chance);
  if (score.proof === "draw" || score.distance === null) return t(`score.${score.proof}`);
  return t(`score.${score.proof}.in`, score.distance);
}

/**
 * "Blue wins in 17 plies" or "Orange: 63% win chance": the evaluation of a position, naming the better side.
 * @param {ScoreInfo} score of the first player
 * @param {[string, string]} sides
 */
export function formatEvaluation(score, sides) {
  if (score.proof === "draw") return t("score.draw");
  const better = score.win_chance >= 0.5 ? 0 : 1;
  const text = formatScore(better === 0 ? score : flipScore(score));
  return t(score.proof ? "score.side.proven" : "score.side.estimate", sides[better], text);
}
