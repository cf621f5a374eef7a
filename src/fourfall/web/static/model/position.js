// A position and the rules of the game: landing rows, legal moves, winning lines and threats.

/** @import { Cell, Player } from "./messages.d.ts" */

/** Names of the columns, from left to right. */
export const COLUMN_NAMES = "123456789abc";
export const MIN_SIZE = 4;
export const MAX_SIZE = 12;

const FREE = -1;
const HOLE = 2;
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** An immutable position with the moves that led to it; `play` returns a new one. */
export class Position {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {Cell | null} [hole] the blocked cell
   */
  constructor(rows, cols, hole = null) {
    this.rows = rows;
    this.cols = cols;
    this.hole = hole;
    this.cells = new Int8Array(rows * cols).fill(FREE);
    if (hole) this.cells[hole[0] * cols + hole[1]] = HOLE;
    /** @type {number[]} */
    this.moves = [];
    /** @type {Cell | null} */
    this.lastCell = null;
    /** @type {Cell[] | null} */
    this.winningCells = null;
  }

  /**
   * Parse `ROWSxCOLS[@row,col][:moves]`; null if the text is not a legal position.
   * @param {string} text
   * @returns {Position | null}
   */
  static parse(text) {
    const parts = /^(\d{1,2})x(\d{1,2})(?:@(\d{1,2}),(\d{1,2}))?(?::([1-9a-c]*))?$/.exec(text.trim().toLowerCase());
    if (!parts) return null;
    const [rows, cols] = [Number(parts[1]), Number(parts[2])];
    if ([rows, cols].some((size) => size < MIN_SIZE || size > MAX_SIZE)) return null;
    /** @type {Cell | null} */
    const hole = parts[3] === undefined ? null : [Number(parts[3]), Number(parts[4])];
    if (hole && (hole[0] >= rows || hole[1] >= cols)) return null;
    let position = new Position(rows, cols, hole);
    for (const name of parts[5] ?? "") {
      if (!position.isLegal(COLUMN_NAMES.indexOf(name))) return null;
      position = position.play(COLUMN_NAMES.indexOf(name));
    }
    return position;
  }

  /**
   * Parse a position that the server sent.
   * @param {string} text
   * @returns {Position}
   */
  static fromServer(text) {
    const position = Position.parse(text);
    if (!position) throw new Error(`the server sent an invalid position: ${text}`);
    return position;
  }

  /** A random official board: 9 to 12 rows and columns, the hole in any cell. */
  static random() {
    /** @param {number} count */
    const below = (count) => Math.floor(Math.random() * count);
    const [rows, cols] = [9 + below(4), 9 + below(4)];
    return new Position(rows, cols, [below(rows), below(cols)]);
  }

  get notation() {
    return this.boardNotation + (this.moves.length ? `:${this.moveNotation}` : "");
  }

  get boardNotation() {
    return `${this.rows}x${this.cols}${this.hole ? `@${this.hole}` : ""}`;
  }

  get moveNotation() {
    return this.moves.map((column) => COLUMN_NAMES[column]).join("");
  }

  /** @returns {Player} */
  get turn() {
    return this.moves.length % 2 === 0 ? 0 : 1;
  }

  /** The player who made the last move. */
  get opponent() {
    return getOtherPlayer(this.turn);
  }

  get isOver() {
    return this.winningCells !== null || this.openColumns.length === 0;
  }

  /** Columns that are not full, also when the game is over. */
  get openColumns() {
    return Array.from({ length: this.cols }, (_, column) => column).filter(
      (column) => this.findLandingRow(column) >= 0,
    );
  }

