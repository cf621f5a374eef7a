// Facts from scores: proven results, and the comparison with the best other column.
//
// Scores come from an engine's analysis and, if few cells are free, from the exact solver.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import { listStones } from "./lines.js";

/** @import { ColumnInfo, ScoreInfo } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */

/** @typedef {Pick<ColumnInfo, "column" | "win_chance" | "proof" | "distance" | "pv">} ColumnScore */
/** @typedef {{ column: number, score: ScoreInfo, pv: number[] }} KnownScore */
/** @typedef {Map<number, KnownScore>} Scores scores by column, in the order of the analysis */
/**
 * The exact solver with the arguments and results of `fourfall.solve`.
 * @typedef {(request: { position: string, positions: number, columns: true, memory_mb: number }) => {
 *   columns: { column: number, score: ScoreInfo | null, lower: ScoreInfo, upper: ScoreInfo }[] }} Solve
 */

/** Largest number of free cells with which the solver is called. */
export const MAX_SOLVER_CELLS = 26;
/** Loss of win chance from which on a move is clearly worse than the best one. */
export const CLEAR_LOSS = 0.05;
/** Memory of the solver in MiB. */
export const MEMORY_MB = 4;
/** Largest number of expected moves that a fact shows. */
export const MAX_SHOWN_MOVES = 6;

/**
 * The scores of all columns that have one.
 *
 * A result that the solver proves replaces an estimate. The distance of a proven result is an upper bound.
 * @param {Board} board
 * @param {string} position notation of the board
 * @param {ColumnScore[]} columns
 * @param {Solve | null} solve
 * @param {number} solverPositions
 * @returns {Scores}
 */
export function collectScores(board, position, columns, solve, solverPositions) {
  /** @type {Scores} */
  const scores = new Map();
  for (const { column, win_chance, proof, distance, pv } of columns) {
    if (win_chance === null || !board.isLegal(column)) continue;
    scores.set(column, { column, score: { win_chance, proof, distance }, pv });
  }
  const open = board.listLegalMoves().filter((column) => !scores.get(column)?.score.proof);
  const freeCells = board.cellCount - board.moves.length;
  if (!solve || !open.length || solverPositions <= 0 || freeCells > MAX_SOLVER_CELLS) return scores;
  const solution = solve({ position, positions: solverPositions, columns: true, memory_mb: MEMORY_MB });
  for (const { column, score, lower, upper } of solution.columns) {
    const proven = score ?? (upper.proof === "loss" ? upper : lower.proof === "win" ? lower : null);
    if (!proven || !open.includes(column)) continue;
    scores.set(column, { column, score: proven, pv: scores.get(column)?.pv ?? [column] });
  }
  return scores;
}

/**
 * The columns of an analysis whose scores agree with the engine's choice.
 *
 * An estimate from few visits can be above that of the chosen move; the engine does not rely on it, nor do we.
 * @template {ColumnScore} T
 * @param {{ move: number | null, score: ScoreInfo, columns: T[] }} analysis
 * @returns {T[]}
 */
export function listReliableColumns(analysis) {
  const known = analysis.columns.filter(({ win_chance }) => win_chance !== null);
  const chosen = known.find(({ column }) => column === analysis.move);
  const limit = rankScore(/** @type {ScoreInfo} */ (chosen ?? analysis.score));
  return known.filter((entry) => entry.proof || rankScore(/** @type {ScoreInfo} */ (entry)) <= limit);
}

/**
 * A number that is greater for better scores: proven wins are above all estimates and proven losses below; a shorter
 * win and a longer loss are better.
 * @param {ScoreInfo} score
 */
export function rankScore(score) {
  if (score.proof === "win") return 3 - 1e-3 * (score.distance ?? 0);
  if (score.proof === "loss") return -3 + 1e-3 * (score.distance ?? 0);
  return 2 * score.win_chance - 1;
}

/**
 * The entry with the best score except that of the given column.
 * @param {Scores} scores
 * @param {number} column
 * @returns {KnownScore | null}
 */
export function findBestOther(scores, column) {
  /** @type {KnownScore | null} */
  let best = null;
  for (const entry of scores.values()) {
    if (entry.column !== column && (!best || rankScore(entry.score) > rankScore(best.score))) best = entry;
  }
  return best;
}

/**
 * Whether the scores say that another column is clearly better than this one.
 * @param {Scores} scores
 * @param {number} column
 */
export function isClearlyWorse(scores, column) {
  const [own, best] = [scores.get(column), findBestOther(scores, column)];
  return Boolean(own && best && best.score.win_chance - own.score.win_chance >= CLEAR_LOSS);
}

/**
 * The proven result of the move.
 * @param {Board} board
 * @param {number} column
 * @param {Scores} scores
 * @returns {Fact | null}
 */
export function findResult(board, column, scores) {
  const own = scores.get(column);
  if (!own?.score.proof) return null;
  const winner = own.score.proof === "loss" ? getOpponent(board.turn) : board.turn;
  return makeFact("result", winner, { moves: listStones(board, own.pv.slice(0, MAX_SHOWN_MOVES)), score: own.score });
}

/**
 * The comparison with the best other column; null if it says nothing: both win, both draw or both lose.
 * @param {Board} board
 * @param {number} column
 * @param {Scores} scores
 * @returns {Fact | null}
 */
export function findComparison(board, column, scores) {
  const [own, best] = [scores.get(column), findBestOther(scores, column)];
  if (!own || !best) return null;
  const [ownRank, bestRank] = [rankScore(own.score), rankScore(best.score)];
  if (own.score.proof && (own.score.proof === best.score.proof || ownRank > bestRank)) return null;
  return makeFact("comparison", ownRank >= bestRank ? board.turn : getOpponent(board.turn), {
    moves: listStones(board, own.pv.slice(0, MAX_SHOWN_MOVES)),
    column: best.column,
    score: own.score,
    otherScore: best.score,
  });
}
