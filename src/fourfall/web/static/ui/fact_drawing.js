// Draws a fact of an explanation on the board: frames around its cells, its lines, and the stones of a sequence.

import { CELL_SIZE } from "./board_shapes.js";
import { svg } from "./dom.js";

/** @import { FactInfo } from "../model/explanation_messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { PreviewStone } from "./board.js" */

/** @param {number} index of a row or column */
const center = (index) => (index + 0.5) * CELL_SIZE;

/**
 * Whether a fact has something to draw.
 * @param {FactInfo} fact
 */
export function canDraw({ cells, lines, moves }) {
  return cells.length + lines.length + moves.length > 0;
}

/**
 * The lines of a fact; they are drawn below numbered stones.
 * @param {FactInfo} fact
 * @returns {SVGElement[]}
 */
export function drawFactLines({ lines, player }) {
  return lines.flatMap((line) => {
    const [[top, left], [bottom, right]] = [line[0], line[line.length - 1]];
    const d = `M${center(left)} ${center(top)}L${center(right)} ${center(bottom)}`;
    return [svg("path", { class: "fact-line edge", d }), svg("path", { class: `fact-line player-${player}-line`, d })];
  });
}

/**
 * Frames around the cells of a fact.
 * @param {FactInfo} fact
 * @returns {SVGElement[]}
 */
export function drawFactCells({ cells }) {
  return cells.map(([row, column]) =>
    svg("rect", {
      class: "fact-cell",
      x: column * CELL_SIZE + 2,
      y: row * CELL_SIZE + 2,
      width: CELL_SIZE - 4,
      height: CELL_SIZE - 4,
      rx: 8,
    }),
  );
}

/**
 * The stones of a fact's sequence that are not on the board yet, numbered from 1. No stones if another stone is in the
 * place of one of them.
 * @param {FactInfo} fact
 * @param {Position} position the position before the explained move, or after it
 * @returns {PreviewStone[]}
 */
export function listFactStones({ moves }, position) {
  const stones = moves.filter(({ row, col }) => position.isFree(row, col));
  const isPlayed = moves.length - stones.length;
  if (isPlayed > 1 || (isPlayed === 1 && position.getStone(moves[0].row, moves[0].col) !== moves[0].player)) return [];
  return stones.map(({ row, col, player }, index) => ({ row, column: col, player, label: index + 1 }));
}
