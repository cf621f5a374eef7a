// Draws boards as SVG: the same images as fourfall.render.

import { COLUMN_NAMES } from "../../model/position.js";
import { findWinningLines } from "../../model/winning_lines.js";

/** @import { Cell, Player } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */

export const CELL = 44;
export const MARGIN = 30;
export const BLUE = "#0072b2";
export const ORANGE = "#cf5b00";
export const INK = "#17222c";
export const FAINT = "#5d6b77";
export const FRAME = "#dde5ec";
export const EMPTY = "#ffffff";
export const OUTLINE = "#84929e";
const HATCH_REACH = 18;
const HATCH_STEP = 9;

/**
 * Draw a position as a standalone SVG image.
 * @param {Position} position
 */
export function drawBoard(position) {
  return [...drawFrame(position), ...drawCells(position), ...drawMarks(position), "</svg>"].join("\n");
}

/**
 * The start of the image: the opening tag, the title, the frame of the board and the coordinates.
 * @param {Position} position
 */
export function drawFrame(position) {
  const { rows, cols } = position;
  const [width, height] = [cols * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
      ' role="img" font-family="system-ui, sans-serif" font-size="15" text-anchor="middle"' +
      ' style="max-width:100%;height:auto">',
    `<title>Gravity four, ${position.notation}: ${describeState(position)}</title>`,
    `<rect x="${MARGIN - 6}" y="${MARGIN - 6}" width="${cols * CELL + 12}" height="${rows * CELL + 12}"` +
      ` rx="10" fill="${FRAME}"/>`,
    ...Array.from({ length: cols }, (_, col) => {
      return `<text x="${centerX(col)}" y="${MARGIN - 12}" fill="${INK}">${COLUMN_NAMES[col]}</text>`;
    }),
    ...Array.from({ length: rows }, (_, row) => {
      const place = `x="${MARGIN / 2 - 3}" y="${centerY(row) + 4}"`;
      return `<text ${place} font-size="11" fill="${FAINT}">${rows - row}</text>`;
    }),
  ];
}

/** @param {Position} position */
function describeState(position) {
  if (position.winningCells) return `the ${nameSide(position.opponent)} player won`;
  return position.isOver ? "a draw" : `${nameSide(position.turn)} player to move`;
}

/** @param {Player} player */
function nameSide(player) {
  return player === 0 ? "first" : "second";
}

/**
 * All stones, free cells and the hole, row by row.
 * @param {Position} position
 */
export function drawCells(position) {
  return Array.from({ length: position.rows * position.cols }, (_, index) => {
    return drawCell(position, Math.floor(index / position.cols), index % position.cols);
  });
}

/**
 * @param {Position} position
 * @param {number} row
 * @param {number} col
 */
function drawCell(position, row, col) {
  const [x, y] = [centerX(col), centerY(row)];
  if (position.isHole(row, col)) return drawHatchedSquare(x - HATCH_REACH, y - HATCH_REACH, 2 * HATCH_REACH);
  const player = position.getStone(row, col);
  if (player !== null) return drawStone(player, row, col);
  return `<circle cx="${x}" cy="${y}" r="18" fill="${EMPTY}" stroke="${OUTLINE}"/>`;
}

/**
 * A disc for the first player, a diamond for the second.
 * @param {Player} player
 * @param {number} row
 * @param {number} col
 */
export function drawStone(player, row, col) {
  const [x, y] = [centerX(col), centerY(row)];
  if (player === 0) return `<circle cx="${x}" cy="${y}" r="18" fill="${BLUE}"/>`;
  const shape = `x="${x - 14}" y="${y - 14}" width="28" height="28" rx="4" fill="${ORANGE}"`;
  return `<rect ${shape} transform="rotate(45 ${x} ${y})"/>`;
}

/**
 * A disc that hides a free cell, because a diamond that is drawn over it does not.
 * @param {number} row
 * @param {number} col
 * @param {string} animation
 */
export function coverCell(row, col, animation) {
  return `<circle cx="${centerX(col)}" cy="${centerY(row)}" r="18.6" fill="${FRAME}">${animation}</circle>`;
}

/**
 * @param {number} left
 * @param {number} top
 * @param {number} side
 */
function drawHatchedSquare(left, top, side) {
  let lines = "";
  for (let at = HATCH_STEP; at < 2 * side; at += HATCH_STEP) {
    const [near, far] = [Math.max(at - side, 0), Math.min(at, side)];
    lines += `M${left + near} ${top + far}L${left + far} ${top + near}`;
  }
  const path = `M${left} ${top}h${side}v${side}h-${side}Z${lines}`;
  return `<path d="${path}" fill="none" stroke="${FAINT}" stroke-width="2" stroke-linejoin="round"/>`;
}

/**
 * Rings around the winning stones, the winning lines, and a dot on the last move.
 * @param {Position} position
 */
export function drawMarks(position) {
  const marks = [...(position.winningCells ?? [])].sort(compareCells).map(([row, col]) => {
    const place = `cx="${centerX(col)}" cy="${centerY(row)}"`;
    return `<circle ${place} r="19" fill="none" stroke="${INK}" stroke-width="3.5"/>`;
  });
  for (const [[top, left], [bottom, right]] of listLineEnds(position)) {
    const ends = `x1="${centerX(left)}" y1="${centerY(top)}" x2="${centerX(right)}" y2="${centerY(bottom)}"`;
    marks.push(`<line ${ends} stroke="${INK}" stroke-width="5" stroke-linecap="round"/>`);
  }
  if (position.lastCell) {
    const [row, col] = position.lastCell;
    marks.push(`<circle cx="${centerX(col)}" cy="${centerY(row)}" r="5" fill="${EMPTY}" stroke="${INK}"/>`);
  }
  return marks;
}

/**
 * The two ends of every winning line, the upper or left one first.
 * @param {Position} position
 * @returns {[Cell, Cell][]}
 */
export function listLineEnds(position) {
  return findWinningLines(position)
    .map(({ cells }) => /** @type {[Cell, Cell]} */ ([cells[0], cells[cells.length - 1]]))
    .sort(([a], [b]) => compareCells(a, b));
}

/**
 * @param {Cell} a
 * @param {Cell} b
 */
function compareCells(a, b) {
  return a[0] - b[0] || a[1] - b[1];
}

/** @param {number} col */
function centerX(col) {
  return MARGIN + col * CELL + CELL / 2;
}

/** @param {number} row */
export function centerY(row) {
  return MARGIN + row * CELL + CELL / 2;
}
