// Rules and shapes of the replayable board: where stones land, lines of four, and SVG elements. Inlined by replay.py.

/** @typedef {[number, number]} Cell */
/** @typedef {{row: number, column: number, player: number}} Stone */

export const COLUMN_NAMES = "123456789abc";
export const CELL = 44;
export const MARGIN = 26;
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean>} [attributes]
 * @param {...(Node | string)} content
 */
export function el(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...content);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean>} [attributes]
 * @param {...(Node | string)} content
 */
export function svg(tag, attributes = {}, ...content) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  setAttributes(element, attributes);
  element.append(...content);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean>} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** A board and the stones that fall into it, one after the other. */
export class Position {
  /** @param {string} notation ROWSxCOLS[@row,col][:moves] */
  constructor(notation) {
    const [, rows, cols, holeRow, holeColumn, moves] = /** @type {RegExpExecArray} */ (
      /^(\d+)x(\d+)(?:@(\d+),(\d+))?(?::(\w*))?$/.exec(notation)
    );
    this.rows = Number(rows);
    this.cols = Number(cols);
    /** @type {Cell | null} */
    this.hole = holeRow === undefined ? null : [Number(holeRow), Number(holeColumn)];
    this.moves = moves ?? "";
  }

  /**
   * The stones of the columns `moves`, in this order; the first player begins.
   * @param {string} moves
   */
  listStones(moves) {
    const next = Array.from({ length: this.cols }, () => this.rows - 1);
    return Array.from(moves, (name, at) => {
      const column = COLUMN_NAMES.indexOf(name);
      if (this.isHole(next[column], column)) next[column] -= 1;
      const row = next[column];
      next[column] -= 1;
      return { row, column, player: at % 2 };
    });
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  isHole(row, column) {
    return this.hole !== null && this.hole[0] === row && this.hole[1] === column;
  }
}

/**
 * The cells of all lines of four or more through the last stone.
 * @param {Stone[]} stones
 */
export function findWinningCells(stones) {
  const last = stones.at(-1);
  if (!last) return [];
  const own = new Set(
    stones.filter(({ player }) => player === last.player).map(({ row, column }) => `${row},${column}`),
  );
  /** @type {Cell[]} */
  const cells = [];
  for (const [down, right] of DIRECTIONS) {
    /** @type {Cell[]} */
    const line = [[last.row, last.column]];
    for (const sign of [1, -1]) {
      for (let at = sign; own.has(`${last.row + at * down},${last.column + at * right}`); at += sign) {
        line.push([last.row + at * down, last.column + at * right]);
      }
    }
    if (line.length >= 4) cells.push(...line);
  }
  return cells;
}

/** @param {number} index */
export const center = (index) => MARGIN + index * CELL + CELL / 2;

/**
 * A disc with a ring for the first player, a diamond for the second.
 * @param {Stone} stone
 * @param {string} style CSS class
 */
export function drawStone({ row, column, player }, style) {
  const shapes =
    player === 0
      ? [svg("circle", { r: 18 }), svg("circle", { r: 11, class: "inner" })]
      : [drawDiamond(14, 4, ""), drawDiamond(8, 2, "inner")];
  return svg(
    "g",
    { class: `${style} player-${player}`, transform: `translate(${center(column)} ${center(row)})` },
    ...shapes,
  );
}

/**
 * @param {number} reach
 * @param {number} radius
 * @param {string} style
 */
function drawDiamond(reach, radius, style) {
  const place = { x: -reach, y: -reach, width: 2 * reach, height: 2 * reach, rx: radius };
  return svg("rect", { ...place, class: style, transform: "rotate(45)" });
}

/**
 * @param {number} row
 * @param {number} column
 */
export function drawHole(row, column) {
  const [x, y] = [center(column), center(row)];
  const hatching = "M-9 18L-18 9M0 18L-18 0M9 18L-18 -9M18 18L-18 -18M18 9L-9 -18M18 0L0 -18M18 -9L9 -18";
  return svg(
    "g",
    { class: "hole", transform: `translate(${x} ${y})` },
    svg("rect", { x: -18, y: -18, width: 36, height: 36 }),
    svg("path", { d: hatching }),
  );
}
