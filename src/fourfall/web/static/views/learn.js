// The view Learn: loads its pages when they are opened. `#learn` is the start page, `#lesson=2` a lesson,
// `#puzzles` and `#puzzle=ID` the puzzles.

import { el, replaceContent } from "../ui/dom.js";
import { showError } from "../ui/notifications.js";
import { t } from "../words/language.js";

/** @import { App } from "../app.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

/**
 * A page of the view. `enter` gets what follows `=` in the address, or null.
 * @typedef {object} LearnPage
 * @property {HTMLElement} main
 * @property {HTMLElement} sidebar
 * @property {(argument: string | null) => void} enter
 * @property {() => void} leave
 * @property {() => void} render
 * @property {() => Shortcuts} getShortcuts
 */

/** Functions that load and create the pages, by their name in the address. @type {Record<string, (app: App) => Promise<LearnPage>>} */
const PAGES = {
  learn: async (app) => (await import("./learn_start.js")).createStartPage(app),
  lesson: async (app) => (await import("./lessons.js")).createLessonPage(app),
  puzzle: async (app) => (await import("./puzzles.js")).createPuzzlesPage(app),
  puzzles: async (app) => (await import("./puzzles.js")).createPuzzlesPage(app),
};

export class LearnView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Record<string, LearnPage>} */
    this.pages = {};
    /** @type {LearnPage | null} */
    this.page = null;
    this.isActive = false;
    this.loading = el("p", { class: "muted" });
    this.empty = el("div");
  }

  /** @param {string | null} [argument] name of the page and its argument, for example `lesson=2` */
  async enter(argument = null) {
    this.isActive = true;
    const [name, pageArgument = null] = (argument ?? "learn").split("=");
    const { navigationCounter } = this.app;
    if (!this.pages[name]) {
      replaceContent(this.loading, t("page.loading"));
      this.app.mount("learn", this.loading, this.empty);
      try {
        this.pages[name] = await PAGES[name](this.app);
      } catch {
        showError({ code: "offline", message: "" });
        return;
      }
    }
    if (!this.isActive || navigationCounter !== this.app.navigationCounter) return;
    this.page = this.pages[name];
    this.page.enter(pageArgument);
    this.render();
  }

  leave() {
    this.isActive = false;
    this.page?.leave();
    this.page = null;
  }

  render() {
    const { page } = this;
    if (!page || !this.isActive) return;
    page.render();
    this.app.mount("learn", page.main, page.sidebar);
  }

  /** Requests of the pages wait for the connection. */
  handleReconnect() {}

  /** @returns {Shortcuts} */
  getShortcuts() {
    return this.page?.getShortcuts() ?? { keys: {} };
  }
}
