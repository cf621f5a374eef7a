// Explains the moves of the test data with the coach in JavaScript: JSON from standard input to standard output.

import { readFileSync } from "node:fs";

const folder = new URL("../../src/fourfall/web/static/", import.meta.url);
/** @param {string} path */
const load = (path) => import(new URL(path, folder).href);

const { Position } = await load("model/position.js");
const attacks = await load("local/coach/attacks.js");
const { Board } = await load("local/coach/board.js");
const evaluation = await load("local/coach/evaluation.js");
const { describeExplanation, explain, KINDS_WITHOUT_SCORES, needsScores } = await load("local/coach/explain.js");
const { collectFacts, DEFAULT_BUDGET } = await load("local/coach/explanation.js");
const { FACT_KINDS } = await load("local/coach/facts.js");
const { MAX_CHOICES } = await load("local/coach/follow_up.js");
const { MAX_STONES } = await load("local/coach/forced_win.js");
const { MAX_SENTENCES } = await load("local/coach/sentences/sentences.js");
const { MAX_EXPECTED_MOVES } = await load("local/coach/winning_cells.js");

const constants = {
  FACT_KINDS,
  KINDS_WITHOUT_SCORES,
  DEFAULT_BUDGET,
  MAX_STONES,
  MAX_REPLIES: attacks.MAX_REPLIES,
  MIN_REFUTED: attacks.MIN_REFUTED,
  MAX_CHOICES,
  MAX_EXPECTED_MOVES,
  MAX_SOLVER_CELLS: evaluation.MAX_SOLVER_CELLS,
  CLEAR_LOSS: evaluation.CLEAR_LOSS,
  MEMORY_MB: evaluation.MEMORY_MB,
  MAX_SHOWN_MOVES: evaluation.MAX_SHOWN_MOVES,
  MAX_SENTENCES,
};

/** @param {object} test */
function explainCase(test) {
  const position = Position.parse(test.position);
  const board = Board.fromPosition(position);
  const columns = test.analysis ? evaluation.listReliableColumns(test.analysis) : test.columns;
  const requests = [];
  const solve = (request) => {
    requests.push(request);
    return test.solution;
  };
  const start = process.cpuUsage();
  const facts = collectFacts(board, position.notation, test.column, columns, solve, test.budget);
  const reply = describeExplanation(board, position.notation, test.column, facts);
  const { user, system } = process.cpuUsage(start);
  const isUnchanged = board.key === Board.fromPosition(position).key;
  return { facts, reply, requests, milliseconds: (user + system) / 1000, isUnchanged, needsScores: needsScores(reply) };
}

/** @param {{ position: string, column: number }} test */
function catchError(test) {
  try {
    explain(test.position, test.column);
    return null;
  } catch (error) {
    return error.toInfo();
  }
}

const { cases, errors } = JSON.parse(readFileSync(0, "utf8"));
const result = {
  constants,
  cases: cases.map(explainCase),
  explained: cases.slice(0, 20).map((test) => explain(test.position, test.column)),
  errors: errors.map(catchError),
};
process.stdout.write(JSON.stringify(result));
