// The view Games: the list of stored games and the import of pasted text.

import { requestJson } from "../model/api.js";
import { Position } from "../model/position.js";
import { el, replaceContent } from "../ui/dom.js";
import { createButton, createSelectField } from "../ui/form_fields.js";
import { showError, showNotification } from "../ui/notifications.js";
import { createPlayerLabels } from "../ui/player_labels.js";
import { formatError } from "../words/error_text.js";
import { formatDate, t } from "../words/language.js";
import { translatePlayerNames } from "../words/player_names.js";

/** @import { App } from "../app.js" */
/** @import { ApiError } from "../model/api.js" */
/** @import { GameList, GameSummary, ImportedGame } from "../model/messages.d.ts" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

const PAGE_SIZE = 30;
const EXAMPLE = "10x11@4,7:6655";

export class GamesView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** "page", "arena" or "" for all games. */
    this.source = "";
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
    const items = this.games.map(createGameItem);
    const { nextCursor } = this;
    replaceContent(
      this.list,
      el(
        "div",
        { class: "row spread" },
        el("h2", {}, title),
        this.eventId ? el("a", { href: "#games" }, t("games.source.all")) : this.createSourceField(),
      ),
      items.length ? el("ul", { class: "games" }, items) : el("p", { class: "muted" }, t("games.none")),
      nextCursor ? createButton("more", t("button.more"), () => this.load(nextCursor)) : null,
    );
  }

  createSourceField() {
    return createSelectField({
      label: t("games.source"),
      value: this.source,
      options: [
        ["", t("games.source.all")],
        ["page", t("games.source.page")],
        ["arena", t("games.source.arena")],
      ],
      field: "source",
      onChange: (source) => {
        this.source = source;
        this.load();
      },
      hideLabel: true,
    });
  }

  /** @param {string | null} [cursor] loads the games after it; null loads the newest */
  async load(cursor = null) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (cursor) query.set("before", cursor);
    if (this.eventId) query.set("event", this.eventId);
    else if (this.source) query.set("source", this.source);
    try {
      /** @type {GameList} */
      const page = await requestJson(`/api/games?${query}`);
      this.games = cursor ? [...this.games, ...page.games] : page.games;
      this.nextCursor = page.next;
    } catch (error) {
      showError(/** @type {ApiError} */ (error));
    }
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

/**
 * One game of the list: an unfinished one opens in Play, a finished one in Analyse.
 * @param {GameSummary} game
 */
function createGameItem(game) {
  const isOver = game.status === "over";
  const { rows, cols } = Position.fromServer(game.board);
  const facts = [
    isOver ? "" : t("games.unfinished"),
    isOver && game.winner === null ? t("result.draw") : "",
    t("board.size", rows, cols),
    t("games.stones", game.plies),
    formatDate(game.started),
  ];
  const reviewLabel = t("review.of", translatePlayerNames(game.names).join(" – "));
  return el(
    "li",
    { dataset: { game: game.id } },
    el(
      "a",
      { href: `#${isOver ? "analyse" : "play"}=${game.id}`, class: "game-link" },
      createPlayerLabels(game.names, game.winner),
      el("span", { class: "small muted" }, facts.filter(Boolean).join(" · ")),
    ),
    game.plies > 0
      ? el(
          "a",
          { class: "button", href: `#review=${game.id}`, "aria-label": reviewLabel },
          t(game.reviewed ? "review.reviewed" : "view.review"),
        )
      : null,
  );
}
