// A person's progress with puzzles: rating, streak and the puzzles that were tried, stored in the browser.

import { MAX_DEVIATION, NEW_RATING, updateRating } from "./glicko2.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { Rating } from "./glicko2.js" */
/** @import { PuzzleInfo } from "./puzzle_messages.d.ts" */

/**
 * `scores` are the last scores of puzzles by id, the oldest first: 1 solved, 0.5 solved with a hint, 0 not solved.
 * `streak` counts puzzles that were solved without a wrong move or a hint, one after the other.
 * @typedef {{rating: Rating, streak: number, bestStreak: number, scores: [id: string, score: number][]}} Progress
 */

const SETTING = "puzzles";
/** Deviation of the rating of every puzzle: it is measured with levels, not with people. */
const PUZZLE_DEVIATION = 80;
/** The deviation of a person stays above this value, so that the rating can follow what the person learns. */
const MIN_DEVIATION = 60;
const MAX_SCORES = 2000;
/** A puzzle counts again only after this number of other puzzles. */
const REPEAT_PAUSE = 20;

/** @returns {Progress} */
export function loadProgress() {
  const stored = loadSetting(SETTING, /** @type {any} */ (null));
  const { rating, deviation, volatility } = stored?.rating ?? {};
  const isValid =
    isBetween(rating, -10_000, 10_000) && isBetween(deviation, 1, MAX_DEVIATION) && isBetween(volatility, 1e-6, 1);
  const scores = Array.isArray(stored?.scores) ? stored.scores.filter(isScore) : [];
  const [streak, bestStreak] = [stored?.streak, stored?.bestStreak].map((count) =>
    isBetween(count, 0, 1e9) ? count : 0,
  );
  return { rating: isValid ? { rating, deviation, volatility } : NEW_RATING, streak, bestStreak, scores };
}

/**
 * Store the progress; false if the browser does not allow it.
 * @param {Progress} progress
 */
export function saveProgress(progress) {
  return saveSetting(SETTING, progress);
}

/**
 * Whether a puzzle was tried a short time ago, so that another try does not count.
 * @param {Progress} progress
 * @param {PuzzleInfo} puzzle
 */
export function isRepeated({ scores }, { id }) {
  return scores.slice(-REPEAT_PAUSE).some(([other]) => other === id);
}

/**
 * The progress after the first try of a puzzle. A puzzle without a rating changes only the streak.
 * @param {Progress} progress
 * @param {PuzzleInfo} puzzle
 * @param {number} score
 * @returns {Progress}
 */
export function addScore(progress, { id, rating }, score) {
  const streak = score === 1 ? progress.streak + 1 : 0;
  const others = progress.scores.filter(([other]) => other !== id);
  return {
    rating: rating === null ? progress.rating : ratePuzzle(progress.rating, rating, score),
    streak,
    bestStreak: Math.max(progress.bestStreak, streak),
    scores: /** @type {Progress["scores"]} */ ([...others, [id, score]]).slice(-MAX_SCORES),
  };
}

/**
 * @param {Rating} player
 * @param {number} rating of the puzzle
 * @param {number} score
 * @returns {Rating}
 */
function ratePuzzle(player, rating, score) {
  const updated = updateRating(player, [{ rating, deviation: PUZZLE_DEVIATION, score }]);
  return { ...updated, deviation: Math.max(MIN_DEVIATION, updated.deviation) };
}

/**
 * @param {unknown} value
 * @param {number} minimum
 * @param {number} maximum
 */
function isBetween(value, minimum, maximum) {
  return typeof value === "number" && value >= minimum && value <= maximum;
}

/** @param {unknown} entry */
function isScore(entry) {
  return Array.isArray(entry) && typeof entry[0] === "string" && isBetween(entry[1], 0, 1);
}
