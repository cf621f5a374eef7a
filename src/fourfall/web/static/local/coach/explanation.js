// Collects checked facts about a move in the order of their importance.

import { findAllowedAttack, findAllowedPressure, findAttack, findMissedAttack } from "./attacks.js";
import { getOpponent } from "./board.js";
import { collectScores, findBestOther, findComparison, findResult, isClearlyWorse, rankScore } from "./evaluation.js";
import { PositionBudget } from "./forced_win.js";
import { findBrokenLine } from "./hole.js";
import { findAllowedParity, findMissedParity, findParity } from "./parity.js";
import { findFewerLines, findLeftCell, findOpenLines } from "./possible_lines.js";
import { findAllowedSequence, findMissedSequence, findOnlyMove, findSequence } from "./sequences.js";
import { findBlock, findMissedWin, findOpenedWin, findWin } from "./tactics.js";
import {
  findAllowedCell,
  findExpectedCell,
  findGivenUpCell,
  findMadeCells,
  findMissedCell,
  findTakenCell,
} from "./winning_cells.js";

/** @import { Board } from "./board.js" */
/** @import { ColumnScore, Scores, Solve } from "./evaluation.js" */
/** @import { Fact } from "./facts.js" */

/**
 * Limits of the work for one explanation, in positions, so that the result does not depend on the machine.
 * @typedef {object} Budget
 * @property {number} sequencePositions positions of all searches for forced sequences together
 * @property {number} solverPositions positions of each call of the exact solver; 0 for none
 */

/** @type {Budget} */
export const DEFAULT_BUDGET = { sequencePositions: 6000, solverPositions: 20_000 };

/**
 * A move after which the opponent has no forced win.
 *
 * Without a choice (the move is a block, or another move wins by force), other columns are not mentioned.
 * @typedef {{ board: Board, column: number, scores: Scores, positions: PositionBudget, hasChoice: boolean }} Case
 */

/**
 * The facts about a legal move, the most important first.
 * @param {Board} board position before the move; not changed
 * @param {string} position notation of the board
 * @param {number} column
 * @param {ColumnScore[]} columns scores of some columns
 * @param {Solve | null} solve the exact solver
 * @param {Budget} budget
 * @returns {Fact[]}
 */
export function collectFacts(board, position, column, columns, solve, budget) {
  const win = findWin(board, column);
  if (win) return [win];
  const missedWin = findMissedWin(board);
  const block = missedWin ? null : findBlock(board, column);
  const openedWin = findOpenedWin(board, column);
  const facts = listFound([missedWin, block, openedWin]);
  const isBlock = block?.kind === "blocks";
  if (missedWin || openedWin || (block && !isBlock)) return facts;
  const positions = new PositionBudget(budget.sequencePositions);
  const sequence = findSequence(board, column, positions);
  if (sequence) return [...facts, sequence];
  const allowed = findAllowedSequence(board, column, positions);
  const missed = isBlock ? null : findMissedSequence(board, column, positions);
  facts.push(...listFound([allowed, missed]));
  if (allowed) return facts;
  const scores = collectScores(board, position, columns, solve, budget.solverPositions);
  return [...facts, ...collectLaterFacts({ board, column, scores, positions, hasChoice: !isBlock && !missed })];
}

/**
 * The facts about attacks, parity, winning cells, lines and scores.
 * @param {Case} situation
 * @returns {Fact[]}
 */
function collectLaterFacts(situation) {
  const { board, column, scores, positions, hasChoice } = situation;
  const result = findResult(board, column, scores);
  const attack = findAttack(board, column, positions);
  if (attack?.kind === "no_defence") return [attack];
  const allowedAttack = findAllowedAttack(board, column, positions);
  const isLost = (result !== null && result.player !== board.turn) || allowedAttack !== null;
  const onlyMove = hasChoice && !isLost ? findOnlyMove(board, column, positions, listLostColumns(scores)) : null;
  const parity = findParity(board, column);
  const allowedParity = parity.length || allowedAttack ? null : findAllowedParity(board, column);
  const isBad = isLost || allowedParity !== null || isClearlyWorse(scores, column);
  const mayBeBad = !parity.length && (isBad || !scores.has(column));
  const givenUpCell = mayBeBad ? findGivenUpCell(board, column) : null;
  const isExplained = parity.length > 0 || allowedParity !== null || allowedAttack !== null;
  const facts = [allowedAttack, onlyMove, givenUpCell, ...parity, allowedParity, isExplained ? null : result];
  if (!hasChoice || parity.length) return listFound(facts);
  if (result?.score?.proof !== "win") {
    facts.push(findMissedAttack(board, column, positions), findMissedParity(board, column));
  }
  if (mayBeBad) facts.push(findBrokenLine(board, column));
  facts.push(...(isBad ? collectDrawbacks(situation) : collectGains(situation, attack, result !== null)));
  facts.push(findComparison(board, column, scores));
  return listFound(facts);
}

/**
 * What the move makes and prevents; if nothing, its possible lines.
 * @param {Case} situation
 * @param {Fact | null} attack
 * @param {boolean} hasResult
 * @returns {Fact[]}
 */
function collectGains({ board, column }, attack, hasResult) {
  const gains = listFound([attack, findMadeCells(board, column), findTakenCell(board, column)]);
  return gains.length || hasResult ? gains : listFound([findOpenLines(board, column)]);
}

/**
 * What the opponent gets, and what the best other column offers.
 * @param {Case} situation
 * @returns {Fact[]}
 */
function collectDrawbacks({ board, column, scores, positions }) {
  const [own, better] = [scores.get(column), findBestOther(scores, column)];
  if (!own || !better || rankScore(better.score) <= rankScore(own.score)) return [];
  const reply = own.pv.length > 1 ? own.pv[1] : null;
  const drawbacks = listFound([
    reply === null ? null : findAllowedPressure(board, column, reply, positions),
    findAllowedCell(board, column, better.column),
    findMissedCell(board, better.column),
  ]);
  if (drawbacks.length) return drawbacks;
  const expected =
    findExpectedCell(board, own.pv, getOpponent(board.turn)) ?? findExpectedCell(board, better.pv, board.turn);
  if (expected) return [expected];
  const find = reply === better.column ? findLeftCell : findFewerLines;
  return listFound([find(board, column, better.column)]);
}

/** @param {Scores} scores */
function listLostColumns(scores) {
  return [...scores.values()].filter(({ score }) => score.proof === "loss").map(({ column }) => column);
}

/**
 * @param {(Fact | null)[]} facts
 * @returns {Fact[]}
 */
function listFound(facts) {
  return facts.filter((fact) => fact !== null);
}
