// Owns Watch: the events of the database, their tables and boards while games are played.

import { ask } from "./api.js";
import { el, fill, svg } from "./dom.js";
import { number, t, when } from "./language.js";
import { matchForm } from "./match.js";
import { displayName, eventName } from "./names.js";
import { complain } from "./notice.js";
import { Position } from "./rules.js";
import { badge, block, CELL, lastMark, stone, well, winningMark } from "./stones.js";

export class Watch {
  constructor(app) {
    this.app = app;
    this.id = null;
    this.events = null;
    this.event = null;
    this.main = el("div", { class: "stack" });
    this.aside = el("div", { class: "stack" });
    this.active = false;
    app.connection.on("events", (message) => this.heard("events", message.events, this.id === null));
    app.connection.on("event", (message) => this.heard("event", message, message.id === this.id));
  }

  enter(what) {
    this.active = true;
    this.id = /^\d+$/.test(what ?? "") ? Number(what) : null;
    this.event = null;
    this.subscribe();
    this.render();
  }

  leave() {
    this.active = false;
    this.app.connection.send({ type: "unwatch" });
  }

  reconnected() {
    if (this.active) this.subscribe();
  }

  subscribe() {
    this.app.connection.send({ type: "watch", event: this.id }, { patient: true, reply: (message) => {
      if (message.type !== "error") return;
      complain(message);
      this.app.go("watch");
    } });
  }

  heard(name, value, wanted) {
    if (!this.active || !wanted) return;
    this[name] = value;
    this.renderMain();
    this.renderAside();
  }

  render() {
    this.renderMain();
    this.form = this.id === null ? matchForm(this.app) : null;
    this.renderAside();
    this.app.mount("watch", this.main, this.aside);
  }

  renderMain() {
    if (this.id === null) fill(this.main, this.eventList());
    else if (!this.event) fill(this.main, el("p", { class: "faint" }, t("loading")));
    else fill(this.main, this.head(), this.boards(), this.event.groups.map((group) => this.standings(group)));
  }

  renderAside() {
    if (this.id === null) return this.form.parentNode === this.aside ? undefined : fill(this.aside, this.form);
    return fill(this.aside, this.event ? this.recent() : null);
  }

  eventList() {
    const events = this.events ?? [];
    const list = el("ul", { class: "events" }, events.map((event) => el("li", {}, el("a", { href: `#watch=${event.id}`, dataset: { keep: `event-${event.id}` } },
      el("strong", {}, eventName(event.name)), el("span", { class: `state ${event.state}` }, t(`state.${event.state}`)),
      el("span", { class: "small faint" }, `${this.progress(event)} · ${when(event.created)}`)))));
    return el("section", { class: "card" }, el("h2", {}, t("events")), events.length ? list : el("p", { class: "faint" }, t(this.events ? "events.none" : "loading")));
  }

  progress({ games, planned }) {
    return planned ? t("games.of.planned", games, planned) : t("games.count", games);
  }

  head() {
    const { event } = this;
    return el("section", { class: "card tight" },
      el("div", { class: "row spread" }, el("h2", {}, eventName(event.name)), el("span", { class: `state ${event.state}` }, t(`state.${event.state}`))),
      el("label", { class: "field small faint" }, `${this.progress(event)} · ${when(event.created)}`, event.planned ? el("progress", { max: event.planned, value: event.games }) : null),
      el("div", { class: "row" }, el("a", { href: "#watch" }, t("events.all")),
        event.ours && event.state === "running" ? el("button", { type: "button", dataset: { keep: "stop", action: "stop-match" }, on: { click: () => ask(`/api/matches/${event.id}`, { method: "DELETE" }).catch(complain) } }, t("match.stop")) : null));
  }

  boards() {
    const { live } = this.event;
    if (!live.length) return null;
    return el("section", { class: "card" }, el("h2", {}, t("live")), el("div", { class: "live" }, live.map((game) => {
      const position = Position.parse(game.position);
      return el("a", { class: "live-game", href: `#${game.position}`, dataset: { keep: `live-${game.number}` } }, position ? smallBoard(position) : null,
        el("span", { class: "small names-of" }, game.names.map((name, player) => el("span", {}, badge(player), displayName(name)))));
    })));
  }

