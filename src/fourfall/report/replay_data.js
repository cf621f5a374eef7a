// Games and words of the replayable board, read from the elements that replay.py writes. Inlined by replay.py.

/**
 * @typedef {object} TurningPoint
 * @property {number} ply
 * @property {string} played
 * @property {string} better
 * @property {string} line
 */
/**
 * @typedef {object} Game
 * @property {number} id
 * @property {[string, string]} names
 * @property {string} board
 * @property {string} moves
 * @property {number[]} times
 * @property {(number | null)[]} scores
 * @property {number | null} winner
 * @property {boolean} failed
 * @property {string} result
 * @property {string[]} text
 * @property {TurningPoint | null} point
 */

/** @param {string} id */
const readData = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
/** @type {Game[] | null} */
export const games = readData("replay-games");
/** @type {Record<string, string>} */
const words = readData("replay-words");

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return words[`replay.${key}`].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
