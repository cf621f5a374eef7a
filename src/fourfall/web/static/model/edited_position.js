// Stones that a person places on a board, and the reasons why no game can lead to them.

import { Position } from "./position.js";

/** @import { Cell, Player } from "./messages.d.ts" */

/**
 * Why the stones are not a legal position: `counts` (wrong numbers of stones), `four` (the player who did not move last
 * has four in a row), `covered` (the player who moved last has no stone on top of a column), `fours` (no single last
 * stone completes all fours in a row).
 * @typedef {{reason: "counts" | "four" | "covered" | "fours", player: Player}} Problem
 */

/** An immutable set of stones in columns; every stone lies on the one below. Each change returns a new one. */
export class EditedPosition extends Position {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {Cell | null} hole
   * @param {Player[][]} stacks the stones of each column from the bottom up; stones that do not fit are left out
   */
  constructor(rows, cols, hole, stacks) {
    super(rows, cols, hole);
    this.stacks = Array.from({ length: cols }, (_, column) => {
      /** @type {Player[]} */
      const stack = [];
      for (const player of stacks[column] ?? []) {
        const row = this.findLandingRow(column);
        if (row < 0) break;
        this.cells[row * cols + column] = player;
        stack.push(player);
      }
      return stack;
    });
  }

  /** @param {Position} position */
  static from(position) {
    const stacks = Array.from({ length: position.cols }, (_, column) => {
      /** @type {Player[]} */
      const stack = [];
      for (let row = position.rows - 1; row >= 0; row -= 1) {
        const player = position.getStone(row, column);
        if (player !== null) stack.push(player);
      }
      return stack;
    });
    return new EditedPosition(position.rows, position.cols, position.hole, stacks);
  }

  /** Identifies the stones, which have no order of moves. */
  get notation() {
    return `${this.boardNotation} ${this.stacks.map((stack) => stack.join("")).join("/")}`;
  }

  /** The player who is to move if the numbers of stones are right. @returns {Player} */
  get turn() {
    const [first, second] = this.counts;
    return first <= second ? 0 : 1;
  }

  /** Numbers of stones of the two players. @returns {[number, number]} */
  get counts() {
    const stones = this.stacks.flat();
    const second = stones.filter((player) => player === 1).length;
    return [stones.length - second, second];
  }

  /**
   * @param {number} column
   * @param {Player} player
   */
  add(column, player) {
    return this.change(column, [...this.stacks[column], player]);
  }

  /** @param {number} column */
  removeTop(column) {
    return this.change(column, this.stacks[column].slice(0, -1));
  }

  /**
   * @param {number} column
   * @param {Player[]} stack
   */
  change(column, stack) {
    return this.resize(this, this.stacks.with(column, stack));
  }

  clear() {
    return this.resize(this, []);
  }

  flipColours() {
    /** @param {Player} player @returns {Player} */
    const flip = (player) => (player === 0 ? 1 : 0);
    return this.resize(
      this,
      this.stacks.map((stack) => stack.map(flip)),
    );
  }

  /**
   * The same stones on another board, as far as they fit.
   * @param {{rows: number, cols: number, hole: Cell | null}} board
   */
  resize({ rows, cols, hole }, stacks = this.stacks) {
    return new EditedPosition(rows, cols, hole, stacks);
  }

  /**
   * The highest stone of a column.
   * @param {number} column
   * @returns {Cell | null}
   */
  findTopStone(column) {
    for (let row = 0; row < this.rows; row += 1) if (this.getStone(row, column) !== null) return [row, column];
    return null;
  }

  /**
   * The stones of all fours in a row of a player.
   * @param {Player} player
   * @returns {Cell[]}
   */
  findFours(player) {
    /** @type {Cell[]} */
    const cells = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.cols; column += 1) {
        const isOwn = this.getStone(row, column) === player;
        if (isOwn && this.findWinningCells(row, column, player)) cells.push([row, column]);
      }
    }
    return cells;
  }

  /**
   * Why no game leads to these stones with a player to move; null if only the server can say more.
   * @param {Player} turn
   * @returns {Problem | null}
   */
  findProblem(turn) {
    const [first, second] = this.counts;
    if (first - second !== turn) return { reason: "counts", player: turn };
    if (first === 0) return null;
    /** @type {Player} */
    const last = turn === 0 ? 1 : 0;
    if (this.findFours(turn).length) return { reason: "four", player: turn };
    const lastColumns = this.stacks.flatMap((stack, column) => (stack.at(-1) === last ? [column] : []));
    if (!lastColumns.length) return { reason: "covered", player: last };
    const isPossible = lastColumns.some((column) => this.removeTop(column).findFours(last).length === 0);
    return isPossible ? null : { reason: "fours", player: last };
  }

  /** The cells of each player's stones, as the server expects them. */
  listStones() {
    /** @type {{first: Cell[], second: Cell[]}} */
    const stones = { first: [], second: [] };
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.cols; column += 1) {
        const player = this.getStone(row, column);
        if (player !== null) stones[player === 0 ? "first" : "second"].push([row, column]);
      }
    }
    return stones;
  }
}
