// Cells, columns and lines of a board: what the facts need besides the rules.

/** @import { Cell, Player } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Stone } from "./facts.js" */

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/**
 * @param {Cell} cell
 * @param {Cell} other
 */
export function isSameCell(cell, other) {
  return cell[0] === other[0] && cell[1] === other[1];
}

/**
 * @param {Cell[]} cells
 * @param {Cell} cell
 */
export function includesCell(cells, cell) {
  return cells.some((other) => isSameCell(other, cell));
}

/**
 * The free cells of a column in the order in which stones reach them, without the hole.
 * @param {Board} board
 * @param {number} column
 * @returns {Cell[]}
 */
export function listFreeCells(board, column) {
  /** @type {Cell[]} */
  const cells = [];
  for (let row = board.landingRows[column]; row >= 0; row = board.findRowAbove(row, column)) cells.push([row, column]);
  return cells;
}

/**
 * The cell on which a stone in this column lands; the column must not be full.
 * @param {Board} board
 * @param {number} column
 * @returns {Cell}
 */
export function findLandingCell(board, column) {
  return [board.landingRows[column], column];
}

/**
 * The lines of four or more that a stone of the player on this cell completes.
 * @param {Board} board
 * @param {Cell} cell
 * @param {Player} player
 * @returns {Cell[][]}
 */
export function findLines(board, cell, player) {
  return DIRECTIONS.map(([down, right]) => [
    ...followStones(board, cell, -down, -right, player).reverse(),
    cell,
    ...followStones(board, cell, down, right, player),
  ]).filter((line) => line.length >= 4);
}

/**
 * The player's stones next to a cell in one direction.
 * @param {Board} board
 * @param {Cell} cell
 * @param {number} down
 * @param {number} right
 * @param {Player} player
 * @returns {Cell[]}
 */
function followStones(board, cell, down, right, player) {
  /** @type {Cell[]} */
  const cells = [];
  let [row, column] = [cell[0] + down, cell[1] + right];
  while (board.cells[board.indexOf(row, column)] === player) {
    cells.push([row, column]);
    row += down;
    column += right;
  }
  return cells;
}

/**
 * The lines that the player's stones on these cells complete, one stone at a time.
 * @param {Board} board
 * @param {Cell[]} cells
 * @param {Player} player
 */
export function joinLines(board, cells, player) {
  return cells.flatMap((cell) => findLines(board, cell, player));
}

/**
 * The cells on which a stone can land now and that would complete four for the player, from left to right.
 * @param {Board} board
 * @param {Player} player
 * @returns {Cell[]}
 */
export function findPlayableThreats(board, player) {
  /** @type {Cell[]} */
  const cells = [];
  for (let column = 0; column < board.cols; column += 1) {
    const row = board.landingRows[column];
    if (row >= 0 && board.completesFour(board.indexOf(row, column), player)) cells.push([row, column]);
  }
  return cells;
}

/**
 * The stones of a sequence of moves from the position of the board.
 * @param {Board} board
 * @param {number[]} columns
 * @returns {Stone[]}
 */
export function listStones(board, columns) {
  const after = board.copy();
  return columns.map((col) => {
    const stone = { row: after.landingRows[col], col, player: after.turn };
    after.push(col);
    return stone;
  });
}

/**
 * The lines of four cells of the board through a cell, with the hole or without.
 * @param {Board} board
 * @param {Cell} cell
 * @returns {Cell[][]}
 */
export function listWindows(board, cell) {
  /** @type {Cell[][]} */
  const windows = [];
  for (const [down, right] of DIRECTIONS) {
    for (let start = -3; start <= 0; start += 1) {
      /** @type {Cell[]} */
      const window = [];
      for (let at = start; at < start + 4; at += 1) window.push([cell[0] + at * down, cell[1] + at * right]);
      if (isOnBoard(board, window[0]) && isOnBoard(board, window[3])) windows.push(window);
    }
  }
  return windows;
}

/**
 * @param {Board} board
 * @param {Cell} cell
 */
function isOnBoard(board, cell) {
  return cell[0] >= 0 && cell[0] < board.rows && cell[1] >= 0 && cell[1] < board.cols;
}
