// Effects on a board: the shake of a full column and the line through the winning stones. Motion is left out if the
// system asks for it.

import { CELL_SIZE } from "./board_shapes.js";
import { prefersReducedMotion, svg } from "./dom.js";

/** @import { Cell } from "../model/messages.d.ts" */
/** @import { BoardView } from "./board.js" */
/** @import { Line } from "../model/winning_lines.js" */

const SHAKE = { duration: 320, easing: "ease-in-out" };
/** The line starts when the last stone has fallen. */
const LINE_TIMING = { duration: 500, delay: 350, fill: /** @type {const} */ ("backwards") };
const PULSE_MS = 420;
const PULSE_STEP_MS = 90;

/**
 * The stones of a board by their cell.
 * @param {BoardView} board
 */
function findStones(board) {
  /** @type {Map<string, Element>} */
  const stones = new Map();
  for (const group of board.layers.stones.children) {
    const [row, column] = (group instanceof SVGElement ? (group.dataset.cell ?? "") : "").split(",");
    if (group.firstElementChild) stones.set(`${row},${column}`, group.firstElementChild);
  }
  return stones;
}

/**
 * Shake the stones of a full column.
 * @param {BoardView} board
 * @param {number} column
 */
export function shakeColumn(board, column) {
  if (prefersReducedMotion()) return;
  const steps = [0, -4, 4, -3, 2, 0].map((x) => ({ transform: `translate(${x}px, 0)` }));
  for (const [cell, stone] of findStones(board)) if (cell.endsWith(`,${column}`)) stone.animate(steps, SHAKE);
}

/**
 * Draw a line through each winning line and let its stones pulse one after the other.
 * @param {BoardView} board
 * @param {Line[]} lines none removes the effect
 * @param {boolean} animate
 */
export function showWinningLines(board, lines, animate) {
  board.image.querySelector(".winning-lines")?.remove();
  if (!lines.length) return;
  const isMoving = animate && !prefersReducedMotion();
  const paths = lines.flatMap(({ cells }) => drawLine(cells[0], cells[cells.length - 1]));
  board.image.append(svg("g", { class: "winning-lines" }, paths));
  if (!isMoving) return;
  for (const path of paths) {
    const length = path.getTotalLength();
    path.animate([{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }], LINE_TIMING);
  }
  const stones = findStones(board);
  for (const { cells } of lines) {
    cells.forEach((cell, index) => {
      const timing = { duration: PULSE_MS, delay: LINE_TIMING.delay + index * PULSE_STEP_MS, iterations: 2 };
      stones.get(String(cell))?.animate([{ scale: 1 }, { scale: 1.18 }, { scale: 1 }], timing);
    });
  }
}

/**
 * A light line with a dark edge, which is visible on stones of both colours.
 * @param {Cell} from
 * @param {Cell} to
 */
function drawLine(from, to) {
  const [x1, y1, x2, y2] = [from[1], from[0], to[1], to[0]].map((index) => (index + 0.5) * CELL_SIZE);
  const d = `M${x1} ${y1}L${x2} ${y2}`;
  return [svg("path", { class: "winning-line edge", d }), svg("path", { class: "winning-line", d })];
}
