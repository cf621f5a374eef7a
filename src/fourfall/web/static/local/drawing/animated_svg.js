// Draws a whole game as an animated SVG image: the same images as fourfall.render.

import { centerY, coverCell, drawCells, drawFrame, drawMarks, drawStone, MARGIN } from "./board_svg.js";

/** @import { Position } from "../../model/position.js" */

/** Seconds from one stone to the next. */
export const MOVE_TIME_S = 0.7;
/** Seconds that the last position is shown before the animation begins again. */
export const PAUSE_S = 3;
const FALL_S = 0.25;

/**
 * Draw the moves of a position, beginning after `start` stones; the animation repeats without end.
 * @param {Position} position
 * @param {number} start
 */
export function drawAnimation(position, start) {
  const opening = position.rewindTo(start);
  const moves = position.moves.slice(start);
  const total = MOVE_TIME_S * (moves.length + 1) + PAUSE_S;
  const parts = [...drawFrame(position), ...drawCells(opening)];
  let shown = opening;
  for (const [index, column] of moves.entries()) {
    const row = shown.findLandingRow(column);
    parts.push(drawFallingStone(shown, row, column, ((index + 1) * MOVE_TIME_S) / total, total));
    shown = shown.play(column);
  }
  const landed = (MOVE_TIME_S * moves.length + FALL_S) / total;
  parts.push(`<g>${appear(landed, total)}${drawMarks(position).join("")}</g>`, "</svg>");
  return parts.join("\n");
}

/**
 * A stone that appears above the board at a share of the total time and falls to its row.
 * @param {Position} position before the move
 * @param {number} row
 * @param {number} column
 * @param {number} at
 * @param {number} total
 */
function drawFallingStone({ turn }, row, column, at, total) {
  const height = centerY(row) - MARGIN / 2;
  const landed = at + FALL_S / total;
  const times = `0;${at.toFixed(5)};${landed.toFixed(5)};1`;
  const fall =
    `<animateTransform attributeName="transform" type="translate" dur="${formatSeconds(total)}s"` +
    ` repeatCount="indefinite" values="0 -${height};0 -${height};0 0;0 0" keyTimes="${times}"/>`;
  const stone = `<g>${appear(at, total)}${fall}${drawStone(turn, row, column)}</g>`;
  return turn === 0 ? stone : coverCell(row, column, appear(landed, total)) + stone;
}

/**
 * The animation that shows an element from a share of the total time on.
 * @param {number} at
 * @param {number} total
 */
function appear(at, total) {
  return (
    `<animate attributeName="visibility" values="hidden;visible" keyTimes="0;${at.toFixed(5)}" calcMode="discrete"` +
    ` dur="${formatSeconds(total)}s" repeatCount="indefinite"/>`
  );
}

/** @param {number} seconds */
function formatSeconds(seconds) {
  return String(Number(seconds.toPrecision(6)));
}
