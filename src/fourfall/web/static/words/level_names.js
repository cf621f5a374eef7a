// Names of the levels and a sentence about each: what it sees and what beats it. Ten names are spread over all levels of
// the server, so that their number can change.

import { t } from "./language.js";

const NAMES = 10;

/**
 * @param {number} level from 1
 * @param {number} count of the levels
 */
function findName(level, count) {
  return Math.min(Math.max(Math.ceil((level * NAMES) / count), 1), NAMES);
}

/**
 * @param {number} level
 * @param {number} count
 */
export function getLevelName(level, count) {
  return t(`level.${findName(level, count)}`);
}

/**
 * @param {number} level
 * @param {number} count
 */
export function describeLevel(level, count) {
  return t(`level.about.${findName(level, count)}`);
}
