// Names of the levels and a sentence about each: what it sees and what beats it. Ten names are spread over all levels.

import { t } from "./language.js";

const LEVELS_PER_NAME = 10;
export const LEVEL_STEP = 2;
export const MAX_LEVEL = 100;

/** @param {number} level 2, 4, ..., 100 */
function findName(level) {
  return Math.ceil(level / LEVELS_PER_NAME);
}

/** @param {number} level */
export function getLevelName(level) {
  return t(`level.${findName(level)}`);
}

/** @param {number} level */
export function describeLevel(level) {
  return t(`level.about.${findName(level)}`);
}

/**
 * The nearest number that a level has.
 * @param {number} number
 */
export function roundLevel(number) {
  return Math.min(Math.max(LEVEL_STEP * Math.round(number / LEVEL_STEP), LEVEL_STEP), MAX_LEVEL);
}
