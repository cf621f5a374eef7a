// The winning lines of a finished game with their directions.

/** @import { Cell } from "./messages.d.ts" */
/** @import { Position } from "./position.js" */

/** @typedef {"horizontal" | "vertical" | "diagonal"} Direction */
/** The cells of one line from one end to the other. @typedef {{direction: Direction, cells: Cell[]}} Line */

/** @type {[down: number, right: number, direction: Direction][]} */
const DIRECTIONS = [
  [0, 1, "horizontal"],
  [1, 0, "vertical"],
  [1, 1, "diagonal"],
  [1, -1, "diagonal"],
];

/**
 * The lines of four or more that the last stone completed; none if the game was not won on the board.
 * @param {Position} position
 * @returns {Line[]}
 */
export function findWinningLines(position) {
  const { lastCell, winningCells } = position;
  if (!lastCell || !winningCells) return [];
  const [row, column] = lastCell;
  return DIRECTIONS.flatMap(([down, right, direction]) => {
    const before = position.findAdjacentStones(row, column, -down, -right, position.opponent);
    const after = position.findAdjacentStones(row, column, down, right, position.opponent);
    if (before.length + after.length < 3) return [];
    return [{ direction, cells: [...before.reverse(), lastCell, ...after] }];
  });
}
