// Sentences about a puzzle: what to find, what the last move was, how the puzzle ended.

import { COLUMN_NAMES } from "../model/position.js";
import { countWinnerMoves } from "../model/scores.js";
import { getLanguage, t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";

/** @import { PuzzleAttempt } from "../model/puzzle_attempt.js" */
/** @import { Texts } from "../model/puzzle_messages.d.ts" */
/** @import { PuzzlesPage } from "./puzzles.js" */

/**
 * "Blue to move: win in 3 moves."
 * @param {PuzzleAttempt} attempt
 */
export function formatTask({ puzzle, player }) {
  const side = getSideNames()[player];
  if (puzzle.result === "draw") return t("puzzles.task.draw", side);
  const moves = countWinnerMoves(puzzle.distance);
  return moves === 1 ? t("puzzles.task.win.one", side) : t("puzzles.task.win", side, moves);
}

/**
 * The line above the board: the task or the verdict about the last move.
 * @param {PuzzleAttempt} attempt
 */
export function formatStatus(attempt) {
  const { phase, feedback, player } = attempt;
  const [side, opponent] = [getSideNames()[player], getSideNames()[player === 0 ? 1 : 0]];
  const column = feedback ? COLUMN_NAMES[feedback.column] : "";
  if (phase === "solved") {
    if (feedback?.kind === "also_right") return t("puzzles.also_right", column);
    return t("puzzles.solved");
  }
  if (phase === "shown") return t("puzzles.shown", COLUMN_NAMES[attempt.puzzle.solution[0]]);
  if (feedback?.kind === "wrong") return t("puzzles.wrong", column);
  if (feedback?.kind === "unknown") return t("puzzles.unknown", column);
  if (feedback?.kind === "right") {
    return phase === "playing" ? t("puzzles.replying", opponent) : t("puzzles.right.next", side);
  }
  if (phase !== "playing") return formatTask(attempt);
  const lastColumn = attempt.position.moves[attempt.position.moves.length - 1];
  const isChecked = attempt.position.moves.length === attempt.asked.moves.length + 1 && attempt.score !== 0;
  return isChecked ? t("puzzles.checking", COLUMN_NAMES[lastColumn]) : t("puzzles.showing");
}

/**
 * What follows from the last move: why it is wrong, or the change of the rating at the end.
 * @param {PuzzlesPage} page
 */
export function formatOutcome({ attempt, change, progress }) {
  if (attempt?.feedback?.kind === "wrong") {
    const { texts } = attempt.feedback;
    const text = texts ? joinSentences(texts) : "";
    if (text || attempt.phase !== "wrong") return text;
    return t(texts ? "puzzles.wrong.unproved" : "puzzles.wrong.offline");
  }
  if (!attempt?.isOver) return "";
  const { phase, score } = attempt;
  const reason = score === 0.5 ? t("puzzles.solved.half") : score === 0 ? t("puzzles.solved.none") : "";
  const sentences = [phase === "solved" ? reason : "", formatChange(change, progress.rating.rating)].filter(Boolean);
  return sentences.join(getLanguage() === "en" ? " " : "");
}

/**
 * @param {number | null} change null if the puzzle is not rated
 * @param {number} rating
 */
function formatChange(change, rating) {
  if (change === null) return "";
  const rounded = Math.round(change);
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "±";
  return t("puzzles.change", Math.round(rating), `${sign}${Math.abs(rounded)}`);
}

/** @param {Texts} texts */
export function joinSentences(texts) {
  const language = getLanguage();
  return texts[language].join(language === "en" ? " " : "");
}
