// SVG shapes of a board: cells, stones, the blocked cell, marks, and the thumbnail of a whole board.

import { svg } from "./dom.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/** Width and height of a cell in the units of the SVG. */
export const CELL_SIZE = 40;
const HALF = CELL_SIZE / 2;
const THUMBNAIL_MARGIN = 6;
/** Half the side of the hatched square, and the distance between its lines along an edge. */
const HATCH_REACH = 16;
const HATCH_STEP = 8;

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
 * The hole: a hatched square.
 * @param {number} row
 * @param {number} column
 */
export function drawBlockedCell(row, column) {
  const [left, top, side] = [center(column) - HATCH_REACH, center(row) - HATCH_REACH, 2 * HATCH_REACH];
  const lines = [];
  for (let at = HATCH_STEP; at < 2 * side; at += HATCH_STEP) {
    const [near, far] = [Math.max(at - side, 0), Math.min(at, side)];
    lines.push(`M${left + near} ${top + far}L${left + far} ${top + near}`);
  }
  return svg(
    "g",
    { class: "blocked-cell" },
    svg("rect", { x: left, y: top, width: side, height: side, rx: 3 }),
    svg("path", { d: lines.join("") }),
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
 * A ring around a stone, with a gap in the colour of the board between the two.
 * @param {number} row
 * @param {number} column
 */
export function drawWinningMark(row, column) {
  const place = { cx: center(column), cy: center(row) };
  return svg(
    "g",
    { class: "winning-cell" },
    svg("circle", { class: "gap", ...place, r: 15.4 }),
    svg("circle", { ...place, r: 18 }),
  );
}

/**
 * A ring around a stone of the line that expected moves complete.
 * @param {number} row
 * @param {number} column
 */
export function drawPreviewWinningMark(row, column) {
  return svg("circle", { class: "preview-winning-cell", cx: center(column), cy: center(row), r: 18 });
}

/**
 * The outline of a stone with a label, for an expected or a better move.
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
