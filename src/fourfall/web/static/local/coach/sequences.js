// Facts about forced sequences: those that a move begins, allows or misses, and moves that alone prevent one.

import { makeFact } from "./facts.js";
import { findForcedWin, findForcedWinAfter } from "./forced_win.js";
import { listStones } from "./lines.js";
import { findDoubleThreat } from "./tactics.js";

/** @import { Board } from "./board.js" */
/** @import { Fact, FactKind } from "./facts.js" */
/** @import { PositionBudget } from "./forced_win.js" */

/**
 * The forced win that the move begins; a double threat if the next stone wins.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findSequence(board, column, budget) {
  const win = findForcedWinAfter(board, column, budget);
  if (!win) return null;
  const ending = describeEnding(board, win);
  const stones = (win.length + 1) / 2;
  return makeSequenceFact(stones === 2 ? ending.kind : "forced_sequence", board, win, ending, null);
}

/**
 * The forced win of the opponent after the move; the opponent cannot win at once.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findAllowedSequence(board, column, budget) {
  const win = findRefutation(board, column, budget);
  if (!win) return null;
  const columns = [column, ...win];
  return makeSequenceFact("allows_sequence", board, columns, describeEnding(board, columns), win[0]);
}

/**
 * The forced win of the side to move that begins with another column; nobody can win at once.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {Fact | null}
 */
export function findMissedSequence(board, column, budget) {
  const win = findForcedWin(board, budget);
  if (!win || win[0] === column) return null;
  return makeSequenceFact("misses_sequence", board, win, describeEnding(board, win), win[0]);
}

/**
 * The fact that every other column loses: at once, by a forced sequence, or as proven elsewhere.
 * @param {Board} board the position before the move; the opponent does not threaten four
 * @param {number} column
 * @param {PositionBudget} budget
 * @param {number[]} lost columns that are known to lose
 * @returns {Fact | null}
 */
export function findOnlyMove(board, column, budget, lost) {
  /** @type {number[]} */
  let longest = [];
  const others = board.listLegalMoves().filter((other) => other !== column);
  for (const other of others) {
    const win = findRefutation(board, other, budget);
    if (!win && !lost.includes(other)) return null;
    if (win && win.length >= longest.length) longest = [other, ...win];
  }
  return others.length ? makeFact("only_move", board.turn, { moves: listStones(board, longest) }) : null;
}

/**
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 */
function findRefutation(board, column, budget) {
  const after = board.after(column);
  return after.isOver ? null : findForcedWin(after, budget);
}

/**
 * The double threat at the end of a sequence, before the last reply.
 * @param {Board} board
 * @param {number[]} columns
 * @returns {Fact}
 */
function describeEnding(board, columns) {
  const end = board.copy();
  for (const column of columns.slice(0, -2)) end.push(column);
  const fact = findDoubleThreat(end);
  if (!fact) throw new Error(`no double threat after the columns ${columns.slice(0, -2)}`);
  return fact;
}

/**
 * @param {FactKind} kind
 * @param {Board} board
 * @param {number[]} columns
 * @param {Fact} ending
 * @param {number | null} column
 * @returns {Fact}
 */
function makeSequenceFact(kind, board, columns, ending, column) {
  const { player, cells, lines } = ending;
  const moves = listStones(board, columns);
  const count = moves.filter((stone) => stone.player === player).length;
  return makeFact(kind, player, { cells, lines, moves, column, count, ending: ending.kind });
}
