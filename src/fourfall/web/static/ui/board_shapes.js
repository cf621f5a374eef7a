// SVG shapes of a board: cells, stones, the blocked cell, marks, and the thumbnail of a whole board.

import { svg } from "./dom.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/** Width and height of a cell in the units of the SVG. */
export const CELL_SIZE = 40;
const HALF = CELL_SIZE / 2;
const THUMBNAIL_MARGIN = 6;

/** @param {number} index of a row or column */
const center = (index) => index * CELL_SIZE + HALF;

/**
 * A disc for the first player, a diamond for the second.
 * @param {number} row
 * @param {number} column
 * @param {Player} player
 * @param {string} [style] CSS class
 */
export function drawStone(row, column, player, style = "stone") {
  const shapes =
    player === 0
      ? [svg("circle", { r: 17 }), svg("circle", { r: 10.5, class: "inner" })]
      : [drawDiamond(13.2, 4), drawDiamond(7.6, 2.5, "inner")];
  return svg(
    "g",
    { class: `${style} player-${player}`, transform: `translate(${center(column)} ${center(row)})` },
    svg("g", { class: "body" }, shapes),
  );
}

/**
 * @param {number} row
 * @param {number} column
 */
export function drawEmptyCell(row, column) {
  return svg("circle", { class: "empty-cell", cx: center(column), cy: center(row), r: 17 });
}

/**
 * The hole, drawn as a solid block.
 * @param {number} row
 * @param {number} column
 */
export function drawBlockedCell(row, column) {
  const [x, y, reach] = [center(column), center(row), 8];
  return svg(
    "g",
    { class: "blocked-cell" },
    svg("rect", { x: x - HALF + 1.5, y: y - HALF + 1.5, width: CELL_SIZE - 3, height: CELL_SIZE - 3, rx: 6 }),
    svg("path", {
      d: `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`,
    }),
  );
}

/**
 * @param {number} row
 * @param {number} column
 */
export function drawLastMoveMark(row, column) {
  return svg("circle", { class: "last-move", cx: center(column), cy: center(row), r: 4.5 });
}

/**
 * @param {number} row
 * @param {number} column
 */
export function drawWinningMark(row, column) {
  return svg("circle", { class: "winning-cell", cx: center(column), cy: center(row), r: 17.6 });
}

/**
 * A transparent stone with a label, for an expected or a better move.
 * @param {number} row
 * @param {number} column
 * @param {Player} player
 * @param {string | number} label
 */
export function drawPreviewStone(row, column, player, label) {
  const group = drawStone(row, column, player, "preview-stone");
  group.append(svg("text", { "text-anchor": "middle", dy: "0.35em" }, label));
  return group;
}

/**
 * @param {number} reach
 * @param {number} radius of the corners
 * @param {string | null} [style] CSS class
 */
function drawDiamond(reach, radius, style = null) {
  const size = 2 * reach;
  return svg("rect", {
    class: style,
    x: -reach,
    y: -reach,
    width: size,
    height: size,
    rx: radius,
    transform: "rotate(45)",
  });
}

/**
 * A stone in the size of the text, to show which player a name belongs to.
 * @param {Player} player
 */
export function createStoneIcon(player) {
  const attributes = { class: "stone-icon", viewBox: `0 0 ${CELL_SIZE} ${CELL_SIZE}`, "aria-hidden": "true" };
  return svg("svg", attributes, drawStone(0, 0, player));
}

/**
 * A small board that does not react to clicks.
 * @param {Position} position
 */
export function createBoardThumbnail(position) {
  const parts = [];
  for (let row = 0; row < position.rows; row += 1) {
    for (let column = 0; column < position.cols; column += 1) {
      const player = position.getStone(row, column);
      if (player !== null) parts.push(drawStone(row, column, player));
      else parts.push(position.isHole(row, column) ? drawBlockedCell(row, column) : drawEmptyCell(row, column));
    }
  }
  parts.push(...(position.winningCells ?? []).map((cell) => drawWinningMark(...cell)));
  if (position.lastCell) parts.push(drawLastMoveMark(...position.lastCell));
  const x = -THUMBNAIL_MARGIN;
  const width = position.cols * CELL_SIZE + 2 * THUMBNAIL_MARGIN;
  const height = position.rows * CELL_SIZE + 2 * THUMBNAIL_MARGIN;
  const frame = svg("rect", { class: "thumbnail-frame", x, y: x, width, height, rx: 16 });
  return svg(
    "svg",
    { class: "thumbnail", viewBox: `${x} ${x} ${width} ${height}`, "aria-hidden": "true" },
    frame,
    parts,
  );
}
