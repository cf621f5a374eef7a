// The identifier of a position: equal for the same stones in any order of moves, and for the mirror image.

import { computeSha256 } from "./sha256.js";

/** @import { Board } from "../coach/board.js" */

const LENGTH = 12;

/**
 * Twelve hexadecimal digits, which the server and the files of puzzles use, too.
 * @param {Board} board
 */
export function identifyPosition(board) {
  const [drawing] = [draw(board, false), draw(board, true)].sort();
  return computeSha256(drawing).slice(0, LENGTH);
}

/**
 * The cells row by row, with the hole as '#'.
 * @param {Board} board
 * @param {boolean} isMirrored
 */
function draw(board, isMirrored) {
  return Array.from({ length: board.rows }, (_, row) => {
    const cells = Array.from({ length: board.cols }, (_, column) => drawCell(board, row, column));
    return (isMirrored ? cells.reverse() : cells).join("");
  }).join("\n");
}

/**
 * @param {Board} board
 * @param {number} row
 * @param {number} column
 */
function drawCell(board, row, column) {
  const player = board.getStone([row, column]);
  if (player !== null) return "XO"[player];
  return board.isHole([row, column]) ? "#" : ".";
}
