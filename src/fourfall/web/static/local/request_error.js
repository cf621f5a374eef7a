// The error of a message or request that the page's worker refuses, with the codes of the server (docs/page.md).

import { errors } from "../words/errors_en.js";

/** @import { ErrorInfo } from "../model/messages.d.ts" */

const PLACEHOLDER = /\{(\w+)\}/g;
const MAX_PARAMETER_LENGTH = 300;
const DEFAULT_STATUS = 400;

/** HTTP status by code; every other code has 400. @type {Record<string, number>} */
const STATUS = {
  bad_request: 422,
  busy: 503,
  database_failed: 500,
  failed: 500,
  impossible_board: 422,
  impossible_stones: 422,
  invalid_json: 422,
  invalid_record: 422,
  needs_program: 501,
  no_position_in_json: 422,
  no_text: 422,
  no_webassembly: 501,
  not_found: 404,
  several_holes: 422,
  too_large: 413,
  unequal_lines: 422,
  unexpected_character: 422,
  unknown_event: 404,
  unknown_game: 404,
  unknown_puzzle: 404,
  unknown_text: 422,
};

/** A request that cannot be carried out: `new RequestError("unknown_game", { game: "p1" })`. */
export class RequestError extends Error {
  /**
   * @param {string} code
   * @param {Record<string, string | number>} [params] those that the sentence of the code names
   */
  constructor(code, params = {}) {
    const shortened = Object.entries(params).map(([name, value]) => [name, shorten(value)]);
    /** @type {Record<string, string | number>} */
    const shown = Object.fromEntries(shortened);
    super((errors[code] ?? code).replace(PLACEHOLDER, (_, name) => String(shown[name])));
    this.name = "RequestError";
    this.code = code;
    this.params = shown;
  }

  /** Status of the HTTP response. */
  get status() {
    return STATUS[this.code] ?? DEFAULT_STATUS;
  }

  /** @returns {ErrorInfo} the body of the HTTP response, and the fields of the message `error` */
  toInfo() {
    return { code: this.code, params: this.params, message: this.message };
  }
}

/**
 * Convert any error: one that is not a RequestError is an internal error.
 * @param {unknown} error
 * @returns {RequestError}
 */
export function toRequestError(error) {
  if (error instanceof RequestError) return error;
  console.error(error);
  return new RequestError("failed");
}

/** @param {string | number} value */
function shorten(value) {
  if (typeof value === "number") return value;
  const line = value.split(/\s+/).filter(Boolean).join(" ");
  return line.length <= MAX_PARAMETER_LENGTH ? line : `${line.slice(0, MAX_PARAMETER_LENGTH - 3)}...`;
}
