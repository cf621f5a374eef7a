// The side for which the page shows values: the first player, the second player, or the side to move. The choice is
// stored in the browser. Bar, headline, column values, graph and comments all use it.

import { convertScore } from "./scores.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { Player, ScoreInfo } from "./messages.d.ts" */

/** @typedef {"first" | "second" | "mover"} Perspective */

/** All perspectives, the default first. @type {Perspective[]} */
export const PERSPECTIVES = ["first", "second", "mover"];

/** @type {Set<() => void>} */
const listeners = new Set();

let current = loadPerspective();

/** @returns {Perspective} */
function loadPerspective() {
  const stored = loadSetting("perspective", PERSPECTIVES[0]);
  return PERSPECTIVES.includes(stored) ? stored : PERSPECTIVES[0];
}

/** @returns {Perspective} */
export function getPerspective() {
  return current;
}

/** @param {Perspective} perspective */
export function setPerspective(perspective) {
  if (perspective === current) return;
  current = perspective;
  saveSetting("perspective", perspective);
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called after another perspective was chosen */
export function onPerspectiveChange(listener) {
  listeners.add(listener);
}

/**
 * The player whose values are shown while a position with `turn` to move is selected.
 * @param {Player} turn
 * @returns {Player}
 */
export function getShownSide(turn) {
  if (current === "mover") return turn;
  return current === "first" ? 0 : 1;
}

/**
 * Convert a score of the side to move to the side whose values are shown.
 * @param {ScoreInfo} score
 * @param {Player} turn the side to move
 * @returns {ScoreInfo}
 */
export function toShownSide(score, turn) {
  return convertScore(score, turn, getShownSide(turn));
}