  standings(group) {
    const rows = group.standings;
    const interval = (value, low, high) => el("td", { class: "n" }, value, low === null && high === null ? null : el("span", { class: "small faint" }, ` ${low ?? "…"} – ${high ?? "…"}`));
    const share = (value) => (value === null ? null : number(100 * value));
    const elo = (value) => (value === null ? null : `${value > 0 ? "+" : ""}${number(value)}`.replace("-", "−"));
    return el("section", { class: "card" }, el("h2", {}, group.name ? t("group", group.name) : t("standings")),
      el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("standings"), dataset: { keep: `standings-${group.name}` } }, el("table", {},
        el("thead", {}, el("tr", {}, [["#", "n"], [t("agent"), ""], [t("match.games"), "n"], [t("wdl"), "n"], [`${t("points")} %`, "n"], ["Elo", "n"]].map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))),
        el("tbody", {}, rows.map((line) => el("tr", {}, el("td", { class: "n" }, String(line.rank)), el("td", {}, displayName(line.agent), failures(line.failures)), el("td", { class: "n" }, String(line.games)), el("td", { class: "n" }, `${line.won} – ${line.drawn} – ${line.lost}`),
          interval(share(line.score.value), share(line.score.low), share(line.score.high)), interval(elo(line.elo.value), elo(line.elo.low), elo(line.elo.high))))))),
      rows.length > 1 && group.cross.length ? this.cross(group) : null);
  }

  cross(group) {
    const names = group.standings.map((line) => displayName(line.agent));
    return [el("h3", {}, t("cross")), el("p", { class: "small faint" }, t("cross.how")), el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t("cross"), dataset: { keep: `cross-${group.name}` } }, el("table", { class: "cross" },
      el("thead", {}, el("tr", {}, el("td", {}), names.map((name) => el("th", { scope: "col", class: "n" }, name)))),
      el("tbody", {}, group.cross.map((row, at) => el("tr", {}, el("th", { scope: "row" }, names[at]), row.map((cell) => el("td", { class: "n" }, cell ? cell.join(" – ") : "·")))))))];
  }

  recent() {
    const { recent, id } = this.event;
    return el("section", { class: "card" }, el("h2", {}, t("recent")), recent.length ? el("ul", { class: "games" }, recent.map((game) => el("li", {}, el("a", { class: "who", href: `#analyse=${game.id}`, dataset: { keep: `game-${game.id}` } },
      game.names.map((name, player) => el("span", { class: game.winner === player ? "winner" : "" }, badge(player), displayName(name), game.winner === player ? el("span", { class: "won" }, t("winner")) : null)),
      el("span", { class: "small faint" }, [game.winner === null ? t("draw.short") : "", game.ending === "win" || game.ending === "tie" ? "" : t(`ending.${game.ending}`), t("stones", game.moves)].filter(Boolean).join(" · ")))))) : el("p", { class: "faint" }, t("games.none")),
      el("a", { href: `#games=event:${id}` }, t("games.all")));
  }

  keys() {
    return {};
  }
}

function failures(found) {
  const words = Object.entries(found ?? {}).map(([what, count]) => `${t(`ending.${what}`)} ×${count}`);
  return words.length ? el("span", { class: "small trouble" }, ` ${words.join(", ")}`) : null;
}

/** A board to look at, not to touch. */
function smallBoard(position) {
  const parts = [];
  for (let row = 0; row < position.rows; row += 1) {
    for (let column = 0; column < position.cols; column += 1) {
      const player = position.stone(row, column);
      parts.push(player === 2 ? block(row, column) : player < 0 ? well(row, column) : stone(row, column, player));
    }
  }
  parts.push(...(position.four ?? []).map((cell) => winningMark(...cell)));
  if (position.last) parts.push(lastMark(...position.last));
  return svg("svg", { class: "small-board", viewBox: `-6 -6 ${position.cols * CELL + 12} ${position.rows * CELL + 12}`, "aria-hidden": "true" },
    svg("rect", { class: "small-frame", x: -6, y: -6, width: position.cols * CELL + 12, height: position.rows * CELL + 12, rx: 16 }), parts);
}
