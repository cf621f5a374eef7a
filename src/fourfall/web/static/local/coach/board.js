// The board of the coach: one position that changes with `push` and `pop`, made for searches.
//
// `model/position.js` is the board of the page: it never changes, and every move copies it. A search for forced
// sequences plays thousands of moves and takes them back.

/** @import { Cell, Player } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */

const FREE = -1;
const HOLE = 2;
const OUTSIDE = 3;

/** A game: the cells have a border of cells outside the board, so that lines need no check of the edges. */
export class Board {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {Cell | null} [hole]
   */
  constructor(rows, cols, hole = null) {
    this.rows = rows;
    this.cols = cols;
    this.hole = hole;
    this.width = cols + 2;
    this.cells = new Int8Array((rows + 2) * this.width).fill(OUTSIDE);
    for (let row = 0; row < rows; row += 1) {
      this.cells.fill(FREE, this.indexOf(row, 0), this.indexOf(row, cols));
    }
    if (hole) this.cells[this.indexOf(hole[0], hole[1])] = HOLE;
    /** Distances between the neighbours of a line in `cells`, for the four directions. */
    this.steps = [1, this.width, this.width + 1, this.width - 1];
    /** The row on which the next stone of each column lands; -1 if the column is full. */
    this.landingRows = new Int8Array(cols).fill(rows - 1);
    if (hole && hole[0] === rows - 1) this.landingRows[hole[1]] -= 1;
    /** The stones of each column as the bits of a number, below a leading 1. */
    this.columnCodes = new Uint16Array(cols).fill(1);
    this.cellCount = rows * cols - (hole ? 1 : 0);
    /** @type {number[]} */
    this.moves = [];
    this.isWon = false;
  }

  /**
   * @param {Position} position
   * @returns {Board}
   */
  static fromPosition(position) {
    const board = new Board(position.rows, position.cols, position.hole);
    for (const column of position.moves) board.push(column);
    return board;
  }

  /** @returns {Board} */
  copy() {
    /** @type {Board} */
    const board = Object.create(Board.prototype);
    board.rows = this.rows;
    board.cols = this.cols;
    board.hole = this.hole;
    board.width = this.width;
    board.cells = this.cells.slice();
    board.steps = this.steps;
    board.landingRows = this.landingRows.slice();
    board.columnCodes = this.columnCodes.slice();
    board.cellCount = this.cellCount;
    board.moves = this.moves.slice();
    board.isWon = this.isWon;
    return board;
  }

  /**
   * A copy after one more move.
   * @param {number} column
   */
  after(column) {
    const board = this.copy();
    board.push(column);
    return board;
  }

  /** @returns {Player} */
  get turn() {
    return this.moves.length % 2 === 0 ? 0 : 1;
  }

  get isOver() {
    return this.isWon || this.moves.length === this.cellCount;
  }

  /** A text that is equal for equal stones on boards of one size and hole. */
  get key() {
    return String.fromCharCode(...this.columnCodes);
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  indexOf(row, column) {
    return (row + 1) * this.width + column + 1;
  }

  /**
   * Drop a stone of the side to move; the move must be legal.
   * @param {number} column
   */
  push(column) {
    const row = this.landingRows[column];
    const at = this.indexOf(row, column);
    const player = this.turn;
    this.isWon = this.completesFour(at, player);
    this.cells[at] = player;
    this.columnCodes[column] = this.columnCodes[column] * 2 + player;
    this.landingRows[column] = this.findRowAbove(row, column);
    this.moves.push(column);
  }

  /** Take back the last move. */
  pop() {
    const column = /** @type {number} */ (this.moves.pop());
    const row = this.findLastRow(column);
    this.cells[this.indexOf(row, column)] = FREE;
    this.columnCodes[column] >>= 1;
    this.landingRows[column] = row;
    this.isWon = false;
  }

  /**
   * The row of the highest stone of a column.
   * @param {number} column
   */
  findLastRow(column) {
    const row = this.landingRows[column] + 1;
    return this.cells[this.indexOf(row, column)] === HOLE ? row + 1 : row;
  }

  /**
   * The row on which a stone lands after one in this row; -1 if there is none.
   * @param {number} row
   * @param {number} column
   */
  findRowAbove(row, column) {
    return this.cells[this.indexOf(row - 1, column)] === HOLE ? row - 2 : row - 1;
  }

  /** @param {number} column */
  isLegal(column) {
    return column >= 0 && column < this.cols && !this.isOver && this.landingRows[column] >= 0;
  }

  /**
   * The player whose stone is in a cell; null for a free cell and for the hole.
   * @param {Cell} cell
   * @returns {Player | null}
   */
  getStone(cell) {
    const content = this.cells[this.indexOf(cell[0], cell[1])];
    return content === 0 || content === 1 ? content : null;
  }

  /** @param {Cell} cell */
  isHole(cell) {
    return this.hole !== null && cell[0] === this.hole[0] && cell[1] === this.hole[1];
  }

  /**
   * Whether a stone of a player completes four or more in a line.
   * @param {number} at index of a cell
   * @param {Player} player
   */
  completesFour(at, player) {
    const cells = this.cells;
    for (const step of this.steps) {
      let count = 1;
      for (let next = at + step; cells[next] === player; next += step) count += 1;
      for (let next = at - step; cells[next] === player; next -= step) count += 1;
      if (count >= 4) return true;
    }
    return false;
  }

  /** Columns that are not full, from left to right; none if the game is over. */
  listLegalMoves() {
    /** @type {number[]} */
    const columns = [];
    if (this.isOver) return columns;
    for (let column = 0; column < this.cols; column += 1) if (this.landingRows[column] >= 0) columns.push(column);
    return columns;
  }

  /** Columns in which the side to move wins immediately. */
  listWinningMoves() {
    const player = this.turn;
    return this.listLegalMoves().filter((column) =>
      this.completesFour(this.indexOf(this.landingRows[column], column), player),
    );
  }

  /**
   * Columns after which the opponent cannot win immediately: none if two replies win, at most the block if one does,
   * and none directly below a winning cell of the opponent.
   */
  listSafeMoves() {
    const opponent = this.turn === 0 ? 1 : 0;
    let moves = this.listLegalMoves();
    const forced = moves.filter((column) =>
      this.completesFour(this.indexOf(this.landingRows[column], column), opponent),
    );
    if (forced.length > 1) return [];
    if (forced.length === 1) moves = forced;
    return moves.filter((column) => {
      const above = this.findRowAbove(this.landingRows[column], column);
      return above < 0 || !this.completesFour(this.indexOf(above, column), opponent);
    });
  }

  /**
   * Free cells that would complete four for a player, row by row from the top.
   * @param {Player} player
   * @returns {Cell[]}
   */
  listThreats(player) {
    /** @type {Cell[]} */
    const found = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.cols; column += 1) {
        const at = this.indexOf(row, column);
        if (this.cells[at] === FREE && this.completesFour(at, player)) found.push([row, column]);
      }
    }
    return found;
  }
}

/**
 * @param {Player} player
 * @returns {Player}
 */
export function getOpponent(player) {
  return player === 0 ? 1 : 0;
}
