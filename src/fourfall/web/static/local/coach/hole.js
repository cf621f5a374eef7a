// Facts about the hole: lines that it breaks. How it changes parity is in `parity.js`.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { findLandingCell, includesCell, isSameCell, listWindows } from "./lines.js";

/** @import { Cell } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */

/**
 * A line of the move's stone that the hole breaks.
 *
 * The move makes three stones of four adjacent cells, the fourth cell is the hole, and the three stones cannot be part
 * of another four in this direction.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findBrokenLine(board, column) {
  if (!board.hole) return null;
  const cell = findLandingCell(board, column);
  const windows = listWindows(board, cell);
  for (const window of windows) {
    const stones = window.filter((other) => !board.isHole(other));
    if (stones.length === 4) continue;
    if (stones.some((other) => !isSameCell(other, cell) && board.getStone(other) !== board.turn)) continue;
    const isPartOf = (/** @type {Cell[]} */ other) => stones.every((stone) => includesCell(other, stone));
    if (!windows.some((other) => isPartOf(other) && isOpen(board, other, cell))) {
      return makeFact("hole_line", getOpponent(board.turn), { cells: [board.hole], lines: [window] });
    }
  }
  return null;
}

/**
 * Whether the side to move can still occupy all cells of a window.
 * @param {Board} board
 * @param {Cell[]} window
 * @param {Cell} cell
 */
function isOpen(board, window, cell) {
  const opponent = getOpponent(board.turn);
  return window.every(
    (other) => !board.isHole(other) && (isSameCell(other, cell) || board.getStone(other) !== opponent),
  );
}
