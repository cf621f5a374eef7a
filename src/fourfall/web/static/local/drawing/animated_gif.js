// Draws a whole game as an animated GIF, like fourfall.render.

import { pause } from "../pause.js";
import { MOVE_TIME_S, PAUSE_S } from "./animated_svg.js";
import { BLUE, EMPTY, FAINT, FRAME, INK, listLineEnds, ORANGE, OUTLINE } from "./board_svg.js";
import { Canvas, circle, diamond, line, rectangle } from "./canvas.js";
import { GifEncoder } from "./gif_encoder.js";

/** @import { Cell } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { Box } from "./canvas.js" */

const CELL = 32;
const MARGIN = 22;
const RADIUS = 13;
const HATCH_STEP = 6;
const GLYPH_SCALE = 1.5;

/** Colours that meet at the edges of shapes. @type {[string, string][]} */
const MIXED = [
  [EMPTY, FRAME],
  [EMPTY, INK],
  [EMPTY, OUTLINE],
  [FRAME, BLUE],
  [FRAME, ORANGE],
  [FRAME, OUTLINE],
  [FRAME, FAINT],
  [FRAME, INK],
  [BLUE, EMPTY],
  [BLUE, INK],
  [ORANGE, EMPTY],
  [ORANGE, INK],
];

/** The strokes of the names of columns: the points (x, y) of each stroke in a grid of 5 x 7 points. */
const GLYPHS = [
  ["11 20 26"],
  ["01 10 30 41 42 06 46"],
  ["00 40 22 32 43 45 36 16 05"],
  ["36 30 04 44"],
  ["40 00 02 32 43 45 36 16 05"],
  ["41 30 10 01 05 16 36 45 43 32 12 03"],
  ["00 40 16"],
  ["13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33"],
  ["05 16 36 45 41 30 10 01 02 13 33 42"],
  ["12 32 43 46", "44 14 05 16 36 45"],
  ["00 06", "03 12 32 43 45 36 16 05"],
  ["43 32 12 03 05 16 36 45"],
];

/**
 * Draw the moves of a position, beginning after `start` stones, as a GIF that repeats without end. The worker handles
 * messages between the frames.
 * @param {Position} position
 * @param {number} start
 */
export async function drawGif(position, start) {
  let shown = position.rewindTo(start);
  const canvas = await createCanvas(shown);
  const gif = new GifEncoder(canvas.width, canvas.height, canvas.palette);
  const moves = position.moves.slice(start);
  gif.addFrame(canvas.cut(), moves.length ? MOVE_TIME_S : PAUSE_S);
  for (const [index, column] of moves.entries()) {
    await pause();
    const before = shown;
    shown = shown.play(column);
    const changed = [before.lastCell, shown.lastCell].filter((cell) => cell !== null);
    for (const [row, col] of changed) drawCell(canvas, shown, row, col);
    drawMarks(canvas, shown);
    const part = shown.winningCells ? canvas.cut() : canvas.cut(joinBoxes(changed.map(getBox)));
    gif.addFrame(part, index === moves.length - 1 ? PAUSE_S : MOVE_TIME_S);
  }
  return gif.finish();
}

/**
 * The image of a position.
 * @param {Position} position
 */
async function createCanvas(position) {
  const { rows, cols } = position;
  const canvas = new Canvas(cols * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN, EMPTY, MIXED);
  const edge = MARGIN - 4;
  const frame = { left: edge, top: edge, width: canvas.width - 2 * edge, height: canvas.height - 2 * edge };
  canvas.fill(frame, rectangle(frame, 8), FRAME);
  for (let col = 0; col < cols; col += 1) {
    await pause();
    drawName(canvas, col);
    for (let row = 0; row < rows; row += 1) drawCell(canvas, position, row, col);
  }
  drawMarks(canvas, position);
  return canvas;
}

/**
 * The pixels of a cell.
 * @param {Cell} cell
 * @returns {Box}
 */
function getBox([row, col]) {
  return { left: MARGIN + col * CELL, top: MARGIN + row * CELL, width: CELL, height: CELL };
}

/** @param {number} index of a row or column */
function getCenter(index) {
  return MARGIN + index * CELL + CELL / 2;
}

/**
 * @param {Canvas} canvas
 * @param {Position} position
 * @param {number} row
 * @param {number} col
 */
function drawCell(canvas, position, row, col) {
  const [box, x, y] = [getBox([row, col]), getCenter(col), getCenter(row)];
  canvas.fill(box, rectangle(box), FRAME);
  const player = position.getStone(row, col);
  if (position.isHole(row, col)) {
    drawHole(canvas, x, y);
  } else if (player === null) {
    canvas.fill(box, circle(x, y, RADIUS), OUTLINE);
    canvas.fill(box, circle(x, y, RADIUS - 1), EMPTY);
  } else {
    canvas.fill(box, player === 0 ? circle(x, y, RADIUS) : diamond(x, y, RADIUS + 1), player === 0 ? BLUE : ORANGE);
  }
}

/**
 * A square with diagonal lines.
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 */
function drawHole(canvas, x, y) {
  const [left, top, side] = [x - RADIUS, y - RADIUS, 2 * RADIUS];
  const square = { left, top, width: side, height: side };
  const inner = { left: left + 1, top: top + 1, width: side - 2, height: side - 2 };
  canvas.fill(square, rectangle(square), FAINT);
  canvas.fill(inner, rectangle(inner), FRAME);
  for (let at = HATCH_STEP; at < 2 * side; at += HATCH_STEP) {
    const [near, far] = [Math.max(at - side, 0), Math.min(at, side)];
    canvas.fill(square, line([left + near, top + far], [left + far, top + near], 1), FAINT);
  }
}

/**
 * Draw the winning lines and a dot on the last move.
 * @param {Canvas} canvas
 * @param {Position} position
 */
function drawMarks(canvas, position) {
  for (const [start, end] of listLineEnds(position)) {
    const [[top, left], [bottom, right]] = [start, end];
    const shape = line([getCenter(left), getCenter(top)], [getCenter(right), getCenter(bottom)], 4);
    canvas.fill(joinBoxes([getBox(start), getBox(end)]), shape, INK);
  }
  if (!position.lastCell) return;
  const [row, col] = position.lastCell;
  const box = getBox(position.lastCell);
  canvas.fill(box, circle(getCenter(col), getCenter(row), 4), INK);
  canvas.fill(box, circle(getCenter(col), getCenter(row), 3), EMPTY);
}

/**
 * Draw the name of a column above it.
 * @param {Canvas} canvas
 * @param {number} col
 */
function drawName(canvas, col) {
  const [left, top] = [getCenter(col) - 2 * GLYPH_SCALE, MARGIN / 2 - 1 - 3 * GLYPH_SCALE];
  const box = { left: left - 2, top: top - 2, width: 4 * GLYPH_SCALE + 4, height: 6 * GLYPH_SCALE + 4 };
  for (const stroke of GLYPHS[col]) {
    const points = stroke.split(" ").map(([x, y]) => {
      return /** @type {[number, number]} */ ([left + Number(x) * GLYPH_SCALE, top + Number(y) * GLYPH_SCALE]);
    });
    for (const [index, point] of points.slice(1).entries()) canvas.fill(box, line(points[index], point, 1.5), INK);
  }
}

/**
 * The smallest box that contains all boxes.
 * @param {Box[]} boxes
 * @returns {Box}
 */
function joinBoxes(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}
