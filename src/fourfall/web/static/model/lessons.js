// The lessons: their tasks with positions and solutions, and which tasks the user has solved.

import { COLUMN_NAMES } from "./position.js";
import { loadSetting, saveSetting } from "./storage.js";

/**
 * What the solutions of a task are; a test verifies every task, and that no other move of a task wins, except where the
 * goal is to win at once. `win`: all moves that complete four. `block`: the only
 * move after which the opponent does not complete four. `attack`: all moves after which the next stone completes four,
 * whatever the opponent plays. `defend`: all moves after which the opponent has no forced win. `safe`: all moves after
 * which the opponent does not complete four. `threaten`: the only move that forces the opponent to play below the
 * opponent's own winning cell. `keep`: all moves except the one below the user's own winning cell. `solve`: the only
 * move that wins with best play of both sides.
 * @typedef {"win" | "block" | "attack" | "defend" | "safe" | "threaten" | "keep" | "solve"} Goal
 */
/**
 * A task. `solutions` are names of columns. After a solution of an attack or a threat the opponent blocks, and the user
 * plays on.
 * @typedef {{id: string, goal: Goal, position: string, solutions: string}} Task
 */
/** @typedef {{id: string, tasks: Task[]}} Lesson */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    id: "rules",
    tasks: [
      { id: "row", goal: "win", position: "6x7:334452", solutions: "6" },
      { id: "column", goal: "win", position: "6x7:434342", solutions: "4" },
      { id: "diagonal", goal: "win", position: "6x7:3614422334", solutions: "4" },
    ],
  },
  {
    id: "threats",
    tasks: [
      { id: "block_row", goal: "block", position: "6x7:752334", solutions: "6" },
      { id: "block_column", goal: "block", position: "6x7:75244525", solutions: "5" },
      { id: "block_diagonal", goal: "block", position: "6x7:756462572556", solutions: "3" },
      { id: "win_first", goal: "win", position: "6x7:434343", solutions: "4" },
    ],
  },
  {
    id: "double_threats",
    tasks: [
      { id: "open_three", goal: "attack", position: "6x7:4455", solutions: "36" },
      { id: "two_lines", goal: "attack", position: "6x7:356544423655", solutions: "3" },
      { id: "stacked", goal: "attack", position: "6x7:1344734334", solutions: "6" },
      { id: "prevent", goal: "defend", position: "6x7:7443", solutions: "25" },
    ],
  },
  {
    id: "opening_cells",
    tasks: [
      { id: "leave_closed", goal: "safe", position: "6x7:73532211", solutions: "123567" },
      { id: "only_safe", goal: "safe", position: "6x7:2733544336277544746565537722315466", solutions: "6" },
      { id: "keep_own", goal: "keep", position: "6x7:233345655355", solutions: "123567" },
      { id: "force_below", goal: "threaten", position: "6x7:5233353233", solutions: "6" },
    ],
  },
  {
    id: "parity",
    tasks: [
      { id: "two_columns", goal: "solve", position: "6x7:617545155761414466577441177622562", solutions: "2" },
      { id: "count_cells", goal: "solve", position: "6x7:3542673374425351422144633671172127", solutions: "5" },
      { id: "only_move", goal: "solve", position: "6x7:4734755565533512437742134421212236", solutions: "7" },
    ],
  },
  {
    id: "hole",
    tasks: [
      { id: "broken_line", goal: "win", position: "6x7@5,5:574433", solutions: "2" },
      { id: "above", goal: "win", position: "6x7@5,3:23362115", solutions: "4" },
      { id: "harmless_three", goal: "attack", position: "6x7@5,4:133214513365", solutions: "4" },
      { id: "changed_parity", goal: "solve", position: "6x7@2,2:14763417617517744244133255522512", solutions: "6" },
    ],
  },
];

/**
 * @param {Task} task
 * @param {number} column
 */
export function isSolution({ solutions }, column) {
  return solutions.includes(COLUMN_NAMES[column]);
}

/**
 * Whether the coach's sentences about a solution are shown. Where several moves are solutions because they avoid
 * something, the sentences are about other properties of the move.
 * @param {Task} task
 */
export function isExplained({ goal }) {
  return goal !== "safe" && goal !== "keep" && goal !== "defend";
}

/** Whether the user plays on after the solution. @param {Task} task */
export function hasSecondMove({ goal }) {
  return goal === "attack" || goal === "threaten";
}

/** @returns {Record<string, string[]>} the solved tasks of each lesson */
function loadProgress() {
  return loadSetting("lessons", {});
}

/**
 * @param {Lesson} lesson
 * @param {Task} task
 */
export function isSolved(lesson, task) {
  return loadProgress()[lesson.id]?.includes(task.id) ?? false;
}

/** @param {Lesson} lesson */
export function countSolved(lesson) {
  return lesson.tasks.filter((task) => isSolved(lesson, task)).length;
}

/**
 * @param {Lesson} lesson
 * @param {Task} task
 */
export function saveSolved(lesson, task) {
  const progress = loadProgress();
  saveSetting("lessons", { ...progress, [lesson.id]: [...new Set([...(progress[lesson.id] ?? []), task.id])] });
}
