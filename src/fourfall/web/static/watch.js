// Owns Watch: the events of the database, and one of them while its games are played.

import { ask } from "./api.js";
import { el, fill } from "./dom.js";
import { groupCard, liveBoards, playersLine } from "./event_tables.js";
import { button } from "./fields.js";
import { t, when } from "./language.js";
import { matchForm } from "./match.js";
import { eventName } from "./names.js";
import { complain } from "./notice.js";

export class Watch {
  constructor(app) {
    this.app = app;
    this.id = null;
    this.events = null;
    this.event = null;
    this.form = null;
    this.main = el("div", { class: "stack" });
    this.aside = el("div", { class: "stack" });
    this.active = false;
    app.connection.on("events", (message) => this.heard("events", message.events, this.id === null));
    app.connection.on("event", (message) => this.heard("event", message, message.id === this.id));
  }

  /** Show all events, or the one that `what` numbers. */
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
    const reply = (message) => {
      if (message.type !== "error") return;
      complain(message);
      this.app.go("watch");
    };
    this.app.connection.send({ type: "watch", event: this.id }, { patient: true, reply });
  }

  heard(name, value, wanted) {
    if (!this.active || !wanted) return;
    this[name] = value;
    this.renderMain();
    this.renderAside();
  }

  render() {
    this.form = this.id === null ? matchForm(this.app) : null;
    this.renderMain();
    this.renderAside();
    this.app.mount("watch", this.main, this.aside);
  }

  renderMain() {
    if (this.id === null) fill(this.main, this.eventList());
    else if (!this.event) fill(this.main, el("p", { class: "faint" }, t("loading")));
    else fill(this.main, this.head(), liveBoards(this.event.live), this.event.groups.map(groupCard));
  }

  /** The form stays as it is while events change beside it. */
  renderAside() {
    if (this.form?.parentNode === this.aside) return;
    fill(this.aside, this.form ?? (this.event ? this.recent() : null));
  }

  eventList() {
    const item = (event) =>
      el(
        "a",
        { href: `#watch=${event.id}`, dataset: { keep: `event-${event.id}` } },
        el("strong", {}, eventName(event.name)),
        el("span", { class: `state ${event.state}` }, t(`state.${event.state}`)),
        el("span", { class: "small faint" }, `${progressText(event)} · ${when(event.created)}`),
      );
    const list = (events) =>
      el(
        "ul",
        { class: "events" },
        events.map((event) => el("li", {}, item(event))),
      );
    const none = () => el("p", { class: "faint" }, t(this.events ? "events.none" : "loading"));
    return el(
      "section",
      { class: "card" },
      el("h2", {}, t("events")),
      this.events?.length ? list(this.events) : none(),
    );
  }

  head() {
    const { event } = this;
    const stop = () => ask(`/api/matches/${event.id}`, { method: "DELETE" }).catch(complain);
    const state = el("span", { class: `state ${event.state}` }, t(`state.${event.state}`));
    const bar = event.planned ? el("progress", { max: event.planned, value: event.games }) : null;
    return el(
      "section",
      { class: "card tight" },
      el("div", { class: "row spread" }, el("h2", {}, eventName(event.name)), state),
      el("label", { class: "field small faint" }, `${progressText(event)} · ${when(event.created)}`, bar),
      el(
        "div",
        { class: "row" },
        el("a", { href: "#watch" }, t("events.all")),
        event.ours && event.state === "running" ? button("stop-match", t("match.stop"), stop) : null,
      ),
    );
  }

  recent() {
    const { recent, id } = this.event;
    const item = (game) => {
      const facts = [
        game.winner === null ? t("draw.short") : "",
        ["win", "tie"].includes(game.ending) ? "" : t(`ending.${game.ending}`),
        t("stones", game.moves),
      ];
      return el(
        "a",
        { class: "who", href: `#analyse=${game.id}`, dataset: { keep: `game-${game.id}` } },
        playersLine(game.names, game.winner),
        el("span", { class: "small faint" }, facts.filter(Boolean).join(" · ")),
      );
    };
    const list = () =>
      el(
        "ul",
        { class: "games" },
        recent.map((game) => el("li", {}, item(game))),
      );
    return el(
      "section",
      { class: "card" },
      el("h2", {}, t("recent")),
      recent.length ? list() : el("p", { class: "faint" }, t("games.none")),
      el("a", { href: `#games=event:${id}` }, t("games.all")),
    );
  }

  keys() {
    return {};
  }
}

function progressText({ games, planned }) {
  return planned ? t("games.of.planned", games, planned) : t("games.count", games);
}
