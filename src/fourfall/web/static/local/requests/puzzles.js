// Requests about puzzles: the shipped set, one puzzle, the puzzle of a position, and the check of a move.

import { COLUMN_NAMES } from "../../model/position.js";
import { findPuzzle } from "../puzzles/found_puzzle.js";
import { checkMove } from "../puzzles/refutation.js";
import { RequestError } from "../request_error.js";
import { readPosition } from "./positions.js";
import { checkPattern, readInteger, require } from "./validation.js";

/** @import { PuzzleList } from "../../model/puzzle_messages.d.ts" */
/** @import { Call, Route } from "./router.js" */

const ID = /^[0-9a-f]{12}$/;
const COLUMN = { min: 0, max: 11 };

/** @type {Route[]} */
export const puzzleRoutes = [
  { method: "GET", path: /^\/api\/puzzles$/, handle: listPuzzles },
  { method: "GET", path: /^\/api\/puzzles\/find$/, handle: find },
  { method: "GET", path: /^\/api\/puzzles\/check$/, handle: check },
  { method: "GET", path: /^\/api\/puzzles\/([^/]+)$/, handle: getPuzzle },
];

/**
 * @param {Call} call
 * @returns {Promise<PuzzleList>}
 */
async function listPuzzles({ services }) {
  const { puzzles, themes } = await services.loadPuzzles();
  return { puzzles: puzzles.map(({ hints: _, reasons: __, ...puzzle }) => puzzle), themes };
}

/** @param {Call} call */
async function getPuzzle({ groups, services }) {
  const id = checkPattern("puzzle", groups[0], ID);
  const { puzzles } = await services.loadPuzzles();
  const puzzle = puzzles.find((each) => each.id === id);
  if (!puzzle) throw new RequestError("unknown_puzzle", { puzzle: id });
  return puzzle;
}

/** @param {Call} call */
async function find(call) {
  const position = await readUnfinishedPosition(call);
  const [engine, puzzles] = await Promise.all([call.services.loadEngine(), call.services.loadPuzzles()]);
  return { puzzle: await findPuzzle(position, engine, puzzles.theme_texts) };
}

/** @param {Call} call */
async function check(call) {
  const column = require("column", readInteger(call.query, "column", COLUMN));
  const position = await readUnfinishedPosition(call);
  const name = COLUMN_NAMES[column];
  if (column >= position.cols) throw new RequestError("illegal_move", { column: name, columns: position.cols });
  if (!position.isLegal(column)) throw new RequestError("column_full", { column: name });
  return checkMove(position, column, await call.services.loadEngine());
}

/** @param {Call} call */
async function readUnfinishedPosition(call) {
  const position = await readPosition(call);
  if (position.isOver) throw new RequestError("game_over");
  return position;
}
