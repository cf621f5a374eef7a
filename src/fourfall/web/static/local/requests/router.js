// Answers the HTTP requests of the page inside its worker, with the responses of the server (docs/page.md).

import { RequestError, toRequestError } from "../request_error.js";
import { FileResponse } from "./file_response.js";
import { gameRoutes } from "./games.js";
import { positionRoutes } from "./positions.js";
import { puzzleRoutes } from "./puzzles.js";

/** @import { LocalRequest, LocalResponse, Services } from "../types.d.ts" */

/**
 * What a handler receives: the groups of the path, the query and the body.
 * @typedef {{groups: string[], query: URLSearchParams, body: unknown, services: Services}} Call
 */
/**
 * A handler returns a value that is sent as JSON, undefined for an empty response, or a file.
 * @typedef {{method: string, path: RegExp, handle: (call: Call) => unknown}} Route
 */

const JSON_TYPE = "application/json";
const MAX_BODY_BYTES = 16 << 10;

/** @type {Route[]} */
const ROUTES = [
  { method: "GET", path: /^\/api\/engines$/, handle: ({ services }) => services.serverInfo },
  ...gameRoutes,
  ...positionRoutes,
  ...puzzleRoutes,
  { method: "GET", path: /^\/api\/events(?:\/.*)?$/, handle: refuseWithoutProgram },
  { method: "POST", path: /^\/api\/matches$/, handle: refuseWithoutProgram },
  { method: "DELETE", path: /^\/api\/matches\/.*$/, handle: refuseWithoutProgram },
];

/**
 * Answer a request; an error is a response, too.
 * @param {LocalRequest} request
 * @param {Services} services
 * @returns {Promise<LocalResponse>}
 */
export async function handleRequest({ method, path, body }, services) {
  try {
    const url = new URL(path, "http://localhost");
    const route = ROUTES.find((each) => each.method === method && each.path.test(url.pathname));
    if (!route) throw new RequestError("not_found", { path: url.pathname });
    if (new TextEncoder().encode(JSON.stringify(body ?? null)).length > MAX_BODY_BYTES) {
      throw new RequestError("too_large", { limit: MAX_BODY_BYTES });
    }
    const groups = (route.path.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent);
    return createResponse(await route.handle({ groups, query: url.searchParams, body, services }));
  } catch (error) {
    const refused = toRequestError(error);
    return { status: refused.status, body: JSON.stringify(refused.toInfo()), type: JSON_TYPE };
  }
}

/**
 * @param {unknown} result
 * @returns {LocalResponse}
 */
function createResponse(result) {
  if (result === undefined) return { status: 204, body: null, type: JSON_TYPE };
  if (result instanceof FileResponse) return { status: 200, body: result.content, type: result.type };
  return { status: 200, body: JSON.stringify(result), type: JSON_TYPE };
}

/** Events and matches play games between programs. */
function refuseWithoutProgram() {
  throw new RequestError("needs_program");
}
