// Facts about moves that leave the opponent no reply, or few: every other reply loses to a forced sequence.
//
// They look one move further than `sequences.js`: the opponent has several replies that do not lose at once, and each
// is refuted by a forced win of its own.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { findForcedWin } from "./forced_win.js";
import { findLandingCell, findPlayableThreats, listStones } from "./lines.js";

/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */
/** @import { PositionBudget } from "./forced_win.js" */

/** Largest number of replies that are called few. */
export const MAX_REPLIES = 3;
/** Smallest number of refuted replies of an attack. */
export const MIN_REFUTED = 3;

/**
 * The columns of the side to move that do not lose at once or by a forced sequence, as far as is known.
 *
 * Null if there are more than `most`; the search then ends early.
 * @param {Board} board
 * @param {PositionBudget} budget
 * @param {number} most
 * @returns {number[] | null}
 */
function listUnrefutedReplies(board, budget, most) {
  const replies = [];
  for (const column of board.listLegalMoves()) {
    const after = board.after(column);
    if (after.isOver || !findForcedWin(after, budget)) {
      replies.push(column);
      if (replies.length > most) return null;
    }
  }
  return replies;
}

/**
 * The fact that every reply to the move loses, or that all but a few do; no reply wins at once.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findAttack(board, column, budget) {
  const after = board.after(column);
  const replies = findReplies(after, budget);
  if (!replies) return null;
  const cells = replies.map((reply) => findLandingCell(after, reply));
  const kind = replies.length ? "few_replies" : "no_defence";
  return makeFact(kind, board.turn, { cells, moves: listStones(board, [column]) });
}

/**
 * The opponent's reply to the move after which every move of the side to move loses.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findAllowedAttack(board, column, budget) {
  const after = board.after(column);
  const reply = findWinningAttack(after, budget);
  if (reply === null) return null;
  return makeFact("allows_attack", after.turn, { moves: listStones(board, [column, reply]), column: reply });
}

/**
 * The fact that after this reply all but a few moves of the side to move lose.
 * @param {Board} board
 * @param {number} column
 * @param {number} reply
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findAllowedPressure(board, column, reply, budget) {
  const after = board.after(column);
  if (!after.isLegal(reply)) return null;
  after.push(reply);
  const replies = findReplies(after, budget);
  if (!replies?.length) return null;
  const cells = replies.map((answer) => findLandingCell(after, answer));
  const moves = listStones(board, [column, reply]);
  return makeFact("allows_few_replies", getOpponent(board.turn), { cells, moves, column: reply });
}

/**
 * Another move after which every reply of the opponent loses; no move wins by a forced sequence.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findMissedAttack(board, column, budget) {
  const other = findWinningAttack(board, budget);
  if (other === null || other === column) return null;
  return makeFact("misses_attack", board.turn, { moves: listStones(board, [other]), column: other });
}

/**
 * The few replies that are not refuted; null if there are many, or if a block is the only question.
 * @param {Board} after
 * @param {PositionBudget} budget
 * @returns {number[] | null}
 */
function findReplies(after, budget) {
  if (after.isOver || after.listWinningMoves().length) return null;
  if (findPlayableThreats(after, getOpponent(after.turn)).length) return null;
  const replies = listUnrefutedReplies(after, budget, MAX_REPLIES);
  if (!replies || budget.left < 0) return null;
  return after.listLegalMoves().length - replies.length < MIN_REFUTED ? null : replies;
}

/**
 * The first safe column after which every reply is refuted.
 * @param {Board} board
 * @param {PositionBudget} budget
 * @returns {number | null}
 */
function findWinningAttack(board, budget) {
  for (const column of board.listSafeMoves()) {
    const after = board.after(column);
    if (after.isOver || budget.left < 0) continue;
    if (listUnrefutedReplies(after, budget, 0)?.length === 0) return column;
  }
  return null;
}
