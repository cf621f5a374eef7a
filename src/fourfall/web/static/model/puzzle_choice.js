// Chooses the next puzzle: one of the person's own mistakes, or one near the rating that was not tried lately.

/** @import { Progress } from "./puzzle_progress.js" */
/** @import { PuzzleInfo } from "./puzzle_messages.d.ts" */

/** The next puzzle is a random one of this number of puzzles nearest to the wanted rating. */
const NEAREST = 12;
/** This share of the puzzles to choose from, the last ones that were tried, is not shown again yet. */
const RECENT_SHARE = 0.7;
/** An own mistake is not shown again before this number of other puzzles. */
const OWN_PAUSE = 15;

/**
 * The newest own mistake that was not tried lately; null if there is none.
 * @template {PuzzleInfo} T
 * @param {T[]} puzzles the newest first
 * @param {Progress} progress
 * @param {string[]} shown ids of puzzles that were shown lately
 * @returns {T | null}
 */
export function chooseOwnPuzzle(puzzles, { scores }, shown) {
  const recent = new Set([...scores.slice(-OWN_PAUSE).map(([id]) => id), ...shown]);
  return puzzles.find(({ id }) => !recent.has(id)) ?? null;
}

/**
 * A puzzle near the person's rating. While the rating is uncertain, easier puzzles are chosen.
 * @param {PuzzleInfo[]} puzzles
 * @param {Progress} progress
 * @param {string} theme "" for all themes
 * @param {string[]} shown ids of puzzles that were shown lately, also if they were not tried
 * @returns {PuzzleInfo | null}
 */
export function choosePuzzle(puzzles, { rating, scores }, theme, shown) {
  const suitable = puzzles.filter(({ themes }) => !theme || themes.includes(theme));
  const order = new Map(scores.map(([id], index) => [id, index]));
  const untried = suitable.filter(({ id }) => !order.has(id) && !shown.includes(id));
  const tried = suitable
    .filter(({ id }) => order.has(id) && !shown.includes(id))
    .sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const recent = Math.floor(RECENT_SHARE * suitable.length);
  const allowed = [...untried, ...tried.slice(0, Math.max(tried.length - recent, 0))];
  const pool = allowed.length ? allowed : tried.length ? tried.slice(0, 1) : suitable.slice(0, 1);
  const target = rating.rating - rating.deviation / 2;
  const nearest = pool
    .map((puzzle) => ({ puzzle, distance: Math.abs((puzzle.rating ?? target) - target) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST);
  return nearest[Math.floor(Math.random() * nearest.length)]?.puzzle ?? null;
}
