// Sentences in English.

import { getOpponent } from "../board.js";
import {
  countWinnerMoves,
  getColumn,
  getOtherColumn,
  getScore,
  listColumns,
  listMoves,
  nameColumn,
  percent,
} from "./writer.js";

/** @import { Cell } from "../../../model/messages.d.ts" */
/** @import { Fact } from "../facts.js" */
/** @import { MoveNames, SentenceTable } from "./writer.js" */

/** Names of the players. @type {[string, string]} */
export const COLOURS = ["Blue", "Orange"];

/** The sentence about a move without facts. */
export const NOTHING = "Nothing is proved about this move: neither side was found to win by force.";

/** @type {SentenceTable} */
export const SENTENCES = {
  wins: (names) => `${names.mover} wins at once: the stone in column ${names.here} completes four in a row.`,
  misses_win: (names, fact) => `${names.mover} could win at once in ${nameColumns(fact.cells, "or")}.`,
  blocks: (names) =>
    `${names.mover} must play here: otherwise ${names.opponent} completes four in this column at once.`,
  misses_block: (names, fact) =>
    `${names.opponent} now completes four in column ${getColumn(fact)}, which ${names.mover} had to block.`,
  cannot_block: (names, fact) => {
    const where = nameColumns(fact.cells, "and");
    return `${names.opponent} can complete four in ${where}; ${names.mover} cannot block all of them.`;
  },
  opens_win: (names, fact) => {
    if (names.isAboveHole(fact.cells[0])) {
      return `The next stone in column ${names.here} lands above the blocked cell, and ${names.opponent} completes four there.`;
    }
    return `The stone opens the cell above it, where ${names.opponent} completes four with the next stone.`;
  },
  double_threat: (names, fact) => {
    const where = nameColumns(fact.cells, "and");
    return `${names.mover} now threatens four in ${where}; ${names.opponent} can block only one.`;
  },
  stacked_threat: (names, fact) =>
    `${names.mover} threatens four on two cells, one above the other: ${describeStack(names, fact)}.`,
  no_safe_reply: (names) => `Whatever ${names.opponent} plays, ${names.mover} completes four with the next stone.`,
  forced_sequence: (names, fact) => [
    `${names.mover} wins by force in ${fact.count} moves: ${listMoves(fact)}.`,
    `Each reply of ${names.opponent} except the last is the only one that does not lose at once.`,
  ],
  allows_sequence: (names, fact) => {
    const reply = `${names.opponent} answers in column ${getColumn(fact)}`;
    if (fact.count === 2) {
      return [`${reply} and wins with the stone after that: ${describeEnding(names, fact, names.mover)}.`];
    }
    return [
      `${reply} and wins by force in ${fact.count} moves: ${listMoves(fact, 1)}.`,
      `Each move of ${names.mover} except the last is then the only one that does not lose at once.`,
    ];
  },
  misses_sequence: (names, fact) => {
    const start = `${names.mover} could win by force in ${fact.count} moves with column ${getColumn(fact)}`;
    if (fact.count === 2) return `${start}: ${describeEnding(names, fact, names.opponent)}.`;
    return `${start}: ${listMoves(fact)}.`;
  },
  no_defence: (names) => `Every reply of ${names.opponent} loses: ${names.mover} then wins by force.`,
  few_replies: (names, fact) =>
    `${names.opponent} must answer in ${nameColumns(fact.cells, "or")}; every other reply loses by force.`,
  allows_attack: (names, fact) =>
    `${names.opponent} answers in column ${getColumn(fact)}, and every move of ${names.mover} then loses.`,
  misses_attack: (names, fact) =>
    `After column ${getColumn(fact)}, every reply of ${names.opponent} would lose by force.`,
  allows_few_replies: (names, fact) =>
    `${names.opponent} can answer in column ${getColumn(fact)}; every move of ${names.mover} except ${nameColumns(fact.cells, "and")} then loses by force.`,
  only_move: () => "Every other column loses.",
  gives_up_cell: (names, fact) =>
    `The stone fills the cell below ${names.mover}'s own winning cell in column ${names.here}, row ${names.nameRow(fact.cells[0])}; ${names.opponent} can now block it.`,
  parity: (names, fact) => [
    `When the other cells are full, ${names.opponent} must play below ${nameWinningCells(names, fact)}, and cannot win before.`,
    describeFollowUp(names, fact),
  ],
  allows_parity: (names, fact) => [
    `${names.opponent} answers in column ${getColumn(fact)}; when the other cells are full, ${names.mover} must play below ${nameWinningCells(names, fact)}, and cannot win before.`,
    describeFollowUp(names, fact),
  ],
  misses_parity: (names, fact) =>
    `After column ${getColumn(fact)}, ${names.opponent} would have to play below ${nameWinningCells(names, fact)} when the other cells are full, and could not win before.`,
  hole_parity: (names) =>
    `The blocked cell decides it: without it the number of other cells would be odd, and ${names.mover} would have to play there.`,
  hole_line: (names) => `The blocked cell breaks the line of ${names.mover}'s three stones: they cannot become four.`,
  threat: (names, fact) =>
    `${names.mover} threatens four in column ${getColumn(fact)}; ${names.opponent} must block there.`,
  winning_cell: (names, fact) => `${names.mover} gets ${nameCells(names, fact.cells)}.`,
  prevents_double_threat: (names, fact) =>
    `A stone of ${names.opponent} here would threaten four in ${nameColumns(fact.cells, "and")}.`,
  takes_cell: (names, fact) => `A stone of ${names.opponent} here would make ${nameCells(names, fact.cells)}.`,
  allows_cell: (names, fact) =>
    `${names.opponent} can answer in column ${getColumn(fact)} and get ${nameCells(names, fact.cells)}; after column ${getOtherColumn(fact)} it could not.`,
  misses_cell: (names, fact) =>
    `Column ${getColumn(fact)} would make ${nameCells(names, fact.cells)} for ${names.mover}.`,
  expected_cell: (names, fact) =>
    `The engine expects ${listMoves(fact)}, after which ${names.opponent} has ${nameCells(names, fact.cells)}.`,
  misses_expected_cell: (names, fact) =>
    `With column ${getColumn(fact)} the engine expects ${listMoves(fact)}, after which ${names.mover} has ${nameCells(names, fact.cells)}.`,
  leaves_cell: (names, fact) =>
    `${names.opponent} can now take the cell in column ${getColumn(fact)}: ${fact.count} possible fours of ${names.opponent} and ${fact.otherCount} of ${names.mover} go through it.`,
  fewer_lines: (names, fact) =>
    `${fact.otherCount} possible fours of ${names.mover} go through the cell in column ${getColumn(fact)}, but only ${fact.count} through this one.`,
  open_lines: (names, fact) =>
    `${fact.count} possible fours of ${names.mover} go through this cell; no other column has more.`,
  result: (names, fact) => {
    const score = getScore(fact.score);
    if (score.proof === "draw") return "After this move the game is a draw with best play (proven).";
    const count = countWinnerMoves(score);
    return `After this move ${names.namePlayer(fact.player)} wins in at most ${count} ${pluralize(count)} with best play (proven).`;
  },
  comparison: (names, fact) => {
    const [own, best, column] = [getScore(fact.score), getScore(fact.otherScore), getColumn(fact)];
    if (best.proof === "win") {
      const count = countWinnerMoves(best);
      return `Column ${column} wins in at most ${count} ${pluralize(count)} (proven).`;
    }
    if (best.proof === "draw" && own.proof === "loss") return `Column ${column} would hold a draw (proven).`;
    if (own.proof) {
      return `Column ${column} is better: the engine estimates ${percent(best)} win chance for ${names.mover} there.`;
    }
    if (best.proof) {
      const result = best.proof === "draw" ? "draws" : "loses";
      return `The engine estimates ${percent(own)} win chance for ${names.mover}; column ${column} ${result} (proven).`;
    }
    if (own.win_chance < best.win_chance) {
      return `The engine prefers column ${column}: it estimates ${percent(best)} win chance for ${names.mover} there, ${percent(own)} here.`;
    }
    return `The engine estimates ${percent(own)} win chance for ${names.mover} here, and ${percent(best)} for the next best, column ${column}.`;
  },
};

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function describeFollowUp(names, fact) {
  const winner = names.namePlayer(fact.player);
  if (fact.isAbove) return `Until then ${winner} answers every stone directly above it.`;
  return `The number of cells until then is even (${fact.count}), and ${winner} has an answer to every stone.`;
}

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function nameWinningCells(names, fact) {
  const cells = listCellNames(names, fact.cells);
  const winner = names.namePlayer(fact.player);
  return cells.length === 1
    ? `${winner}'s winning cell (${cells[0]})`
    : `one of ${winner}'s winning cells (${cells.join("; ")})`;
}

