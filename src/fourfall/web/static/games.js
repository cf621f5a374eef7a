// Owns Games: every stored game to open, and a box for whatever somebody pastes.

import { ask } from "./api.js";
import { el, fill } from "./dom.js";
import { playersLine } from "./event_tables.js";
import { button, picker } from "./fields.js";
import { t, when } from "./language.js";
import { displayName } from "./names.js";
import { complain, errorText, notify } from "./notice.js";
import { Position } from "./rules.js";

const PAGE = 30;

export class Games {
  constructor(app) {
    this.app = app;
    this.source = "";
    this.event = null;
    this.games = [];
    this.next = null;
    this.pasted = "";
    this.list = el("section", { class: "card" });
    this.box = el("div", { class: "stack" });
    this.active = false;
  }

  /** Show the view; `event:3` limits it to one event's games. */
  enter(what) {
    this.active = true;
    this.event = /^event:(\d+)$/.exec(what ?? "")?.[1] ?? null;
    this.render();
    this.load();
  }

  leave() {
    this.active = false;
  }

  reconnected() {
    if (this.active) this.load();
  }

  render() {
    fill(this.box, this.pasteForm());
    this.renderList();
    this.app.mount("games", this.list, this.box);
  }

  pasteForm() {
    const input = (event) => {
      this.pasted = event.target.value;
    };
    const area = { rows: 6, class: "code", spellcheck: "false", placeholder: "10x11@4,7:6655", value: this.pasted };
    return el(
      "form",
      { class: "card", on: { submit: (event) => this.read(event) } },
      el("h2", {}, t("paste.title")),
      el(
        "label",
        { class: "field" },
        el("span", { class: "small faint" }, t("paste.how")),
        el("textarea", { ...area, dataset: { keep: "paste", field: "paste" }, on: { input } }),
      ),
      el("p", { class: "trouble", role: "alert" }),
      el("button", { type: "submit", class: "primary", dataset: { action: "open-pasted" } }, t("open")),
    );
  }

  renderList() {
    const title = this.event ? t("games.of", this.event) : t("games");
    const items = () => el("ul", { class: "games" }, this.games.map(item));
    fill(
      this.list,
      el(
        "div",
        { class: "row spread" },
        el("h2", {}, title),
        this.event ? el("a", { href: "#games" }, t("source.all")) : this.filter(),
      ),
      this.games.length ? items() : el("p", { class: "faint" }, t("games.none")),
      this.next ? button("more", t("more"), () => this.load(this.next)) : null,
    );
  }

  filter() {
    const options = ["", "page", "arena"].map((source) => [source, t(`source.${source || "all"}`)]);
    const pick = (source) => {
      this.source = source;
      this.load();
    };
    return picker({ label: t("source"), value: this.source, options, field: "source", pick, unseen: true });
  }

  async load(before = null) {
    const query = new URLSearchParams({ limit: PAGE });
    if (before) query.set("before", before);
    if (this.event) query.set("event", this.event);
    else if (this.source) query.set("source", this.source);
    try {
      const page = await ask(`/api/games?${query}`);
      this.games = before ? [...this.games, ...page.games] : page.games;
      this.next = page.next;
    } catch (error) {
      complain(error);
    }
    if (this.active) this.renderList();
  }

  /** Open what was pasted, whatever it is. */
  async read(event) {
    event.preventDefault();
    const trouble = this.box.querySelector(".trouble");
    trouble.textContent = "";
    try {
      const found = await ask("/api/read", { method: "POST", body: { text: this.pasted } });
      this.app.analyse({ position: Position.parse(found.position), about: { names: found.names ?? undefined } });
      if (found.note) notify(t("paste.note"));
    } catch (error) {
      trouble.textContent = errorText(error);
    }
  }

  keys() {
    return {};
  }
}

/** One game of the list: an unfinished one is played on, a finished one is analysed. */
function item(game) {
  const board = Position.parse(game.board);
  const facts = [
    game.status !== "over" ? t("unfinished") : game.winner === null ? t("draw.short") : "",
    t("board.short", board.rows, board.cols),
    t("stones", game.plies),
    when(game.started),
  ];
  const label = t("review.of", game.names.map(displayName).join(" – "));
  return el(
    "li",
    { dataset: { game: game.id } },
    el(
      "a",
      { href: `#${game.status === "over" ? "analyse" : "play"}=${game.id}`, class: "who" },
      playersLine(game.names, game.winner),
      el("span", { class: "small faint" }, facts.filter(Boolean).join(" · ")),
    ),
    game.plies > 0
      ? el(
          "a",
          { class: "button", href: `#review=${game.id}`, "aria-label": label },
          t(game.reviewed ? "reviewed" : "review"),
        )
      : null,
  );
}
