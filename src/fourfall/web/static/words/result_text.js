// Sentences about the state and the end of a game.

import { findWinningLines } from "../model/winning_lines.js";
import { t } from "./language.js";
import { getSideNames } from "./player_names.js";

/** @import { GameReply, Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/**
 * Who won: the headline of a finished game.
 * @param {GameReply} game
 * @param {[string, string]} names
 */
export function formatResult(game, names) {
  const { outcome, you } = game;
  if (!outcome || outcome.winner === null) return t("result.draw");
  const { winner, ending } = outcome;
  const loser = winner === 0 ? 1 : 0;
  if (ending === "resignation" || ending === "time") {
    if (you === null) return t(`result.${ending}.sides`, names[loser], names[winner]);
    return t(`result.${ending}.${winner === you ? "won" : "lost"}`, names[you === 0 ? 1 : 0]);
  }
  const text = winner === you ? t("result.you_win") : t("result.wins", names[winner]);
  return ending === "win" ? text : `${text} (${t(`ending.${ending}`)})`;
}

/**
 * How the game ended: the direction of the line and the number of moves.
 * @param {GameReply} game
 * @param {Position} position
 * @param {[string, string]} names
 */
export function describeEnd(game, position, names) {
  const stones = position.moves.length;
  const winner = game.outcome?.winner ?? null;
  if (winner === null) return t("end.draw", stones);
  const lines = findWinningLines(position);
  if (!lines.length) return t("end.other", stones);
  const moves = countMoves(position, winner);
  if (lines.length > 1) return t("end.lines", lines.length, names[winner], moves, stones);
  const { direction, cells } = lines[0];
  return t(`end.${direction}`, cells.length, names[winner], moves, stones);
}

/**
 * @param {Position} position
 * @param {Player} player
 */
function countMoves(position, player) {
  return Math.floor((position.moves.length + (player === 0 ? 1 : 0)) / 2);
}

/**
 * The total time of each player.
 * @param {GameReply} game
 * @param {Position} position
 * @returns {[number, number]}
 */
export function sumTimes(game, position) {
  /** @type {[number, number]} */
  const times = [0, 0];
  const opening = position.moves.length - game.moves.length;
  game.times_ms.forEach((ms, index) => {
    times[(opening + index) % 2] += ms ?? 0;
  });
  return times;
}

/**
 * "Blue won", "Draw" or "Orange to move".
 * @param {Position} position
 */
export function describeState(position) {
  const sides = getSideNames();
  if (position.winningCells) return t("result.side_won", sides[position.opponent]);
  return position.isOver ? t("result.draw") : t("status.side_to_move", sides[position.turn]);
}

/** @param {Position} position */
export function formatBoardLabel(position) {
  return t("board.label", position.rows, position.cols, describeState(position));
}
