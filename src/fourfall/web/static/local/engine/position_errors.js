// Converts exceptions of the C++ code about positions to the errors that the server reports (web/positions.py).

import { RequestError } from "../request_error.js";
import { CoreError } from "./core_module.js";

const BAD_POSITION = new Set(["NotationError", "InvalidBoard", "IllegalMove"]);

/**
 * @param {unknown} error
 * @returns {unknown} a RequestError, or the same error if it says nothing about a position
 */
export function toPositionError(error) {
  if (!(error instanceof CoreError)) return error;
  if (BAD_POSITION.has(error.type)) return new RequestError("bad_position", { problem: error.message });
  return error.message.startsWith("the game is over") ? new RequestError("game_over") : error;
}
