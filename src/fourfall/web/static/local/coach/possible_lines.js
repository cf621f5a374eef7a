// Facts about possible lines: how many fours a player can still complete through a cell.
//
// A line of four cells is *possible* for a player if it contains neither the hole nor a stone of the other player.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { findLandingCell, listWindows } from "./lines.js";

/** @import { Cell, Player } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */

/**
 * The number of possible lines of a player through a cell.
 * @param {Board} board
 * @param {Cell} cell
 * @param {Player} player
 */
function countPossibleLines(board, cell, player) {
  const opponent = getOpponent(player);
  return listWindows(board, cell).filter((window) =>
    window.every((other) => !board.isHole(other) && board.getStone(other) !== opponent),
  ).length;
}

/**
 * The number of possible lines through the cell, if no column has more and some column has fewer.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findOpenLines(board, column) {
  const counts = board.listLegalMoves().map((other) => countAfter(board, other));
  const count = countAfter(board, column);
  if (count < Math.max(...counts) || count === Math.min(...counts)) return null;
  return makeFact("open_lines", board.turn, { cells: [findLandingCell(board, column)], count });
}

/**
 * The fact that fewer possible lines go through the cell than through that of the better move.
 * @param {Board} board
 * @param {number} column
 * @param {number} better
 * @returns {Fact | null}
 */
export function findFewerLines(board, column, better) {
  const [count, otherCount] = [countAfter(board, column), countAfter(board, better)];
  if (count >= otherCount) return null;
  const cells = [findLandingCell(board, column), findLandingCell(board, better)];
  return makeFact("fewer_lines", getOpponent(board.turn), { cells, column: better, count, otherCount });
}

/**
 * The possible lines of both players through the cell of the better move, where the opponent can play.
 * @param {Board} board
 * @param {number} column
 * @param {number} better
 * @returns {Fact | null}
 */
export function findLeftCell(board, column, better) {
  const after = board.after(column);
  if (column === better || !after.isLegal(better)) return null;
  const cell = findLandingCell(after, better);
  const own = countPossibleLines(after, cell, board.turn);
  const opposing = countPossibleLines(after, cell, after.turn);
  if (!own || !opposing) return null;
  return makeFact("leaves_cell", after.turn, { cells: [cell], column: better, count: opposing, otherCount: own });
}

/**
 * @param {Board} board
 * @param {number} column
 */
function countAfter(board, column) {
  return countPossibleLines(board, findLandingCell(board, column), board.turn);
}
