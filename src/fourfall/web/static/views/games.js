// The view Games: the list of stored games and the import of pasted text.

import { requestJson } from "../model/api.js";
import { Position } from "../model/position.js";
import { el, replaceContent } from "../ui/dom.js";
import { createButton, createSelectField, createSourceField } from "../ui/form_fields.js";
import { createDeletedItem, createGameItem } from "../ui/game_list_item.js";
import { announce, showError, showNotification } from "../ui/notifications.js";
import { formatError } from "../words/error_text.js";
import { t } from "../words/language.js";

/** @import { App } from "../app.js" */
/** @import { ApiError } from "../model/api.js" */
/** @import { GameList, GameSummary, ImportedGame } from "../model/messages.d.ts" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

const PAGE_SIZE = 30;
const SEARCH_DELAY_MS = 250;
const RESULTS = ["first", "second", "draw", "unfinished"];
const EXAMPLE = "10x11@4,7:6655";

export class GamesView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** "page", "arena" or "" for all games. */
    this.source = "";
    /** One of RESULTS, or "" for all games. */
    this.result = "";
    /** A part of a player's name. */
    this.searchText = "";
    this.searchTimer = 0;
    /** Why the list could not be loaded. @type {ApiError | null} */
    this.loadError = null;
    this.isLoading = false;
    /** Number of the last request; the replies of earlier ones are ignored. */
    this.requestNumber = 0;
    /** Games of the list that were deleted since it was loaded. @type {Set<string>} */
    this.deleted = new Set();
    /** Shows the games of one event only. @type {string | null} */
    this.eventId = null;
    /** @type {GameSummary[]} */
    this.games = [];
    /** Cursor of the next games to load; null after the last. @type {string | null} */
    this.nextCursor = null;
    this.pastedText = "";
    this.list = el("section", { class: "card" });
    this.importError = el("p", { class: "error-text", role: "alert" });
    this.sidebar = el("div", { class: "stack" });
    this.isActive = false;
  }

  /** @param {string | null} [argument] `event:3` shows the games of one event */
  enter(argument = null) {
    this.isActive = true;
    this.eventId = /^event:(\d+)$/.exec(argument ?? "")?.[1] ?? null;
    this.render();
    this.load();
  }

  leave() {
    this.isActive = false;
  }

  handleReconnect() {
    if (this.isActive) this.load();
  }

  render() {
    replaceContent(this.sidebar, this.createImportForm());
    this.renderList();
    this.app.mount("games", this.list, this.sidebar);
  }

  createImportForm() {
    const input = () => {
      this.pastedText = area.value;
    };
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      this.importText();
    };
    const attributes = { rows: 6, class: "code", spellcheck: "false", placeholder: EXAMPLE, value: this.pastedText };
    const area = el("textarea", { ...attributes, dataset: { focusKey: "import", field: "import" }, on: { input } });
    this.importError.textContent = "";
    return el(
      "form",
      { class: "card", on: { submit } },
      el("h2", {}, t("import.title")),
      el("label", { class: "field" }, el("span", { class: "small muted" }, t("import.help")), area),
      this.importError,
      el("button", { type: "submit", class: "primary", dataset: { action: "import" } }, t("button.open")),
    );
  }

  renderList() {
    const title = this.eventId ? t("games.of_event", this.eventId) : t("view.games");
    const { nextCursor } = this;
    replaceContent(
      this.list,
      el(
        "div",
        { class: "row spread" },
        el("h2", {}, title),
        this.eventId ? el("a", { href: "#games" }, t("games.source.all")) : null,
      ),
      this.createFilters(),
      this.games.length
        ? el(
            "ul",
            { class: "games" },
            this.games.map((game) => this.createItem(game)),
          )
        : null,
      this.createListStatus(),
      nextCursor && !this.loadError ? createButton("more", t("button.more"), () => this.load(nextCursor)) : null,
    );
  }

  createFilters() {
    const input = () => {
      this.searchText = search.value;
      clearTimeout(this.searchTimer);
      this.searchTimer = setTimeout(() => this.load(), SEARCH_DELAY_MS);
    };
    const search = el("input", {
      type: "search",
      value: this.searchText,
      maxlength: 100,
      placeholder: t("games.search"),
      "aria-label": t("games.search"),
      dataset: { focusKey: "search", field: "search" },
      on: { input },
    });
    const hasFilter = this.searchText || this.result || this.source;
    return el(
      "div",
      { class: "row game-filters", role: "search" },
      search,
      createSelectField({
        label: t("games.result"),
        value: this.result,
        options: [["", t("games.result.all")], ...this.listResults()],
        field: "result",
        onChange: (result) => {
          this.result = result;
          this.load();
        },
        hideLabel: true,
      }),
      this.eventId ? null : this.createSourceField(),
      hasFilter ? createButton("clear-filters", t("games.clear"), () => this.clearFilters()) : null,
    );
  }

  /** @returns {[string, string][]} */
  listResults() {
    return RESULTS.map((result) => [result, t(`games.result.${result}`)]);
  }

  clearFilters() {
    this.searchText = "";
    this.result = "";
    this.source = "";
    this.load();
    const search = this.list.querySelector("input[type=search]");
    if (search instanceof HTMLInputElement) {
      search.value = "";
      search.focus();
    }
  }

  /** What stands below the list: an error, or why the list is empty. */
  createListStatus() {
    if (this.loadError) {
      return el(
        "div",
        { class: "row", role: "alert" },
        el("span", { class: "error-text" }, formatError(this.loadError)),
        createButton("retry", t("button.retry"), () => this.load()),
      );
    }
    if (this.games.length) return null;
    const hasFilter = this.searchText || this.result || this.source || this.eventId;
    const word = this.isLoading ? "page.loading" : hasFilter ? "games.no_match" : "games.none";
    return el("p", { class: "muted" }, t(word));
  }

  /** @param {GameSummary} game */
  createItem(game) {
    if (this.deleted.has(game.id)) return createDeletedItem(game, () => this.restoreGame(game));
    return createGameItem(game, () => this.deleteGame(game));
  }

  /** @param {GameSummary} game */
  async deleteGame(game) {
    try {
      await requestJson(`/api/games/${game.id}`, { method: "DELETE" });
    } catch (error) {
      showError(/** @type {ApiError} */ (error));
      return;
    }
    this.deleted.add(game.id);
    if (this.app.views.play.game?.game === game.id) this.app.views.play.closeGame();
    this.renderList();
    this.focusButton(`restore-${game.id}`);
    announce(t("games.deleted.announcement"));
  }

  /** @param {GameSummary} game */
  async restoreGame(game) {
    try {
      await requestJson(`/api/games/${game.id}/restore`, { method: "POST" });
    } catch (error) {
      showError(/** @type {ApiError} */ (error));
      return;
    }
    this.deleted.delete(game.id);
    this.renderList();
    this.focusButton(`delete-${game.id}`);
    announce(t("games.restored.announcement"));
  }

  /** @param {string} action */
  focusButton(action) {
    const button = this.list.querySelector(`[data-action="${CSS.escape(action)}"]`);
    if (button instanceof HTMLElement) button.focus();
  }

  createSourceField() {
    return createSourceField({
      value: this.source,
      field: "source",
      onChange: (source) => {
        this.source = source;
        this.load();
      },
    });
  }

  /** @param {string | null} [cursor] loads the games after it; null loads the newest */
  async load(cursor = null) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (cursor) query.set("before", cursor);
    if (this.eventId) query.set("event", this.eventId);
    else if (this.source) query.set("source", this.source);
    if (this.result) query.set("result", this.result);
    if (this.searchText.trim()) query.set("text", this.searchText.trim());
    this.requestNumber += 1;
    const { requestNumber } = this;
    this.isLoading = true;
    try {
      /** @type {GameList} */
      const page = await requestJson(`/api/games?${query}`);
      if (requestNumber !== this.requestNumber) return;
      if (!cursor) this.deleted.clear();
      this.games = cursor ? [...this.games, ...page.games] : page.games;
      this.nextCursor = page.next;
      this.loadError = null;
    } catch (error) {
      if (requestNumber !== this.requestNumber) return;
      this.loadError = /** @type {ApiError} */ (error);
    }
    this.isLoading = false;
    if (this.isActive) this.renderList();
  }

  /** Open the pasted text in Analyse. */
  async importText() {
    this.importError.textContent = "";
    try {
      /** @type {ImportedGame} */
      const game = await requestJson("/api/import", { method: "POST", body: { text: this.pastedText } });
      this.app.openAnalyse({ position: Position.fromServer(game.position), info: { names: game.names ?? undefined } });
      if (game.move_order === "reconstructed") showNotification(t("import.reconstructed"));
    } catch (error) {
      this.importError.textContent = formatError(/** @type {ApiError} */ (error));
    }
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return { keys: {} };
  }
}
