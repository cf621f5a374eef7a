// HTTP requests to the server's API.

import { getService } from "./service.js";

/** A request that failed: `code` and `params` as in docs/page.md, or the code `offline`. */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, string | number>} [params]
   */
  constructor(code, message, params = {}) {
    super(message);
    this.code = code;
    this.params = params;
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: object | null}} options
 */
async function send(path, { method = "GET", body = null }) {
  const headers = body ? { "Content-Type": "application/json" } : undefined;
  let response;
  try {
    response = await getService().fetch(path, { method, headers, body: body ? JSON.stringify(body) : null });
  } catch {
    throw new ApiError("offline", "The server does not respond.");
  }
  if (response.ok) return response;
  const error = await response.json().catch(() => ({}));
  throw new ApiError(error.code ?? "failed", error.message ?? response.statusText, error.params);
}

/**
 * Send a request and return the JSON of the response; null if the response has no body.
 * @param {string} path
 * @param {{method?: string, body?: object | null}} [options]
 * @returns {Promise<any>}
 */
export async function requestJson(path, options = {}) {
  const response = await send(path, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function requestText(path) {
  return (await send(path, {})).text();
}

/**
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export async function requestBlob(path) {
  return (await send(path, {})).blob();
}
