// Explains one move in the worker of the page without a server: the facts and sentences of `fourfall.coach`.
//
// Every module here corresponds to the module of the same name in `src/fourfall/coach/`: `explanation`, `facts`,
// `tactics`, `attacks`, `sequences`, `forced_win`, `follow_up`, `parity`, `winning_cells`, `possible_lines`, `hole`,
// `lines`, `evaluation` and `sentences/`. `board.js` is what they use of `fourfall.Board`, and this module corresponds to
// `web/analysis/explain_job.py`. Both give the same facts and sentences: tests/site/test_coach.py compares them.

import { COLUMN_NAMES, Position } from "../../model/position.js";
import { RequestError } from "../request_error.js";
import { Board } from "./board.js";
import { collectFacts, DEFAULT_BUDGET } from "./explanation.js";
import { writeSentences } from "./sentences/sentences.js";

/** @import { ExplanationReply, FactInfo, Sentences } from "../../model/explanation_messages.d.ts" */
/** @import { ColumnScore, Solve } from "./evaluation.js" */
/** @import { Budget } from "./explanation.js" */
/** @import { Fact } from "./facts.js" */

export { listReliableColumns } from "./evaluation.js";

/** Kinds of the most important fact with which scores of the columns add nothing. */
export const KINDS_WITHOUT_SCORES = [
  "wins",
  "misses_win",
  "cannot_block",
  "misses_block",
  "opens_win",
  "double_threat",
  "stacked_threat",
  "no_safe_reply",
  "forced_sequence",
  "allows_sequence",
];

/**
 * Explain why a move is good or bad. The same arguments give the same explanation.
 *
 * Throws RequestError if the position is not legal, the game is over or no stone can be dropped in the column.
 * @param {string} position position before the move
 * @param {number} column the move, from 0
 * @param {object} [options]
 * @param {ColumnScore[] | null} [options.columns] scores of some columns; those of an analysis after
 *   `listReliableColumns(analysis)`
 * @param {Solve | null} [options.solve] the exact solver, which is called if few cells are free
 * @param {Budget} [options.budget] limits of the searches
 * @returns {ExplanationReply}
 */
export function explain(position, column, { columns = null, solve = null, budget = DEFAULT_BUDGET } = {}) {
  const { board, notation } = parseMove(position, column);
  const facts = collectFacts(board, notation, column, columns ?? [], solve, budget);
  return describeExplanation(board, notation, column, facts);
}

/**
 * Whether scores of the columns can add something to an explanation that was made without them: then the move should
 * be explained again with those of a short search.
 * @param {ExplanationReply} explanation
 */
export function needsScores(explanation) {
  return !explanation.facts.length || !KINDS_WITHOUT_SCORES.includes(explanation.facts[0].kind);
}

/**
 * @param {string} text
 * @param {number} column
 */
function parseMove(text, column) {
  const position = Position.parse(text);
  if (!position) throw new RequestError("bad_position", { problem: `not a legal position: ${text}` });
  const board = Board.fromPosition(position);
  if (board.isOver) throw new RequestError("game_over");
  const name = COLUMN_NAMES[column];
  if (column < 0 || column >= board.cols) throw new RequestError("illegal_move", { column: name, columns: board.cols });
  if (!board.isLegal(column)) throw new RequestError("column_full", { column: name });
  return { board, notation: position.notation };
}

/**
 * Describe an explanation; every fact has those of the sentences that are about it.
 * @param {Board} board
 * @param {string} position
 * @param {number} column
 * @param {Fact[]} facts
 * @returns {ExplanationReply}
 */
export function describeExplanation(board, position, column, facts) {
  const text = {
    en: writeSentences(board, column, facts, "en"),
    zh: writeSentences(board, column, facts, "zh"),
  };
  const rest = { en: [...text.en], zh: [...text.zh] };
  const described = facts.map((fact) => {
    const own = {
      en: takeSentences(rest.en, writeSentences(board, column, [fact], "en")),
      zh: takeSentences(rest.zh, writeSentences(board, column, [fact], "zh")),
    };
    return describeFact(fact, own);
  });
  return { type: "explanation", position, column, facts: described, text };
}

/**
 * Remove the sentences of one fact from the beginning of the rest and return them; none if the rest does not begin
 * with them, because the explanation leaves the fact out.
 * @param {string[]} rest
 * @param {string[]} written
 * @returns {string[]}
 */
function takeSentences(rest, written) {
  const isUsed = written.every((sentence, at) => rest[at] === sentence);
  return isUsed ? rest.splice(0, written.length) : [];
}

/**
 * @param {Fact} fact
 * @param {Sentences} text
 * @returns {FactInfo}
 */
function describeFact({ kind, player, cells, lines, moves, column }, text) {
  return { kind, player, cells, lines, moves, column, text };
}
