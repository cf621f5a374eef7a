// What the sentences of both languages use: names of players, columns and rows, and numbers.

import { COLUMN_NAMES } from "../../../model/position.js";
import { getOpponent } from "../board.js";

/** @import { Cell, Player, ScoreInfo } from "../../../model/messages.d.ts" */
/** @import { Board } from "../board.js" */
/** @import { Fact, FactKind } from "../facts.js" */

/**
 * The sentences about each kind of fact, one or two.
 * @typedef {Record<FactKind, (names: MoveNames, fact: Fact) => string | string[]>} SentenceTable
 */

/** Names of the players and rows in the sentences about one move, in one language. */
export class MoveNames {
  /**
   * @param {Board} board the position before the move
   * @param {number} column the explained move
   * @param {[string, string]} colours names of the players
   */
  constructor(board, column, colours) {
    this.board = board;
    this.colours = colours;
    this.mover = this.namePlayer(board.turn);
    this.opponent = this.namePlayer(getOpponent(board.turn));
    this.here = COLUMN_NAMES[column];
  }

  /** @param {Player} player */
  namePlayer(player) {
    return this.colours[player];
  }

  /**
   * Rows count from 1 at the bottom.
   * @param {Cell} cell
   */
  nameRow(cell) {
    return String(this.board.rows - cell[0]);
  }

  /**
   * Whether the cell is directly above the hole.
   * @param {Cell} cell
   */
  isAboveHole(cell) {
    return this.board.isHole([cell[0] + 1, cell[1]]);
  }
}

/** @param {Cell} cell */
export function nameColumn(cell) {
  return COLUMN_NAMES[cell[1]];
}

/**
 * The name of the column that a fact names.
 * @param {Fact} fact
 */
export function getColumn(fact) {
  return fact.column === null ? "" : COLUMN_NAMES[fact.column];
}

/**
 * The name of the better move that a fact names besides its column.
 * @param {Fact} fact
 */
export function getOtherColumn(fact) {
  return COLUMN_NAMES[fact.other ?? 0];
}

/**
 * The columns of a sequence, for example "4-5-3", from the given stone on.
 * @param {Fact} fact
 * @param {number} [start]
 */
export function listMoves(fact, start = 0) {
  return fact.moves
    .slice(start)
    .map(({ col }) => COLUMN_NAMES[col])
    .join("-");
}

/**
 * The names of the columns of some cells, each once, from left to right.
 * @param {Cell[]} cells
 */
export function listColumns(cells) {
  const columns = [...new Set(cells.map((cell) => cell[1]))].sort((a, b) => a - b);
  return columns.map((column) => COLUMN_NAMES[column]);
}

/**
 * In how many moves of the winner a proven score ends the game.
 * @param {ScoreInfo} score
 */
export function countWinnerMoves(score) {
  return Math.floor(((score.distance ?? 0) + 1) / 2);
}

/**
 * The score that a fact of this kind always has.
 * @param {ScoreInfo | null} score
 * @returns {ScoreInfo}
 */
export function getScore(score) {
  if (!score) throw new Error("the fact has no score");
  return score;
}

/**
 * The win chance of a score, for example "63 %".
 * @param {ScoreInfo} score
 */
export function percent(score) {
  return `${Math.round(100 * score.win_chance + 1e-9)} %`;
}
