// The clocks of both players: shows the time that the server sent and counts down until the next message.

import { t } from "../words/language.js";
import { el } from "./dom.js";
import { announce } from "./notifications.js";

/** @import { GameReply, Player } from "../model/messages.d.ts" */

const TICK_MS = 100;
const LOW_MS = 10_000;
const ANNOUNCED_S = [60, 30, 10];

export class ClockDisplay {
  constructor() {
    /** One element for each player. @type {[HTMLElement, HTMLElement]} */
    this.elements = [createElement(), createElement()];
    /** @type {[number, number]} */
    this.left_ms = [0, 0];
    /** The player whose clock runs. @type {Player | null} */
    this.runningPlayer = null;
    this.receivedAt = 0;
    this.timer = 0;
  }

  /** @param {GameReply | null} game a new message of the server */
  show(game) {
    clearInterval(this.timer);
    this.runningPlayer = null;
    if (!game?.clock) return;
    this.left_ms = game.clock.left_ms;
    this.receivedAt = performance.now();
    if (game.status === "playing") {
      this.runningPlayer = game.turn;
      this.timer = setInterval(() => this.tick(), TICK_MS);
    }
    this.draw();
  }

  /**
   * The time that a player has left now.
   * @param {Player} player
   */
  getLeft(player) {
    const elapsed = player === this.runningPlayer ? performance.now() - this.receivedAt : 0;
    return Math.max(this.left_ms[player] - elapsed, 0);
  }

  tick() {
    const player = this.runningPlayer;
    if (player === null) return;
    const left = this.getLeft(player);
    const seconds = ANNOUNCED_S.find((limit) => left <= 1000 * limit && left > 1000 * limit - TICK_MS);
    if (seconds !== undefined) announce(t("clock.left", t(player === 0 ? "side.blue" : "side.orange"), seconds));
    this.draw();
  }

  draw() {
    /** @type {Player[]} */
    const players = [0, 1];
    for (const player of players) {
      const element = this.elements[player];
      const left = this.getLeft(player);
      const text = formatClock(left, true);
      if (element.textContent !== text) element.textContent = text;
      element.setAttribute("aria-label", t("clock.label", text));
      element.classList.toggle("running", player === this.runningPlayer);
      element.classList.toggle("low", left < LOW_MS);
    }
  }
}

function createElement() {
  return el("span", { class: "clock", role: "timer", "aria-live": "off" });
}

/**
 * "4:05", "1:00:00"; below ten seconds with tenths, "0:09.3", if `hasTenths`.
 * @param {number} ms
 * @param {boolean} [hasTenths]
 */
export function formatClock(ms, hasTenths = false) {
  if (hasTenths && ms < LOW_MS) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = hasTenths ? Math.ceil(ms / 1000) : Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
