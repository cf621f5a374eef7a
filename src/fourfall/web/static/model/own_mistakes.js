// Mistakes of the user in reviewed games, stored in the browser: positions that can become puzzles.

import { requestJson } from "./api.js";
import { classifyMove } from "./mistakes.js";
import { Position } from "./position.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { Thresholds } from "./messages.d.ts" */
/** @import { PuzzleDetails } from "./puzzle_messages.d.ts" */

/**
 * `position` is the position before the mistake, `column` the mistake. `puzzle` is null until the server has proved that
 * exactly one move is good.
 * @typedef {{position: string, column: number, puzzle: PuzzleDetails | null}} OwnMistake
 */

const SETTING = "own_mistakes";
const MAX_MISTAKES = 40;
/** Names of persons: `you` against an engine, or two persons at one screen. */
const PERSONS = ["you", "Blue", "Orange"];

/** @returns {OwnMistake[]} */
export function loadMistakes() {
  const stored = loadSetting(SETTING, /** @type {OwnMistake[]} */ ([]));
  return Array.isArray(stored) ? stored.filter((each) => Position.parse(String(each?.position)) !== null) : [];
}

/**
 * Store the mistakes that a person made in a reviewed game. Both players count if the game has no names.
 * @param {GameNode[]} line the positions of the game
 * @param {[string, string] | undefined} names
 * @param {Thresholds} thresholds
 */
export function storeMistakes(line, names, thresholds) {
  /** @type {OwnMistake[]} */
  const found = [];
  for (const { review, parent } of line) {
    if (!review || !parent || (names && !PERSONS.includes(names[review.player]))) continue;
    const kind = classifyMove(review, thresholds);
    if (kind === "" || (kind === "inaccuracy" && !review.missed_win) || review.score_before.proof === "loss") continue;
    found.unshift({ position: parent.position.notation, column: review.column, puzzle: null });
  }
  if (!found.length) return;
  const positions = new Set(found.map(({ position }) => position));
  const others = loadMistakes().filter(({ position }) => !positions.has(position));
  saveSetting(SETTING, [...found, ...others].slice(0, MAX_MISTAKES));
}

/** @param {string} position */
export function removeMistake(position) {
  saveSetting(
    SETTING,
    loadMistakes().filter((mistake) => mistake.position !== position),
  );
}

/**
 * Let the server prove the mistakes that were not proved yet, one after the other. Those without exactly one good move
 * are removed; the others are given to `onFound`. Rejects with an ApiError if the server does not respond.
 * @param {(puzzle: PuzzleDetails) => void} onFound
 */
export async function proveMistakes(onFound) {
  for (const { position, puzzle } of loadMistakes()) {
    if (puzzle) continue;
    const found = await requestJson(`/api/puzzles/find?position=${encodeURIComponent(position)}`);
    if (!found.puzzle) {
      removeMistake(position);
      continue;
    }
    const mistakes = loadMistakes().map((each) =>
      each.position === position ? { ...each, puzzle: found.puzzle } : each,
    );
    saveSetting(SETTING, mistakes);
    onFound(found.puzzle);
  }
}
