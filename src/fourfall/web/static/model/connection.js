// The websocket to the server: sends messages, passes received ones to listeners by type, reconnects by itself.

import { getService } from "./service.js";

/** @import { ClientMessage, MessageOf, MessageType, ServerMessage } from "./messages.d.ts" */

/**
 * Receives the replies to one message. Returning false keeps it registered for further replies.
 * @typedef {(message: ServerMessage) => unknown} ReplyHandler
 */

const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 5000;
const RETRY_GROWTH = 1.6;

export class Connection {
  /** @param {(state: "open" | "lost") => void} onState */
  constructor(onState) {
    this.onState = onState;
    /** @type {Map<MessageType, Set<(message: any) => void>>} */
    this.listeners = new Map();
    /** Messages to send when the connection is open. @type {{ref: string, text: string}[]} */
    this.unsent = [];
    this.retryDelay = FIRST_RETRY_MS;
    this.retryTimer = 0;
    this.refCounter = 0;
    /** @type {Map<string, ReplyHandler>} */
    this.replyHandlers = new Map();
    /** @type {WebSocket} */
    this.socket = this.connect();
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retryNow());
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** @returns {WebSocket} */
  connect() {
    clearTimeout(this.retryTimer);
    this.socket = getService().openSocket();
    this.socket.addEventListener("open", () => this.handleOpen());
    this.socket.addEventListener("close", () => this.handleClose());
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    return this.socket;
  }

  handleOpen() {
    this.retryDelay = FIRST_RETRY_MS;
    this.onState("open");
    for (const { text } of this.unsent.splice(0)) this.socket.send(text);
  }

  handleClose() {
    this.onState("lost");
    const unsent = new Set(this.unsent.map(({ ref }) => ref));
    for (const ref of this.replyHandlers.keys()) if (!unsent.has(ref)) this.replyHandlers.delete(ref);
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.connect(), this.retryDelay);
    this.retryDelay = Math.min(this.retryDelay * RETRY_GROWTH, LONGEST_RETRY_MS);
  }

  retryNow() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.ref !== undefined && message.ref !== null) {
      const handler = this.replyHandlers.get(message.ref);
      if (handler && handler(message) !== false) this.replyHandlers.delete(message.ref);
      if (handler && message.type === "error") return;
    }
    for (const listener of this.listeners.get(message.type) ?? []) listener(message);
  }

  /**
   * Call `listener` for every received message of a type.
   * @template {MessageType} T
   * @param {T} type
   * @param {(message: MessageOf<T>) => void} listener
   */
  on(type, listener) {
    const listeners = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, listeners.add(listener));
  }

  /**
   * Send a message and return its `ref`. While the connection is lost the message is dropped and the result is null;
   * with `waitForConnection` it is sent after reconnecting.
   * @param {ClientMessage} message
   * @param {{waitForConnection?: boolean, onReply?: ReplyHandler | null}} [options]
   * @returns {string | null}
   */
  send(message, { waitForConnection = false, onReply = null } = {}) {
    if (!this.isOpen && !waitForConnection) return null;
    this.refCounter += 1;
    const ref = String(this.refCounter);
    if (onReply) this.replyHandlers.set(ref, onReply);
    const text = JSON.stringify({ ...message, ref });
    if (this.isOpen) this.socket.send(text);
    else this.unsent.push({ ref, text });
    return ref;
  }
}
