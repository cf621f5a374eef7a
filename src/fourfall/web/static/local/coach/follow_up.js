// Proves wins by parity with follow-up play: the opponent must in the end play below a winning cell.
//
// The *follower* has just moved and has a winning cell on which no stone can land yet. The cell directly below it is
// *forbidden*: who plays there loses, or gives up the winning cell. All cells that are neither forbidden nor above a
// forbidden cell are *usable*. If their number is even, the follower has an answer to every stone of the opponent:
//
// - The usable cells of a column are paired from the top downwards. When the opponent takes the lower cell of a pair,
//   the follower takes the upper one.
// - A column with an odd number of usable cells has one cell without a partner, the lowest. The number of such columns
//   is even; when the opponent takes one of these cells, the follower takes another one.
//
// When the usable cells are full, the opponent must play on a forbidden cell, and the follower wins above it. The
// opponent gets at most the lower cells, the cells without a partner and, as its last stone, one forbidden cell. If
// these cells and its stones contain no four, the win is proven.

import { getOpponent } from "./board.js";
import { includesCell, listFreeCells } from "./lines.js";

/** @import { Cell } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */

/** Largest number of choices of winning cells that are tried. */
export const MAX_CHOICES = 256;

/**
 * @typedef {object} FollowUpWin
 * @property {Cell[]} cells the winning cells above the forbidden cells
 * @property {number} usable number of usable cells, even
 * @property {boolean} isAbove whether the follower answers every stone directly above it, because no column is odd
 * @property {boolean} countsHole whether there would be one more usable cell without the hole
 */

/**
 * The win by follow-up play of the player who moved last, or null if none is proven.
 *
 * Fewer winning cells are preferred, because they are easier to explain.
 * @param {Board} board
 * @returns {FollowUpWin | null}
 */
export function findFollowUpWin(board) {
  if (board.isOver) return null;
  const winning = board.listThreats(getOpponent(board.turn));
  if (!winning.length) return null;
  const columns = Array.from({ length: board.cols }, (_, column) => listFreeCells(board, column));
  const options = columns.map((free) => [
    0,
    ...free.map((_, at) => at).filter((at) => at > 0 && includesCell(winning, free[at])),
  ]);
  if (options.every((choices) => choices.length === 1)) return null;
  for (const choice of listChoices(options)) {
    const win = prove(board, columns, choice);
    if (win) return win;
  }
  return null;
}

/**
 * Which winning cell to use in each column (0 for none), the choices with the fewest winning cells first.
 * @param {number[][]} options
 * @returns {number[][]}
 */
function listChoices(options) {
  const count = options.reduce((product, choices) => product * choices.length, 1);
  const used = count > MAX_CHOICES ? options.map((choices) => choices.slice(0, 2)) : options;
  /** @type {number[][]} */
  let chosen = [[]];
  for (const choices of used) chosen = chosen.flatMap((start) => choices.map((at) => [...start, at]));
  return chosen
    .map((choice) => ({ choice, cells: choice.filter((at) => at > 0).length }))
    .filter(({ cells }) => cells > 0)
    .sort((a, b) => a.cells - b.cells)
    .slice(0, MAX_CHOICES)
    .map(({ choice }) => choice);
}

/**
 * @param {Board} board
 * @param {Cell[][]} columns the free cells of each column
 * @param {number[]} choice
 * @returns {FollowUpWin | null}
 */
function prove(board, columns, choice) {
  const usable = columns.map((free, column) => (choice[column] ? free.slice(0, choice[column] - 1) : free));
  const total = usable.reduce((sum, cells) => sum + cells.length, 0);
  if (total % 2) return null;
  const used = columns.map((_, column) => column).filter((column) => choice[column] > 0);
  const forbidden = used.map((column) => columns[column][choice[column] - 1]);
  if (canOpponentWin(board, usable.flatMap(listOpponentCells), forbidden)) return null;
  return {
    cells: used.map((column) => columns[column][choice[column]]),
    usable: total,
    isAbove: usable.every((cells) => cells.length % 2 === 0),
    countsHole: countsHole(board, columns, choice),
  };
}

/**
 * The cells of a column that the opponent may get: the lower cell of each pair and the cell without one.
 * @param {Cell[]} cells
 */
function listOpponentCells(cells) {
  const odd = cells.length % 2;
  return cells.filter((_, at) => at < odd || (at - odd) % 2 === 0);
}

/**
 * Whether the opponent's stones, all of some cells and one forbidden cell contain four in a line.
 * @param {Board} board a game that is not over: the stones alone contain no four
 * @param {Cell[]} taken
 * @param {Cell[]} forbidden
 */
function canOpponentWin(board, taken, forbidden) {
  const filled = board.copy();
  const indices = taken.map(([row, column]) => filled.indexOf(row, column));
  for (const at of indices) filled.cells[at] = board.turn;
  const last = forbidden.map(([row, column]) => filled.indexOf(row, column));
  return [...indices, ...last].some((at) => filled.completesFour(at, board.turn));
}

/**
 * Whether the number of usable cells would be greater by one without the hole.
 * @param {Board} board
 * @param {Cell[][]} columns
 * @param {number[]} choice
 */
function countsHole(board, columns, choice) {
  if (!board.hole) return false;
  const [row, column] = board.hole;
  for (let above = 0; above < row; above += 1) if (board.getStone([above, column]) !== null) return false;
  const at = choice[column];
  return !at || row > columns[column][at - 1][0];
}
