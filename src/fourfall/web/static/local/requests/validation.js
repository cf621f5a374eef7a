// Checks the values of requests. The problems are described as by the server.

import { RequestError } from "../request_error.js";
import { formatValue } from "./value_text.js";

/** @param {string} problem */
export function refuse(problem) {
  return new RequestError("bad_request", { problem });
}

/**
 * A whole number of the query; null if it is not there.
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {{min: number, max: number}} range
 */
export function readInteger(query, name, { min, max }) {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return null;
  const parts = /^\s*([+-]?\d+)(?:\.0*)?\s*$/.exec(text);
  if (!parts)
    throw refuse(`${name} must be a valid integer, unable to parse string as an integer, not ${formatValue(text)}`);
  const value = Number(parts[1]);
  if (value < min) throw refuse(`${name} must be greater than or equal to ${min}, not ${formatValue(text)}`);
  if (value > max) throw refuse(`${name} must be less than or equal to ${max}, not ${formatValue(text)}`);
  return value;
}

/**
 * A text of the query; null if it is not there.
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {number} maxLength
 */
export function readText(query, name, maxLength) {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return null;
  return checkLength(name, text, maxLength);
}

/**
 * One of several words of the query; null if it is not there.
 * @template {string} T
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {readonly T[]} words
 * @returns {T | null}
 */
export function readChoice(query, name, words) {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return null;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const quoted = words.map((word) => `'${word}'`);
  throw refuse(`${name} must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}, not ${formatValue(text)}`);
}

/**
 * A value that must be there.
 * @template T
 * @param {string} name
 * @param {T | null} value
 * @returns {T}
 */
export function require(name, value) {
  if (value === null) throw refuse(`${name} is missing`);
  return value;
}

/**
 * A part of the path.
 * @param {string} name
 * @param {string} text
 * @param {RegExp} pattern
 */
export function checkPattern(name, text, pattern) {
  if (pattern.test(text)) return text;
  throw refuse(`${name} must match the pattern ${pattern.source}, not ${formatValue(text)}`);
}

/**
 * The body of a request: an object with these keys only.
 * @param {unknown} body
 * @param {string[]} keys
 * @returns {Record<string, unknown>}
 */
export function checkObject(body, keys) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    const expected = "a valid dictionary or object to extract fields from";
    throw refuse(`the input must be ${expected}, not ${formatValue(body)}`);
  }
  const unknown = Object.keys(body).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw refuse(`unknown key ${unknown}`);
  return /** @type {Record<string, unknown>} */ (body);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} maxLength
 */
export function checkText(name, value, maxLength) {
  if (value === undefined) throw refuse(`${name} is missing`);
  if (typeof value !== "string") throw refuse(`${name} must be a valid string, not ${formatValue(value)}`);
  return checkLength(name, value, maxLength);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {{min: number, max: number}} range
 */
export function checkInteger(name, value, { min, max }) {
  if (value === undefined) throw refuse(`${name} is missing`);
  if (!Number.isInteger(value)) throw refuse(`${name} must be a valid integer, not ${formatValue(value)}`);
  const number = Number(value);
  if (number < min) throw refuse(`${name} must be greater than or equal to ${min}, not ${number}`);
  if (number > max) throw refuse(`${name} must be less than or equal to ${max}, not ${number}`);
  return number;
}

/**
 * @template T
 * @param {string} name
 * @param {unknown} value
 * @param {number} maxLength
 * @param {(name: string, item: unknown) => T} checkItem
 * @returns {T[]}
 */
export function checkList(name, value, maxLength, checkItem) {
  if (value === undefined) throw refuse(`${name} is missing`);
  if (!Array.isArray(value)) throw refuse(`${name} must be a valid list, not ${formatValue(value)}`);
  if (value.length > maxLength) {
    throw refuse(`${name}: List should have at most ${maxLength} items after validation, not ${value.length}`);
  }
  return value.map((item, index) => checkItem(`${name}[${index + 1}]`, item));
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} maxLength
 */
function checkLength(name, text, maxLength) {
  if ([...text].length > maxLength) throw refuse(`${name}: String should have at most ${maxLength} characters`);
  return text;
}
