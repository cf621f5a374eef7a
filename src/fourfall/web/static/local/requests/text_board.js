// Parses text boards: boards drawn by Fourfall or by the classic judge, and plain grids with or without a frame.

import { COLUMN_NAMES, MAX_SIZE, MIN_SIZE, Position } from "../../model/position.js";
import { RequestError } from "../request_error.js";
import { SPACES, splitLines, splitWords, trim } from "./text_lines.js";
import { quoteText } from "./value_text.js";

/** @import { Cell } from "../../model/messages.d.ts" */
/** @import { Engine } from "../types.d.ts" */

/** The symbols of free cells, stones of both players and the hole, by the one that stands for all. */
const SYMBOLS = { ".": ".0_·", X: "Xx1●", O: "Oo2◆", "#": "#▒" };
const FRAME = /[|+=│┃║─━═┌┐└┘╔╗╚╝├┤┬┴┼╠╣╦╩╬-]/g;
const VALUES = /\d\.\d|%|[a-z]{4}/; // found in the last line of a board with a value under each column
const ROW_NUMBER = new RegExp(`^[${SPACES}]*(\\d{1,2})[${SPACES}]+([^\\n]*)$`);
const SPACE = new RegExp(`[${SPACES}]`);

/** Rows of cells from the top down, and the cell that is marked as the last move.
 * @typedef {{rows: string[], last: Cell | null}} Grid */

/**
 * Parse a text board; the engine reconstructs a legal order of its moves. Throws RequestError.
 * @param {string} text
 * @param {Engine} engine
 */
export function parseTextBoard(text, engine) {
  const grid = parseCells(stripDecoration(text));
  const [holes, first, second] = ["#", "X", "O"].map((symbol) => findCells(grid, symbol));
  if (holes.length > 1) throw new RequestError("several_holes", { count: holes.length });
  const last = [...first, ...second].find((cell) => String(cell) === String(grid.last)) ?? null;
  const [rows, cols] = [grid.rows.length, grid.rows[0]?.length ?? 0];
  checkSide("rows", rows);
  checkSide("columns", cols);
  try {
    const found = engine.findStones({ rows, cols, hole: holes[0] ?? null, first, second, last });
    return Position.fromServer(found.position);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "impossible_stones") throw error;
    throw new RequestError("impossible_board", error.params);
  }
}

/**
 * @param {string} what
 * @param {number} count
 */
function checkSide(what, count) {
  if (count >= MIN_SIZE && count <= MAX_SIZE) return;
  const problem = `a board has ${MIN_SIZE} to ${MAX_SIZE} ${what}, not ${count}`;
  throw new RequestError("impossible_board", { problem });
}

/**
 * @param {Grid} grid
 * @param {string} symbol
 * @returns {Cell[]}
 */
function findCells({ rows }, symbol) {
  return rows.flatMap((line, row) =>
    [...line].flatMap((cell, col) => (cell === symbol ? [/** @type {Cell} */ ([row, col])] : [])),
  );
}

/**
 * The lines of the board without frames, column names, row numbers and values.
 * @param {string} text
 */
function stripDecoration(text) {
  const lines = splitLines(text)
    .map((line) => line.replace(FRAME, " "))
    .filter((line) => trim(line) && !isColumnNames(line));
  if (lines.length > MIN_SIZE && VALUES.test(lines[lines.length - 1])) lines.pop();
  const matches = lines.map((line) => ROW_NUMBER.exec(line.replace(new RegExp(`[${SPACES}]+$`), "")));
  const numbers = matches.map((match) => (match ? Number(match[1]) : Number.NaN));
  const step = numbers[1] - numbers[0];
  const isNumbered = lines.length > 1 && numbers.every((number, at) => at === 0 || number - numbers[at - 1] === step);
  return isNumbered && step !== 0 ? matches.map((match) => match?.[2] ?? "") : lines;
}

/** @param {string} line */
function isColumnNames(line) {
  const words = splitWords(line);
  const joined = words.join("");
  if ([...joined].length < MIN_SIZE) return false;
  return (
    (joined.length <= COLUMN_NAMES.length && joined.toLowerCase() === COLUMN_NAMES.slice(0, joined.length)) ||
    [0, 1].some((first) => words.every((word, index) => word === String(index + first)))
  );
}

/**
 * Convert every line to cells; ">" marks the last move and "*" a winning stone.
 * @param {string[]} lines
 * @returns {Grid}
 */
function parseCells(lines) {
  /** @type {Grid} */
  const grid = { rows: [], last: null };
  for (const [row, line] of lines.entries()) {
    let cells = "";
    for (const character of line) {
      const symbol = Object.entries(SYMBOLS).find(([, all]) => all.includes(character))?.[0];
      if (character === ">") grid.last = [row, cells.length];
      else if (symbol) cells += symbol;
      else if (character !== "*" && !SPACE.test(character)) {
        throw new RequestError("unexpected_character", { character: quoteText(character), line: row + 1 });
      }
    }
    grid.rows.push(cells);
  }
  const lengths = grid.rows.map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (grid.rows.length && shortest !== longest) throw new RequestError("unequal_lines", { shortest, longest });
  return grid;
}
