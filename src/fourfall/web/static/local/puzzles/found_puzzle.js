// Makes a puzzle of a position of a person's own game, with themes, hints and reasons.

import { COLUMN_NAMES } from "../../model/position.js";
import { Board } from "../coach/board.js";
import { collectFacts, DEFAULT_BUDGET } from "../coach/explanation.js";
import { writeSentences } from "../coach/sentences/sentences.js";
import { proveOnlyMove } from "./only_move.js";
import { identifyPosition } from "./position_id.js";

/** @import { Position } from "../../model/position.js" */
/** @import { PuzzleDetails } from "../../model/puzzle_messages.d.ts" */
/** @import { Fact } from "../coach/facts.js" */
/** @import { Engine, ThemeText } from "../types.d.ts" */

const MAX_THEMES = 3;
/** Number of columns, besides the solution, that the second hint names. */
const OTHER_COLUMNS = 2;

/**
 * The puzzle of a position; null if exactly one good move is not proved within the limits.
 * @param {Position} position
 * @param {Engine} engine
 * @param {Record<string, ThemeText>} themeTexts
 * @returns {Promise<PuzzleDetails | null>}
 */
export async function findPuzzle(position, engine, themeTexts) {
  const proof = await proveOnlyMove(position, engine);
  if (!proof) return null;
  const board = Board.fromPosition(position);
  const [move] = proof.columns;
  const facts = collectFacts(board, position.notation, move, [], (request) => engine.solve(request), DEFAULT_BUDGET);
  const themes = listThemes(facts, themeTexts);
  const id = identifyPosition(board);
  const reasons = { en: writeSentences(board, move, facts, "en"), zh: writeSentences(board, move, facts, "zh") };
  return {
    id,
    position: position.notation,
    solution: proof.columns,
    result: proof.result,
    distance: proof.distance,
    level: null,
    rating: null,
    themes,
    hints: listHints(chooseColumns(board, move, id), move, themeTexts[themes[0]], reasons),
    reasons,
  };
}

/**
 * The themes of a puzzle, the most important first: one to three.
 * @param {Fact[]} facts
 * @param {Record<string, ThemeText>} themeTexts
 * @returns {string[]}
 */
function listThemes(facts, themeTexts) {
  const kinds = facts.flatMap(({ kind, ending }) => (kind === "forced_sequence" && ending ? [kind, ending] : [kind]));
  const themes = [...new Set(kinds)].filter((kind) => kind in themeTexts);
  const shown = themes.length > 1 ? themes.filter((kind) => kind !== "result") : themes;
  return shown.length ? shown.slice(0, MAX_THEMES) : ["result"];
}

/**
 * Three hints: the theme, a few columns of which one is right, and the column with the coach's reasons.
 * @param {string[]} names of the columns of the second hint
 * @param {number} move
 * @param {ThemeText} theme
 * @param {{en: string[], zh: string[]}} reasons
 */
function listHints(names, move, { name, hint }, reasons) {
  const [others, last, column] = [names.slice(0, -1), names.at(-1), COLUMN_NAMES[move]];
  return {
    en: [
      `${name.en[0].toUpperCase()}${name.en.slice(1)}: ${hint.en || "Calculate what follows each move."}`,
      `The move is in column ${others.join(", ")} or ${last}.`,
      [`The move is column ${column}.`, ...reasons.en].join(" "),
    ],
    zh: [
      `${name.zh}：${hint.zh || "仔细计算每一步之后的变化。"}`,
      `正确的一步在第 ${others.join("、")} 或 ${last} 列。`,
      [`正确的一步是第 ${column} 列。`, ...reasons.zh].join(""),
    ],
  };
}

/**
 * The names of the solution and two other columns, safe ones if there are any; the choice depends on the puzzle alone.
 * @param {Board} board
 * @param {number} move
 * @param {string} id
 */
function chooseColumns(board, move, id) {
  const safe = board.listSafeMoves();
  const others = board.listLegalMoves().filter((column) => column !== move);
  const start = Number.parseInt(id, 16);
  const ranked = [
    ...rotate(
      others.filter((column) => safe.includes(column)),
      start,
    ),
    ...rotate(
      others.filter((column) => !safe.includes(column)),
      start,
    ),
  ];
  const chosen = [move, ...ranked.slice(0, OTHER_COLUMNS)].sort((a, b) => a - b);
  return chosen.map((column) => COLUMN_NAMES[column]);
}

/**
 * @param {number[]} columns
 * @param {number} start
 */
function rotate(columns, start) {
  const middle = columns.length ? start % columns.length : 0;
  return [...columns.slice(middle), ...columns.slice(0, middle)];
}