/**
 * Name winning cells, in words: "a winning cell in column 4, row 3".
 * @param {MoveNames} names
 * @param {Cell[]} cells
 */
function nameCells(names, cells) {
  const text = listCellNames(names, cells).join("; ");
  return cells.length === 1 ? `a winning cell in ${text}` : `winning cells in ${text}`;
}

/**
 * @param {MoveNames} names
 * @param {Cell[]} cells
 */
function listCellNames(names, cells) {
  return cells.map((cell) => `column ${nameColumn(cell)}, row ${names.nameRow(cell)}`);
}

/**
 * The double threat at the end of a sequence.
 * @param {MoveNames} names
 * @param {Fact} fact
 * @param {string} defender
 */
function describeEnding(names, fact, defender) {
  if (fact.ending === "double_threat") {
    return `${defender} can block only one of ${nameColumns(fact.cells, "and")}`;
  }
  return fact.ending === "stacked_threat" ? describeStack(names, fact) : "every reply loses at once";
}

/**
 * @param {MoveNames} names
 * @param {Fact} fact
 */
function describeStack(names, fact) {
  const [lower, upper] = fact.cells;
  const [attacker, defender] = [names.namePlayer(fact.player), names.namePlayer(getOpponent(fact.player))];
  const block = `if ${defender} blocks column ${nameColumn(lower)} in row ${names.nameRow(lower)}`;
  return `${block}, ${attacker} completes four in row ${names.nameRow(upper)}`;
}

/**
 * @param {Cell[]} cells
 * @param {"and" | "or"} conjunction
 */
function nameColumns(cells, conjunction) {
  const names = listColumns(cells);
  if (names.length === 1) return `column ${names[0]}`;
  return `columns ${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}

/** @param {number} count */
function pluralize(count) {
  return count === 1 ? "move" : "moves";
}
