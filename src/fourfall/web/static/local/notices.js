// Lines of the page without a server: problems and a new version below the header, the download at the bottom.

import { el, getById, replaceContent } from "../ui/dom.js";
import { onLanguageChange, t } from "../words/language.js";

/** @typedef {{word: string, action?: {word: string, run: () => void}}} Notice */

/** A download that is faster than this is not shown. */
const PROGRESS_DELAY_MS = 300;

export class Notices {
  constructor() {
    /** @type {Map<string, Notice>} */
    this.notices = new Map();
    this.element = el("div", { class: "notices", role: "status" });
    this.label = el("span", {});
    this.bar = el("progress", { max: 1, value: 0 });
    // Screen readers would read every percentage.
    this.progress = el("p", { class: "notice progress", "aria-live": "off" }, this.label, this.bar);
    this.timer = 0;
    getById("main").before(this.element);
    onLanguageChange(() => this.render());
  }

  /**
   * @param {string} key a later notice with the same key replaces this one
   * @param {string} word
   * @param {Notice["action"]} [action]
   */
  show(key, word, action) {
    this.notices.set(key, { word, action });
    this.render();
  }

  /** @param {string} key */
  hide(key) {
    this.notices.delete(key);
    this.render();
  }

  /**
   * @param {number} loaded
   * @param {number} total
   */
  showProgress(loaded, total) {
    const share = total ? Math.min(loaded / total, 1) : 0;
    this.label.textContent = t("local.loading", Math.round(100 * share));
    this.bar.value = share;
    this.timer ||= setTimeout(() => this.element.append(this.progress), PROGRESS_DELAY_MS);
  }

  hideProgress() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.progress.remove();
  }

  render() {
    const lines = Array.from(this.notices, ([key, notice]) => this.createLine(key, notice));
    replaceContent(this.element, lines, this.progress.isConnected ? this.progress : null);
  }

  /**
   * @param {string} key
   * @param {Notice} notice
   */
  createLine(key, { word, action }) {
    const close = () => this.hide(key);
    return el(
      "p",
      { class: "notice", dataset: { notice: key } },
      el("span", {}, t(word)),
      action ? el("button", { type: "button", class: "compact", on: { click: action.run } }, t(action.word)) : null,
      el("button", { type: "button", class: "compact", "aria-label": t("local.close"), on: { click: close } }, "×"),
    );
  }
}
