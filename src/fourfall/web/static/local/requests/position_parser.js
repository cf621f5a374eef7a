// Parses the positions of requests.

import { Position } from "../../model/position.js";

/** @import { Services } from "../types.d.ts" */

/**
 * Parse a position. Only a text that is not a correct position needs the engine, which says what is wrong: RequestError
 * `bad_position`.
 * @param {string} text
 * @param {Services} services
 */
export async function parsePosition(text, services) {
  const position = Position.parse(text);
  if (position?.notation === text) return position;
  const engine = await services.loadEngine();
  return Position.fromServer(engine.describePosition(text).position);
}
