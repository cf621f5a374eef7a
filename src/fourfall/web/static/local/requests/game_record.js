// Reads game records of the arena, which the command line and downloads write as JSON.

import { RequestError } from "../request_error.js";
import { findSimilarWords } from "./similar_words.js";
import { formatValue } from "./value_text.js";

/** @import { Position } from "../../model/position.js" */

/** An invalid game record; the message names the key. */
export class RecordError extends Error {}

/**
 * A kind of values: `name` says what is allowed, `isValid` checks one value; `count` and `item` describe lists.
 * @typedef {{name: string, isValid: (value: any) => boolean, count?: number, item?: Kind}} Kind
 */

/** @type {Kind} */
const INTEGER = { name: "a whole number", isValid: Number.isInteger };
/** @type {Kind} */
const INTEGER_OR_NULL = { name: "a whole number", isValid: (value) => value === null || Number.isInteger(value) };
/** @type {Kind} */
const NUMBER = { name: "a number", isValid: Number.isFinite };
/** @type {Kind} */
const NUMBER_OR_NULL = { name: "a number", isValid: (value) => value === null || Number.isFinite(value) };
/** @type {Kind} */
const TEXT = { name: "text", isValid: (value) => typeof value === "string" };
/** @type {Kind} */
const BOOLEAN = { name: "true or false", isValid: (value) => typeof value === "boolean" };
const ENDINGS = [
  "win",
  "tie",
  "resignation",
  "time",
  "illegal move",
  "timeout",
  "crash",
  "broken protocol",
  "cannot load",
  "interface missing",
  "memory exceeded",
];
/** @type {Kind} */
const ENDING = {
  name: `one of ${ENDINGS.map((ending) => `"${ending}"`).join(", ")}`,
  isValid: (value) => ENDINGS.includes(value),
};

/** @type {Record<string, Kind>} */
const REQUIRED = {
  number: INTEGER,
  pair: INTEGER,
  group: TEXT,
  names: pairOf(TEXT),
  addresses: pairOf(TEXT),
  move_time_s: pairOf(NUMBER),
  board: TEXT,
  moves: TEXT,
  times_ms: listOf(NUMBER),
  scores: listOf(NUMBER_OR_NULL),
  startup_ms: pairOf(NUMBER),
  ending: ENDING,
  winner: INTEGER_OR_NULL,
  culprit: INTEGER_OR_NULL,
  detail: TEXT,
  stderr: TEXT,
  reproducer: TEXT,
  seed: INTEGER,
  sandboxed: BOOLEAN,
  version: TEXT,
  started: TEXT,
};
/** @type {Record<string, Kind>} */
const OPTIONAL = { ponder: BOOLEAN, repeats: INTEGER, delays_ms: pairOf(NUMBER), worker: TEXT, timing: TEXT };
const LIST_KEYS = ["id", "event"]; // "fourfall games --json" adds these to a record

/**
 * Read the start, the last position and the names of a record. Throws RecordError.
 * @param {Record<string, any>} data
 * @param {(notation: string) => Promise<Position>} parse
 * @returns {Promise<{start: Position, position: Position, names: [string, string]}>}
 */
export async function parseRecord(data, parse) {
  const kinds = { ...REQUIRED, ...OPTIONAL };
  const unknown = Object.keys(data).find((key) => !(key in kinds) && !LIST_KEYS.includes(key));
  if (unknown !== undefined) {
    const similar = findSimilarWords(unknown, Object.keys(kinds), 2);
    const hint = similar.length ? `; similar: ${similar.join(", ")}` : "";
    throw new RecordError(`unknown key ${unknown}${hint}; allowed: ${Object.keys(kinds).join(", ")}`);
  }
  for (const [key, kind] of Object.entries(kinds)) {
    if (key in data) checkValue(key, data[key], kind);
    else if (key in REQUIRED) throw new RecordError(`${key} is missing`);
  }
  for (const key of ["winner", "culprit"]) {
    if (![0, 1, null].includes(data[key])) throw new RecordError(`${key} must be 0, 1 or null, not ${data[key]}`);
  }
  try {
    const start = await parse(data.board);
    const colon = start.moves.length || !data.moves ? "" : ":";
    return { start, position: await parse(`${data.board}${colon}${data.moves}`), names: data.names };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RecordError(`board and moves: ${error.params.problem}`);
  }
}

/**
 * @param {string} path
 * @param {unknown} value
 * @param {Kind} kind
 */
function checkValue(path, value, kind) {
  const { name, isValid, count, item } = kind;
  if (!isValid(value)) throw new RecordError(`${path} must be ${name}, not ${formatValue(value)}`);
  if (!item || !Array.isArray(value)) return;
  if (count !== undefined && value.length > count) {
    throw new RecordError(`${path} must be ${name}, not ${formatValue(value)}`);
  }
  for (const [index, each] of value.entries()) checkValue(`${path}[${index + 1}]`, each, item);
  if (count !== undefined && value.length < count) throw new RecordError(`${path}[${value.length + 1}] is missing`);
}

/**
 * @param {Kind} item
 * @returns {Kind}
 */
function pairOf(item) {
  return { name: `a list of 2 values, each ${item.name}`, isValid: Array.isArray, count: 2, item };
}

/**
 * @param {Kind} item
 * @returns {Kind}
 */
function listOf(item) {
  return { name: `a list, each item ${item.name}`, isValid: Array.isArray, item };
}
