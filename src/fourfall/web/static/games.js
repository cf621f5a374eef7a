// Owns Games: every stored game to open, and a box for whatever somebody pastes.

import { ask } from "./api.js";
import { el, fill } from "./dom.js";
import { t, when } from "./language.js";
import { displayName } from "./names.js";
import { complain, errorText, notify } from "./notice.js";
import { Position } from "./rules.js";
import { badge } from "./stones.js";

export class Games {
  constructor(app) {
    this.app = app;
    this.source = "";
    this.event = null;
    this.games = [];
    this.next = null;
    this.pasted = "";
    this.list = el("div", { class: "stack" });
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
    fill(this.box, el("form", { class: "card", on: { submit: (event) => this.read(event) } },
      el("h2", {}, t("paste.title")),
      el("label", { class: "field" }, el("span", { class: "small faint" }, t("paste.how")),
        el("textarea", { rows: 6, class: "code", spellcheck: "false", placeholder: "10x11@4,7:6655", dataset: { keep: "paste", field: "paste" }, value: this.pasted, on: { input: (event) => { this.pasted = event.target.value; } } })),
      el("p", { class: "trouble", role: "alert" }),
      el("button", { type: "submit", class: "primary", dataset: { action: "open-pasted" } }, t("open"))));
    this.renderList();
    this.app.mount("games", el("section", { class: "card" }, this.list), this.box);
  }

  renderList() {
    const sources = [["", t("source.all")], ["page", t("source.page")], ["arena", t("source.arena")]];
    fill(this.list,
      el("div", { class: "row spread" }, el("h2", {}, this.event ? t("games.of", this.event) : t("games")),
        this.event ? el("a", { href: "#games" }, t("source.all"))
          : el("label", { class: "filter" }, el("span", { class: "unseen" }, t("source")), el("select", { value: this.source, dataset: { keep: "source" }, on: { change: (event) => { this.source = event.target.value; this.load(); } } }, sources.map(([value, text]) => el("option", { value }, text))))),
      this.games.length ? el("ul", { class: "games" }, this.games.map((game) => this.item(game))) : el("p", { class: "faint" }, t("games.none")),
      this.next ? el("button", { type: "button", dataset: { keep: "more" }, on: { click: () => this.load(this.next) } }, t("more")) : null);
  }

  item(game) {
    const names = game.names.map(displayName);
    const result = game.status !== "over" ? t("unfinished") : game.winner === null ? t("draw.short") : "";
    return el("li", { dataset: { game: game.id } },
      el("a", { href: game.status === "over" ? `#analyse=${game.id}` : `#play=${game.id}`, class: "who" },
        names.map((name, player) => el("span", { class: game.winner === player ? "winner" : "" }, badge(player), name, game.winner === player ? el("span", { class: "won" }, t("winner")) : null)),
        el("span", { class: "small faint" }, [result, t("board.short", ...sizes(game.board)), t("stones", game.plies), when(game.started)].filter(Boolean).join(" · "))),
      game.plies > 0 ? el("a", { class: "button", href: `#review=${game.id}`, "aria-label": t("review.of", names.join(" – ")) }, t(game.reviewed ? "reviewed" : "review")) : null);
  }

  async load(before = null) {
    const query = new URLSearchParams({ limit: 30 });
    if (before) query.set("before", before);
    if (this.source && !this.event) query.set("source", this.source);
    if (this.event) query.set("event", this.event);
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
      const position = Position.parse(found.position);
      this.app.analyse({ position, about: { names: found.names ?? undefined } });
      if (found.note) notify(t("paste.note"));
    } catch (error) {
      trouble.textContent = errorText(error);
    }
  }

  keys() {
    return {};
  }
}

function sizes(board) {
  const position = Position.parse(board);
  return position ? [position.rows, position.cols] : ["", ""];
}
