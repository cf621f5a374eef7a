// Finds wins in which every reply of the opponent except the last is the only one that does not lose at once.
//
// After each move of the attacker the defender cannot win at once and has at most one *safe* reply, a reply after which
// the attacker cannot win at once. The sequence ends where no safe reply is left. The search therefore has one branch
// for the defender, and the win that it finds is proven.
//
// The searches count positions exactly as `forced_win.py` does, so that both find the same wins within a budget.

import { getOpponent } from "./board.js";
import { findPlayableThreats } from "./lines.js";

/** @import { Board } from "./board.js" */

/** Largest number of stones of the attacker in a sequence. */
export const MAX_STONES = 12;

/** Number of positions that a search may still visit. */
export class PositionBudget {
  /** @param {number} left */
  constructor(left) {
    this.left = left;
  }

  /** Count one position; false if none was left. */
  spend() {
    this.left -= 1;
    return this.left >= 0;
  }
}

/**
 * The moves of the shortest forced win of the side to move, from the first one to the stone that completes four; null
 * if none was found within the budget. The last reply is one of several that lose at once.
 * @param {Board} board
 * @param {PositionBudget} budget
 * @param {number} [maxStones]
 * @returns {number[] | null}
 */
export function findForcedWin(board, budget, maxStones = MAX_STONES) {
  const winning = board.listWinningMoves();
  if (winning.length) return [winning[0]];
  const copy = board.copy();
  for (let stones = 2; stones <= maxStones; stones += 1) {
    const search = new ForcedWinSearch(copy, budget);
    const columns = search.attack(stones);
    if (columns) return columns;
    if (budget.left < 0 || !search.wasCut) return null;
  }
  return null;
}

/**
 * The moves of the forced win of the side to move that begins with this column; the column must not win at once.
 * @param {Board} board
 * @param {number} column
 * @param {PositionBudget} budget
 * @returns {number[] | null}
 */
export function findForcedWinAfter(board, column, budget) {
  if (!board.listSafeMoves().includes(column)) return null;
  const after = board.after(column);
  const replies = after.listSafeMoves();
  if (after.isOver || replies.length > 1) return null;
  if (!replies.length) return [column, ...finish(after)];
  after.push(replies[0]);
  const rest = after.isOver ? null : findForcedWin(after, budget, MAX_STONES - 1);
  return rest && [column, replies[0], ...rest];
}

/**
 * A reply and the winning move after it, in a position in which every reply loses at once.
 *
 * If the attacker threatens four, the reply blocks one of the threats.
 * @param {Board} board
 * @returns {number[]}
 */
function finish(board) {
  const threats = findPlayableThreats(board, getOpponent(board.turn));
  const reply = threats.length ? threats[0][1] : board.listLegalMoves()[0];
  board.push(reply);
  const win = board.listWinningMoves()[0];
  board.pop();
  return [reply, win];
}

/** Depth-first search with a fixed number of stones; positions that failed are remembered. */
class ForcedWinSearch {
  /**
   * @param {Board} board
   * @param {PositionBudget} budget
   */
  constructor(board, budget) {
    this.board = board;
    this.budget = budget;
    /** Positions that failed, by the number of stones. @type {Set<string>[]} */
    this.failed = Array.from({ length: MAX_STONES + 1 }, () => new Set());
    this.wasCut = false;
  }

  /**
   * The moves of a forced win with this number of stones, at least 2; nobody can win at once.
   * @param {number} stones
   * @returns {number[] | null}
   */
  attack(stones) {
    const { board } = this;
    const key = board.key;
    if (this.failed[stones].has(key)) return null;
    for (const column of board.listSafeMoves()) {
      if (!this.budget.spend()) return null;
      board.push(column);
      const columns = board.isOver ? null : this.defend(stones);
      board.pop();
      if (columns) return [column, ...columns];
    }
    this.failed[stones].add(key);
    return null;
  }

  /**
   * @param {number} stones
   * @returns {number[] | null}
   */
  defend(stones) {
    const { board } = this;
    const replies = board.listSafeMoves();
    if (!replies.length) return finish(board);
    if (replies.length > 1) return null;
    if (stones === 2) {
      this.wasCut = true;
      return null;
    }
    board.push(replies[0]);
    const columns = board.isOver ? null : this.continueAttack(stones - 1);
    board.pop();
    return columns && [replies[0], ...columns];
  }

  /**
   * @param {number} stones
   * @returns {number[] | null}
   */
  continueAttack(stones) {
    const winning = this.board.listWinningMoves();
    return winning.length ? [winning[0]] : this.attack(stones);
  }
}
