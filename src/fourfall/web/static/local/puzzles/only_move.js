// Proves that a position has exactly one good move: only one column wins, or only one column does not lose.

import { Board } from "../coach/board.js";
import { findForcedWin, findForcedWinAfter, PositionBudget } from "../coach/forced_win.js";
import { pause } from "../pause.js";

/** @import { Proof } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { Engine } from "../types.d.ts" */

/** The limits of the server's route. */
const SOLVER_POSITIONS = 30_000;
const SEQUENCE_POSITIONS = 4000;
const MEMORY_MB = 4;
const OTHER_WIN_POSITIONS = 200;

/**
 * The good move; of a win, the main line to the stone that completes four. `distance` are the plies to the end.
 * @typedef {{columns: number[], result: "win" | "draw", distance: number}} OnlyMove
 */

/**
 * Prove that exactly one column is good; null if that is not proved within the limits. The worker handles messages
 * between the columns.
 * @param {Position} position
 * @param {Engine} engine
 * @returns {Promise<OnlyMove | null>}
 */
export async function proveOnlyMove(position, engine) {
  const board = Board.fromPosition(position);
  const legal = board.listLegalMoves();
  if (legal.length < 2) return null;
  const forced = findForcedWin(board, new PositionBudget(SEQUENCE_POSITIONS));
  if (forced) return hasOtherWin(board, forced[0]) ? null : proveOnlyWin(position, forced, legal, engine);
  await pause();
  const { score, pv } = solve(position, engine);
  if (!score || score.proof === "loss") return null;
  if (score.proof === "draw") return proveOnlyDraw(position, legal, board, engine);
  // The limit may end the solver after the score is known and before the main line is.
  return pv.length ? proveOnlyWin(position, pv, legal, engine) : null;
}

/**
 * Whether another column wins by a short forced sequence, which rejects many positions at little cost.
 * @param {Board} board
 * @param {number} move
 */
function hasOtherWin(board, move) {
  const wins = board.listWinningMoves();
  return board
    .listLegalMoves()
    .filter((column) => column !== move)
    .some((column) => {
      return wins.includes(column) || findForcedWinAfter(board, column, new PositionBudget(OTHER_WIN_POSITIONS));
    });
}

/**
 * @param {Position} position
 * @param {number[]} line
 * @param {number[]} legal
 * @param {Engine} engine
 * @returns {Promise<OnlyMove | null>}
 */
async function proveOnlyWin(position, line, legal, engine) {
  for (const column of legal) {
    if (column !== line[0] && (await bound(position, column, engine)) === "win") return null;
  }
  return { columns: line, result: "win", distance: line.length };
}

/**
 * Prove that all columns but one lose; the position is a draw, so the other one draws.
 * @param {Position} position
 * @param {number[]} legal
 * @param {Board} board
 * @param {Engine} engine
 * @returns {Promise<OnlyMove | null>}
 */
async function proveOnlyDraw(position, legal, board, engine) {
  /** @type {number[]} */
  const open = [];
  for (const column of legal) {
    if ((await bound(position, column, engine)) !== "loss") open.push(column);
    if (open.length > 1) return null;
  }
  return open.length ? { columns: open, result: "draw", distance: board.cellCount - board.moves.length } : null;
}

/**
 * A proved upper bound of the result of a column; a win if nothing is proved.
 * @param {Position} position
 * @param {number} column
 * @param {Engine} engine
 * @returns {Promise<Proof>}
 */
async function bound(position, column, engine) {
  await pause();
  const after = position.play(column);
  if (after.isOver) return after.winningCells ? "win" : "draw";
  const board = Board.fromPosition(after);
  if (findForcedWin(board, new PositionBudget(SEQUENCE_POSITIONS))) return "loss";
  const { proof } = solve(after, engine).lower;
  return proof === "win" ? "loss" : proof === "draw" ? "draw" : "win";
}

/**
 * @param {Position} position
 * @param {Engine} engine
 */
function solve(position, engine) {
  return engine.solve({ position: position.notation, positions: SOLVER_POSITIONS, memory_mb: MEMORY_MB });
}