  /**
   * The player whose stone is in a cell; null if there is none.
   * @param {number} row
   * @param {number} column
   * @returns {Player | null}
   */
  getStone(row, column) {
    const content = this.cells[row * this.cols + column];
    return content === 0 || content === 1 ? content : null;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  isFree(row, column) {
    return this.cells[row * this.cols + column] === FREE;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  isHole(row, column) {
    return this.cells[row * this.cols + column] === HOLE;
  }

  /**
   * The row in which a stone lands; stones fall past the hole. -1 if the column is full.
   * @param {number} column
   */
  findLandingRow(column) {
    let row = this.rows - 1;
    while (row >= 0 && !this.isFree(row, column)) row -= 1;
    return row;
  }

  /** @param {number} column */
  isLegal(column) {
    return column >= 0 && column < this.cols && this.winningCells === null && this.findLandingRow(column) >= 0;
  }

  /**
   * @param {number} column
   * @returns {Position}
   */
  play(column) {
    const row = this.findLandingRow(column);
    /** @type {Position} */
    const next = Object.assign(Object.create(Position.prototype), this);
    next.cells = this.cells.slice();
    next.cells[row * this.cols + column] = this.turn;
    next.moves = [...this.moves, column];
    next.lastCell = [row, column];
    next.winningCells = next.findWinningCells(row, column, this.turn);
    return next;
  }

  /**
   * The position after the first `ply` moves.
   * @param {number} ply
   */
  rewindTo(ply) {
    let position = new Position(this.rows, this.cols, this.hole);
    for (const column of this.moves.slice(0, ply)) position = position.play(column);
    return position;
  }

  /**
   * All cells of the lines of four or more that a stone in this cell completes; null if there is no such line.
   * @param {number} row
   * @param {number} column
   * @param {Player} player
   * @returns {Cell[] | null}
   */
  findWinningCells(row, column, player) {
    /** @type {Cell[]} */
    const found = [];
    for (const [down, right] of DIRECTIONS) {
      const line = [
        ...this.findAdjacentStones(row, column, -down, -right, player),
        ...this.findAdjacentStones(row, column, down, right, player),
      ];
      if (line.length >= 3) found.push(...line);
    }
    return found.length ? [[row, column], ...found] : null;
  }

  /**
   * The unbroken run of a player's stones that starts beside a cell, in one direction.
   * @param {number} row
   * @param {number} column
   * @param {number} down
   * @param {number} right
   * @param {Player} player
   * @returns {Cell[]}
   */
  findAdjacentStones(row, column, down, right, player) {
    /** @type {Cell[]} */
    const cells = [];
    let [r, c] = [row + down, column + right];
    while (this.isOnBoard(r, c) && this.getStone(r, c) === player) {
      cells.push([r, c]);
      r += down;
      c += right;
    }
    return cells;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  isOnBoard(row, column) {
    return row >= 0 && row < this.rows && column >= 0 && column < this.cols;
  }

  /**
   * Free cells that would complete four for a player, whether or not a stone can land there now.
   * @param {Player} player
   * @returns {Cell[]}
   */
  findThreats(player) {
    /** @type {Cell[]} */
    const cells = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.cols; column += 1) {
        if (this.isFree(row, column) && this.findWinningCells(row, column, player)) cells.push([row, column]);
      }
    }
    return cells;
  }

  /** The text board that the command line prints: `>` marks the last stone, `*` the winning ones. */
  toTextBoard() {
    const winning = new Set((this.winningCells ?? []).map(String));
    const lines = [`    ${[...COLUMN_NAMES.slice(0, this.cols)].join(" ")}`];
    for (let row = 0; row < this.rows; row += 1) {
      let line = `${String(row).padStart(2)} `;
      for (let column = 0; column < this.cols; column += 1) {
        const isLast = String(this.lastCell) === `${row},${column}`;
        const mark = winning.has(`${row},${column}`) ? "*" : isLast ? ">" : " ";
        const stone = this.getStone(row, column);
        line += mark + (stone === null ? (this.isHole(row, column) ? "#" : ".") : "XO"[stone]);
      }
      lines.push(line);
    }
    return lines.join("\n");
  }
}

/**
 * @param {Player} player
 * @returns {Player}
 */
export function getOtherPlayer(player) {
  return player === 0 ? 1 : 0;
}
