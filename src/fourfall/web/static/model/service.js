// What the page talks to: the server, or the worker of a page without a server. The entry point of the page chooses it.

/**
 * `openSocket` opens the channel of the messages, and `fetch` sends a request for data; docs/page.md has both.
 * @typedef {object} Service
 * @property {() => WebSocket} openSocket
 * @property {(path: string, options: RequestInit) => Promise<Response>} fetch
 */

/** @type {Service} */
let service = {
  openSocket: () => new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`),
  fetch: (path, options) => fetch(path, options),
};

/** The service of the page. */
export function getService() {
  return service;
}

/** @param {Service} chosen */
export function useService(chosen) {
  service = chosen;
}
