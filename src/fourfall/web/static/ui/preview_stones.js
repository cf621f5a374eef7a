// The stones of expected moves that the board shows as previews.

/** @import { Position } from "../model/position.js" */
/** @import { PreviewStone } from "./board.js" */

const MAX_PREVIEW_STONES = 8;

/**
 * The stones of expected moves, numbered from 1.
 * @param {Position} position
 * @param {number[]} columns
 * @param {number} [limit] number of stones
 * @returns {PreviewStone[]}
 */
export function previewMoves(position, columns, limit = MAX_PREVIEW_STONES) {
  const stones = [];
  let at = position;
  for (const column of columns.slice(0, limit)) {
    if (!at.isLegal(column)) break;
    const row = at.findLandingRow(column);
    const { turn } = at;
    at = at.play(column);
    stones.push({ row, column, player: turn, label: stones.length + 1, winningCells: at.winningCells });
  }
  return stones;
}
