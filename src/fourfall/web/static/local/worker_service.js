// The page's side of the worker: a service with the interface of the server, for pages without a server.

/** @import { WorkerStatus } from "./types.d.ts" */

const EMPTY_STATUS = 204;

/** The worker as a service of the page (model/service.js). */
export class WorkerService {
  /** @param {(status: WorkerStatus) => void} onStatus progress of the download and problems of the worker */
  constructor(onStatus) {
    this.onStatus = onStatus;
    /** Functions that end the waiting requests; null ends one without a response. @type {Map<number, (response: Response | null) => void>} */
    this.requests = new Map();
    this.isFailed = false;
    this.requestCounter = 0;
    this.socket = new WorkerSocket((text) => this.worker.postMessage({ kind: "message", text }));
    let knowsModules = false;
    const options = {
      /** @returns {WorkerType} */
      get type() {
        knowsModules = true; // only browsers with module workers read it
        return "module";
      },
    };
    this.worker = new Worker(new URL("./worker.js", import.meta.url), options);
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.socket.isOpen) console.error(event.message);
      else this.fail(knowsModules ? "download" : "worker");
    });
  }

  /**
   * The worker does not start: nothing will be answered.
   * @param {"download" | "worker"} reason
   */
  fail(reason) {
    this.isFailed = true;
    for (const end of this.requests.values()) end(null);
    this.requests.clear();
    this.onStatus({ kind: "failed", reason });
  }

  /** @param {any} data */
  receive(data) {
    if (data.kind === "message") this.socket.receive(data.text);
    else if (data.kind === "response") this.resolve(data.id, data.response);
    else this.onStatus(data);
  }

  /**
   * @param {number} id
   * @param {{status: number, body: string | Uint8Array<ArrayBuffer> | null, type: string}} response
   */
  resolve(id, { status, body, type }) {
    const content = status === EMPTY_STATUS ? null : body;
    this.requests.get(id)?.(new Response(content, { status, headers: { "Content-Type": type } }));
    this.requests.delete(id);
  }

  /** @returns {WebSocket} */
  openSocket() {
    return /** @type {any} */ (this.socket);
  }

  /**
   * @param {string} path
   * @param {RequestInit} options
   * @returns {Promise<Response>}
   */
  fetch(path, { method = "GET", body = null }) {
    if (this.isFailed) return Promise.reject(new Error("the worker did not start"));
    this.requestCounter += 1;
    const id = this.requestCounter;
    const request = { method, path, body: typeof body === "string" ? JSON.parse(body) : null };
    this.worker.postMessage({ kind: "request", id, request });
    return new Promise((resolve, reject) => {
      this.requests.set(id, (response) =>
        response ? resolve(response) : reject(new Error("the worker did not start")),
      );
    });
  }
}

/** The part of WebSocket's interface that model/connection.js uses; opens with the first message of the worker. */
class WorkerSocket extends EventTarget {
  /** @param {(text: string) => void} post */
  constructor(post) {
    super();
    this.send = post;
    this.isOpen = false;
  }

  get readyState() {
    return this.isOpen ? WebSocket.OPEN : WebSocket.CONNECTING;
  }

  /** @param {string} text */
  receive(text) {
    if (!this.isOpen) {
      this.isOpen = true;
      this.dispatchEvent(new Event("open"));
    }
    this.dispatchEvent(new MessageEvent("message", { data: text }));
  }
}
