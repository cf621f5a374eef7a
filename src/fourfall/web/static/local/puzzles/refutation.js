// Refutes a wrong move of a puzzle: the opponent's answer, played out as far as it is proved.

import { Board } from "../coach/board.js";
import { collectFacts, DEFAULT_BUDGET } from "../coach/explanation.js";
import { findForcedWin, PositionBudget } from "../coach/forced_win.js";
import { writeSentences } from "../coach/sentences/sentences.js";

/** @import { Proof } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { MoveCheck } from "../../model/puzzle_messages.d.ts" */
/** @import { FactKind } from "../coach/facts.js" */
/** @import { Language } from "../coach/sentences/sentences.js" */
/** @import { Engine } from "../types.d.ts" */

const SEQUENCE_POSITIONS = 2000;
const SOLVER_POSITIONS = 40_000;
const SOLVER_FREE_CELLS = 50;
const MEMORY_MB = 8;
/** Largest number of moves of a refutation that ends in a draw. */
const MAX_REPLIES = 7;
/** @type {FactKind[]} */
const REASONS = [
  "misses_block",
  "cannot_block",
  "opens_win",
  "allows_sequence",
  "allows_attack",
  "allows_parity",
  "gives_up_cell",
];

/**
 * The move with the best play of both sides after it, and a proved upper bound of its score for the side that plays it;
 * a win if nothing was proved.
 * @typedef {{columns: number[], proof: Proof, distance: number}} Refutation
 */

/**
 * Say what follows a legal move: its refutation, or that it wins as well.
 * @param {Position} position
 * @param {number} column
 * @param {Engine} engine
 * @returns {MoveCheck}
 */
export function checkMove(position, column, engine) {
  const board = Board.fromPosition(position);
  const refutation = refute(position, board, column, engine);
  const verdict = judge(board, refutation);
  const isRefuted = verdict === "does_not_win" || verdict === "loses";
  /** @param {Language} language */
  const write = (language) => (isRefuted ? [writeRefutation(position, board, refutation, engine, language)] : []);
  return {
    position: position.notation,
    columns: refutation.columns,
    verdict,
    text: { en: write("en"), zh: write("zh") },
  };
}

/**
 * @param {Position} position
 * @param {Board} board
 * @param {number} column
 * @param {Engine} engine
 * @returns {Refutation}
 */
function refute(position, board, column, engine) {
  const after = board.after(column);
  if (after.isOver) return { columns: [column], proof: after.isWon ? "win" : "draw", distance: 1 };
  const win = findForcedWin(after, new PositionBudget(SEQUENCE_POSITIONS));
  if (win) return { columns: [column, ...win], proof: "loss", distance: win.length + 1 };
  if (after.cellCount - after.moves.length > SOLVER_FREE_CELLS) return { columns: [column], proof: "win", distance: 1 };
  const { score, lower, pv } = engine.solve({
    position: position.play(column).notation,
    positions: SOLVER_POSITIONS,
    memory_mb: MEMORY_MB,
  });
  const { proof, distance } = score ?? lower;
  if (!score) return { columns: [column], proof: invert(proof), distance: distance ?? 0 };
  const line = proof === "win" ? pv : pv.slice(0, MAX_REPLIES);
  return { columns: [column, ...line], proof: invert(proof), distance: (distance ?? 0) + 1 };
}

/**
 * The result for the other side.
 * @param {Proof | null} proof
 * @returns {Proof}
 */
function invert(proof) {
  return proof === "win" ? "loss" : proof === "loss" ? "win" : "draw";
}

/**
 * What is proved about the first move, for the player who makes it.
 * @param {Board} board
 * @param {Refutation} refutation
 * @returns {MoveCheck["verdict"]}
 */
function judge(board, { columns, proof }) {
  if (proof === "loss") return "loses";
  if (proof === "draw") return "does_not_win";
  // A score is only a bound if nothing follows the move and the move does not end the game.
  return columns.length > 1 || board.after(columns[0]).isOver ? "wins" : "unknown";
}

/**
 * What is wrong with the move, in one or two sentences.
 * @param {Position} position
 * @param {Board} board
 * @param {Refutation} refutation
 * @param {Engine} engine
 * @param {Language} language
 */
function writeRefutation(position, board, { columns, proof, distance }, engine, language) {
  const verdict = describeScore(proof, Math.floor(distance / 2), language);
  const facts = collectFacts(
    board,
    position.notation,
    columns[0],
    [],
    (request) => engine.solve(request),
    DEFAULT_BUDGET,
  );
  const reason = facts.find(({ kind }) => REASONS.includes(kind));
  if (!reason) return verdict;
  return verdict + (language === "en" ? " " : "") + writeSentences(board, columns[0], [reason], language)[0];
}

/**
 * @param {Proof} proof
 * @param {number} count stones that the opponent needs
 * @param {Language} language
 */
function describeScore(proof, count, language) {
  if (language === "zh") {
    if (proof === "draw") return "这步棋不能取胜。";
    return count === 1 ? "这步棋会输：对手马上取胜。" : `这步棋会输：对手 ${count} 步之内取胜。`;
  }
  if (proof === "draw") return "This move does not win.";
  return `This move loses: the opponent wins ${count === 1 ? "with the next stone" : `in ${count} moves`}.`;
}
