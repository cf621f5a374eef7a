// Facts about winning cells: cells that a move makes, takes from the opponent, gives up, allows or misses.
//
// A *winning cell* of a player is a free cell that would complete four for this player. It need not be reachable by the
// next stone.

import { getOpponent } from "./board.js";
import { makeFact } from "./facts.js";
import {
  findLandingCell,
  findPlayableThreats,
  includesCell,
  isSameCell,
  joinLines,
  listFreeCells,
  listStones,
  listWindows,
} from "./lines.js";

/** @import { Cell, Player } from "../../model/messages.d.ts" */
/** @import { Board } from "./board.js" */
/** @import { Fact } from "./facts.js" */

/** Number of expected moves in which a winning cell is looked for. */
export const MAX_EXPECTED_MOVES = 10;

/**
 * The fact that the move fills the cell below an own winning cell, which the opponent can then occupy.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findGivenUpCell(board, column) {
  const above = listFreeCells(board, column)[1];
  if (!above || !includesCell(board.listThreats(board.turn), above)) return null;
  const lines = joinLines(board, [above], board.turn);
  const moves = listStones(board, [column, column]);
  return makeFact("gives_up_cell", getOpponent(board.turn), { cells: [above], lines, moves, column });
}

/**
 * The winning cells that a move makes for the side to move, with their lines.
 * @param {Board} board
 * @param {number} column
 * @returns {{ cells: Cell[], lines: Cell[][] }}
 */
function findNewCells(board, column) {
  const after = board.after(column);
  if (after.isOver) return { cells: [], lines: [] };
  const before = board.listThreats(board.turn);
  const cells = after.listThreats(board.turn).filter((cell) => !includesCell(before, cell));
  return { cells, lines: joinLines(after, cells, board.turn) };
}

/**
 * The winning cells that the move makes: a threat that must be answered, or cells for later.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findMadeCells(board, column) {
  const { cells, lines } = findNewCells(board, column);
  if (!cells.length) return null;
  const after = board.after(column);
  const playable = findPlayableThreats(after, board.turn).filter((cell) => includesCell(cells, cell));
  if (!playable.length) return makeFact("winning_cell", board.turn, { cells, lines });
  const fields = { cells: playable, lines: joinLines(after, playable, board.turn), column: playable[0][1] };
  return makeFact("threat", board.turn, fields);
}

/**
 * The fact that a stone of the opponent on the same cell would make winning cells for the opponent.
 *
 * The kind is `prevents_double_threat` if stones could land at once on two of them in different columns.
 * @param {Board} board
 * @param {number} column
 * @returns {Fact | null}
 */
export function findTakenCell(board, column) {
  const found = listTakenLines(board, column);
  if (!found.length) return null;
  const landing = listLandingCells(board, column);
  const playable = found.filter(({ cell }) => includesCell(landing, cell));
  const isDouble = new Set(playable.map(({ cell }) => cell[1])).size > 1;
  const chosen = isDouble ? playable : found;
  /** @type {Cell[]} */
  const cells = [];
  for (const { cell } of chosen) if (!includesCell(cells, cell)) cells.push(cell);
  const lines = chosen.map(({ line }) => line);
  return makeFact(isDouble ? "prevents_double_threat" : "takes_cell", board.turn, { cells, lines });
}

/**
 * The lines through the landing cell in which the opponent would lack only one more free cell, and these cells.
 * @param {Board} board
 * @param {number} column
 * @returns {{ cell: Cell, line: Cell[] }[]}
 */
function listTakenLines(board, column) {
  const opponent = getOpponent(board.turn);
  const landing = findLandingCell(board, column);
  const known = board.listThreats(opponent);
  const found = [];
  for (const line of listWindows(board, landing)) {
    const others = line.filter((cell) => !isSameCell(cell, landing));
    const free = others.filter((cell) => board.getStone(cell) === null);
    if (free.length !== 1 || board.isHole(free[0]) || includesCell(known, free[0])) continue;
    const stones = others.filter((cell) => cell !== free[0]);
    if (stones.every((cell) => board.getStone(cell) === opponent)) found.push({ cell: free[0], line });
  }
  return found;
}

/**
 * The cells on which a stone can land after a stone in this column.
 * @param {Board} board
 * @param {number} column
 * @returns {Cell[]}
 */
function listLandingCells(board, column) {
  return Array.from({ length: board.cols }, (_, other) => other).flatMap((other) =>
    listFreeCells(board, other).slice(other === column ? 1 : 0, other === column ? 2 : 1),
  );
}

/**
 * A winning cell that the opponent can make after the move, but not at once after the other move.
 * @param {Board} board
 * @param {number} column
 * @param {number} other
 * @returns {Fact | null}
 */
export function findAllowedCell(board, column, other) {
  const prevented = listNextCells(board, other).map(({ cell }) => cell);
  const found = listNextCells(board, column).find(({ cell }) => !includesCell(prevented, cell));
  if (!found) return null;
  const { cell, reply } = found;
  const opponent = getOpponent(board.turn);
  const lines = joinLines(board.after(column).after(reply), [cell], opponent);
  const moves = listStones(board, [column, reply]);
  return makeFact("allows_cell", opponent, { cells: [cell], lines, moves, column: reply, other });
}

/**
 * The winning cells that the opponent can make with the reply to a move, each once with the last reply that makes it.
 * @param {Board} board
 * @param {number} column
 * @returns {{ cell: Cell, reply: number }[]}
 */
function listNextCells(board, column) {
  const after = board.after(column);
  /** @type {Map<number, { cell: Cell, reply: number }>} */
  const found = new Map();
  for (const reply of after.listLegalMoves()) {
    for (const cell of findNewCells(after, reply).cells) found.set(board.indexOf(...cell), { cell, reply });
  }
  return [...found.values()];
}

/**
 * The winning cells that another move would make.
 * @param {Board} board
 * @param {number} other
 * @returns {Fact | null}
 */
export function findMissedCell(board, other) {
  const { cells, lines } = findNewCells(board, other);
  if (!cells.length) return null;
  return makeFact("misses_cell", board.turn, { cells, lines, moves: listStones(board, [other]), column: other });
}

/**
 * The first winning cell that a player makes in a line of expected moves, if it is before any of the other player.
 *
 * Cells of the first move of the line are facts of their own and do not count.
 * @param {Board} board
 * @param {number[]} line
 * @param {Player} player
 * @returns {Fact | null}
 */
export function findExpectedCell(board, line, player) {
  const after = board.copy();
  for (const [number, column] of line.slice(0, MAX_EXPECTED_MOVES).entries()) {
    if (!after.isLegal(column)) return null;
    const mover = after.turn;
    const { cells, lines } = findNewCells(after, column);
    after.push(column);
    if (!cells.length || number === 0) continue;
    if (mover !== player) return null;
    const kind = player === board.turn ? "misses_expected_cell" : "expected_cell";
    const moves = listStones(board, line.slice(0, number + 1));
    return makeFact(kind, player, { cells, lines, moves, column: line[0] });
  }
  return null;
}
