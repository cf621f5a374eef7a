// Owns the websocket: sends, hands out what arrives by type, and comes back by itself after a break.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 5000;

export class Connection {
  /** `onState(state)` hears "open" and "lost". */
  constructor(onState) {
    this.onState = onState;
    this.listeners = new Map();
    this.waiting = [];
    this.wait = FIRST_WAIT_MS;
    this.counter = 0;
    this.replies = new Map();
    this.connect();
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retryNow());
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => this.opened());
    this.socket.addEventListener("close", () => this.lost());
    this.socket.addEventListener("message", (event) => this.arrived(JSON.parse(event.data)));
  }

  opened() {
    this.wait = FIRST_WAIT_MS;
    this.onState("open");
    for (const { text } of this.waiting.splice(0)) this.socket.send(text);
  }

  lost() {
    this.onState("lost");
    const unsent = new Set(this.waiting.map(({ ref }) => ref));
    for (const ref of this.replies.keys()) if (!unsent.has(ref)) this.replies.delete(ref);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT_MS);
  }

  retryNow() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  arrived(message) {
    if (message.ref !== undefined && message.ref !== null) {
      const reply = this.replies.get(message.ref);
      if (reply && reply(message) !== false) this.replies.delete(message.ref);
      if (reply && message.type === "error") return;
    }
    for (const listener of this.listeners.get(message.type) ?? []) listener(message);
  }

  on(type, listener) {
    if (!this.listeners.has(type)) this.listeners.set(type, new Set());
    this.listeners.get(type).add(listener);
  }

  /** Send a message and return its ref; only a `patient` one waits for a connection. `reply` hears its answers. */
  send(message, { patient = false, reply = null } = {}) {
    if (!this.isOpen && !patient) return null;
    this.counter += 1;
    const ref = String(this.counter);
    if (reply) this.replies.set(ref, reply);
    const text = JSON.stringify({ ...message, ref });
    if (this.isOpen) this.socket.send(text);
    else this.waiting.push({ ref, text });
    return ref;
  }
}
