// Sentences about reviewed moves.

import { getShownSide } from "../model/perspective.js";
import { COLUMN_NAMES } from "../model/position.js";
import { convertScore, countWinnerMoves } from "../model/scores.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { formatScore } from "../words/score_text.js";

/** @import { MistakeKind, Player, ReviewedMove, ScoreInfo } from "../model/messages.d.ts" */

/**
 * "Blue 63%" or "Blue wins in 3": the evaluation of a move for the side whose values are shown.
 * @param {ScoreInfo} score of `player`
 * @param {Player} player who moves
 */
export function formatEvaluationOf(score, player) {
  const side = getShownSide(player);
  if (score.proof === "draw") return t("score.draw");
  return t("score.side.proven", getSideNames()[side], formatScore(convertScore(score, player, side)));
}

/**
 * A short judgement of a move without a mark.
 * @param {ReviewedMove} review
 */
export function formatPraise({ best, column, score_before, score_after }) {
  if (best === column) return t("review.comment.best");
  if (score_before.proof === "win") return t("review.comment.slower_win");
  if (score_before.proof === "loss") return t("review.comment.faster_loss");
  return score_after.proof === "loss" ? "" : t("review.comment.good");
}

/**
 * What was better than the played move; "" for the best move.
 * @param {ReviewedMove} review
 */
export function formatBetter(review) {
  const { best, column, score_before, score_after, player, missed_win } = review;
  if (best === column) return "";
  const name = COLUMN_NAMES[best];
  const after = formatEvaluationOf(score_after, player);
  if (score_before.proof === "win" && score_before.distance !== null && missed_win) {
    return t("review.comment.missed_win", countWinnerMoves(score_before.distance), name, after);
  }
  if (missed_win) return t("review.comment.missed_near_win", name, formatEvaluationOf(score_before, player), after);
  return t("review.comment.better", name, formatEvaluationOf(score_before, player), after);
}

/**
 * The comment on a move as one text, for screen readers.
 * @param {ReviewedMove} review
 * @param {"" | MistakeKind} mark
 */
export function formatComment(review, mark) {
  return [mark ? `${t(`mark.${mark}`)}.` : `${formatPraise(review)}.`, mark ? formatBetter(review) : ""]
    .join(" ")
    .trim();
}
