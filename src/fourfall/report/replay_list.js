// The list of games of the replayable board, with a filter. Inlined by replay.py.

import { el } from "./replay_board.js";
import { t } from "./replay_data.js";

/** @import { Game } from "./replay_data.js" */

/**
 * The title of a game: its number and its players.
 * @param {Game} game
 */
export function describeGame({ id, names }) {
  return t("title", { game: id, first: names[0], second: names[1] });
}

export class GameList {
  /**
   * @param {Game[]} allGames
   * @param {(game: Game) => void} onOpen called with the game to show
   */
  constructor(allGames, onOpen) {
    this.allGames = allGames;
    this.shownGames = allGames;
    this.current = allGames[0];
    this.onOpen = onOpen;
    this.list = el("ul", { class: "replay-list", "aria-label": t("games") });
    this.filter = /** @type {HTMLSelectElement} */ (el("select"));
    this.element = el("div", { class: "replay-chooser" }, el("label", {}, t("filter"), " ", this.filter), this.list);
    this.filter.addEventListener("change", () => {
      this.fill();
      if (this.shownGames.length && !this.shownGames.includes(this.current)) onOpen(this.shownGames[0]);
    });
    this.fillFilter();
    this.fill();
  }

  fillFilter() {
    const losers = new Set(this.allGames.flatMap(({ names, winner }) => (winner === null ? [] : [names[1 - winner]])));
    const add = (/** @type {string} */ value, /** @type {string} */ label) =>
      this.filter.append(el("option", { value }, label));
    add("all", t("filter.all"));
    for (const name of [...losers].sort()) add(`lost ${name}`, t("filter.lost", { name }));
    if (this.allGames.some(({ winner }) => winner === null)) add("draws", t("filter.draws"));
    if (this.allGames.some(({ failed }) => failed)) add("failures", t("filter.failures"));
  }

  fill() {
    const { value } = this.filter;
    this.shownGames = this.allGames.filter(({ names, winner, failed }) => {
      if (value === "draws") return winner === null;
      if (value === "failures") return failed;
      return value === "all" || (winner !== null && value === `lost ${names[1 - winner]}`);
    });
    this.list.replaceChildren(...this.shownGames.map((game) => this.createItem(game)));
    this.mark(this.current);
  }

  /** @param {Game} game */
  createItem(game) {
    const mark = game.point ? el("span", { class: "replay-mark" }, t("point")) : "";
    const button = el(
      "button",
      { type: "button", "data-game": game.id },
      el("bdi", {}, describeGame(game)),
      el("span", { class: "replay-result" }, el("bdi", {}, game.result), " ", mark),
    );
    button.addEventListener("click", () => this.onOpen(game));
    return el("li", {}, button);
  }

  /**
   * Mark the game that is shown on the board.
   * @param {Game} game
   */
  mark(game) {
    this.current = game;
    for (const button of this.list.querySelectorAll("button")) {
      const isCurrent = button.dataset.game === String(game.id);
      if (isCurrent) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      if (isCurrent) this.scrollTo(button);
    }
  }

  /**
   * Scroll the list, but not the page.
   * @param {HTMLElement} button
   */
  scrollTo(button) {
    const [top, bottom] = [
      button.offsetTop - this.list.offsetTop,
      button.offsetTop - this.list.offsetTop + button.offsetHeight,
    ];
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (bottom > this.list.scrollTop + this.list.clientHeight)
      this.list.scrollTop = bottom - this.list.clientHeight;
  }

  /**
   * Open a game, which the filter may hide.
   * @param {Game} game
   */
  open(game) {
    if (!this.shownGames.includes(game)) {
      this.filter.value = "all";
      this.fill();
    }
    this.onOpen(game);
  }

  /** @param {number} step */
  openNeighbour(step) {
    const game = this.shownGames[this.shownGames.indexOf(this.current) + step];
    if (!game) return;
    const hadFocus = this.list.contains(document.activeElement);
    this.onOpen(game);
    if (hadFocus)
      /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"))?.focus({ preventScroll: true });
  }
}
