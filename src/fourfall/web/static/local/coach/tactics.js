// Facts about the next two stones: wins, blocks, cells that a move opens, and double threats.
//
// They follow from the rules alone. "At once" means with the next stone.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { findLandingCell, findLines, findPlayableThreats, joinLines, listStones } from "./lines.js";

/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */

/**
 * The fact that the move completes four.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findWin(board, column) {
  const cell = findLandingCell(board, column);
  const lines = findLines(board, cell, board.turn);
  return lines.length ? makeFact("wins", board.turn, { cells: [cell], lines }) : null;
}

/**
 * The fact that another move would complete four; the explained move does not.
 * @param {Board} board
 * @returns {Fact | null}
 */
export function findMissedWin(board) {
  const cells = findPlayableThreats(board, board.turn);
  if (!cells.length) return null;
  const column = cells[0][1];
  const lines = joinLines(board, cells, board.turn);
  return makeFact("misses_win", board.turn, { cells, lines, moves: listStones(board, [column]), column });
}

/**
 * What the move does about cells where the opponent would complete four with the next stone.
 *
 * The side to move cannot win at once. With one such cell the move blocks it or misses the block; with several, one
 * stone cannot block all.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findBlock(board, column) {
  const opponent = getOpponent(board.turn);
  const cells = findPlayableThreats(board, opponent);
  if (!cells.length) return null;
  const lines = joinLines(board, cells, opponent);
  if (cells.length > 1) return makeFact("cannot_block", opponent, { cells, lines });
  const threatened = cells[0][1];
  if (threatened === column) return makeFact("blocks", board.turn, { cells, lines });
  const moves = listStones(board, [column, threatened]);
  return makeFact("misses_block", opponent, { cells, lines, moves, column: threatened });
}

/**
 * The fact that the opponent completes four directly above the stone; the move does not win.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findOpenedWin(board, column) {
  const after = board.after(column);
  if (!after.listWinningMoves().includes(column)) return null;
  const cell = findLandingCell(after, column);
  const lines = findLines(after, cell, after.turn);
  return makeFact("opens_win", after.turn, { cells: [cell], lines, moves: listStones(board, [column, column]) });
}

/**
 * The fact that the player who has just moved wins with the next stone, whatever the opponent plays.
 *
 * The kind is `double_threat` for two cells in different columns, `stacked_threat` for a cell and the cell directly
 * above it, and `no_safe_reply` if every reply opens a winning cell or leaves one open.
 * @param {Board} after the position after the move; the side to move cannot win at once
 * @returns {Fact | null}
 */
export function findDoubleThreat(after) {
  if (after.isOver || after.listWinningMoves().length || after.listSafeMoves().length) return null;
  const player = getOpponent(after.turn);
  const cells = findPlayableThreats(after, player);
  if (cells.length > 1) return makeFact("double_threat", player, { cells, lines: joinLines(after, cells, player) });
  if (cells.length) {
    const column = cells[0][1];
    cells.push(findLandingCell(after.after(column), column));
    return makeFact("stacked_threat", player, { cells, lines: joinLines(after, cells, player) });
  }
  const opened = after
    .listThreats(player)
    .filter(([row, column]) => after.findRowAbove(after.landingRows[column], column) === row);
  return makeFact("no_safe_reply", player, { cells: opened, lines: joinLines(after, opened, player) });
}
