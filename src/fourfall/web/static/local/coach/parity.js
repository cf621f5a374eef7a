// Facts about parity: who must in the end play below a winning cell, proven by follow-up play.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { findFollowUpWin } from "./follow_up.js";
import { joinLines, listStones } from "./lines.js";

/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */
/** @import { FollowUpWin } from "./follow_up.js" */

/**
 * The win by parity that the move secures, and whether the hole decides it.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact[]}
 */
export function findParity(board, column) {
  const after = board.after(column);
  const win = findFollowUpWin(after);
  if (!win) return [];
  const fact = makeFact("parity", board.turn, describeWin(after, win));
  if (!win.countsHole || !board.hole) return [fact];
  return [fact, makeFact("hole_parity", board.turn, { cells: [board.hole], count: win.usable })];
}

/**
 * A win by parity of the opponent after the move and a reply; the opponent cannot win faster by force.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findAllowedParity(board, column) {
  const found = findMove(board.after(column));
  if (!found) return null;
  const moves = listStones(board, [column, found.column]);
  const fields = describeWin(found.after, found.win);
  return makeFact("allows_parity", getOpponent(board.turn), { ...fields, moves, column: found.column });
}

/**
 * A win by parity of the side to move with another column.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findMissedParity(board, column) {
  const found = findMove(board);
  if (!found || found.column === column) return null;
  const moves = listStones(board, [found.column]);
  return makeFact("misses_parity", board.turn, { ...describeWin(found.after, found.win), moves, column: found.column });
}

/**
 * The first column after which the side to move wins by follow-up play.
 * @param {Board} board
 */
function findMove(board) {
  for (const column of board.listLegalMoves()) {
    const after = board.after(column);
    const win = findFollowUpWin(after);
    if (win) return { column, after, win };
  }
  return null;
}

/**
 * The fields that all facts about a win by parity have.
 * @param {Board} after the position in which the winner has just moved
 * @param {FollowUpWin} win
 * @returns {Partial<Fact>}
 */
function describeWin(after, win) {
  const lines = joinLines(after, win.cells, getOpponent(after.turn));
  return { cells: win.cells, lines, count: win.usable, isAbove: win.isAbove };
}
