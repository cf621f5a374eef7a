// The view Watch: the list of events, and one event with standings and live games.

import { requestJson } from "../model/api.js";
import { el, replaceContent } from "../ui/dom.js";
import { createCrossTable, createGroupCard, createLiveGamesCard } from "../ui/event_tables.js";
import { createButton } from "../ui/form_fields.js";
import { LiveBoard } from "../ui/live_board.js";
import { showError } from "../ui/notifications.js";
import { createPlayerLabels } from "../ui/player_labels.js";
import { formatError } from "../words/error_text.js";
import { formatDate, t } from "../words/language.js";
import { translateEventName } from "../words/player_names.js";

/** @import { App, OpenedGame } from "../app.js" */
/** @import { ErrorInfo, EventDetails, EventInfo, FinishedGameInfo, GroupSummary, LiveGame, ServerMessage } from "../model/messages.d.ts" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */
/** @import { LadderPanel } from "./ladder.js" */

/** Largest number of agents of a ladder for which the cross table is shown. */
const MAX_CROSS_TABLE = 16;

export class WatchView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The shown event; null shows the list. @type {number | null} */
    this.eventId = null;
    /** @type {EventInfo[] | null} */
    this.events = null;
    /** @type {EventDetails | null} */
    this.event = null;
    /** Why there are no events: the page has no server. @type {ErrorInfo | null} */
    this.refusal = null;
    /** The form of a match, loaded with the list. @type {HTMLElement | null} */
    this.form = null;
    this.liveBoard = new LiveBoard(app.connection);
    /** The panel of a ladder, loaded with the first one that is shown. @type {LadderPanel | null} */
    this.ladderPanel = null;
    this.eventHead = el("div", {});
    this.ladderGames = el("div", { class: "stack" });
    this.main = el("div", { class: "stack" });
    this.sidebar = el("div", { class: "stack" });
    this.isActive = false;
    app.connection.on("events", ({ events }) => {
      this.events = events;
      if (this.eventId === null) this.update();
    });
    app.connection.on("event", (event) => {
      if (event.id !== this.eventId) return;
      this.event = event;
      this.update();
    });
  }

  /** @param {string | null} [argument] the number of an event; null shows all events */
  enter(argument = null) {
    this.isActive = true;
    this.eventId = /^\d+$/.test(argument ?? "") ? Number(argument) : null;
    this.event = null;
    this.liveBoard.stop();
    this.subscribe();
    this.render();
  }

  leave() {
    this.isActive = false;
    this.liveBoard.stop();
    this.ladderPanel?.stop();
    this.app.connection.send({ type: "unwatch" });
  }

  handleReconnect() {
    if (this.isActive) this.subscribe();
  }

  subscribe() {
    /** @param {ServerMessage} message */
    const onReply = (message) => {
      if (message.type !== "error") return;
      if (message.code === "needs_program") {
        this.refusal = message;
        this.update();
        return;
      }
      showError(message);
      this.app.open("watch");
    };
    this.app.connection.send({ type: "watch", event: this.eventId }, { waitForConnection: true, onReply });
  }

  update() {
    if (!this.isActive) return;
    this.renderMain();
    this.renderSidebar();
  }

  render() {
    this.liveBoard.draw();
    this.form = null;
    this.loadForm();
    this.renderMain();
    this.renderSidebar();
    this.app.mount("watch", this.main, this.sidebar);
  }

  async loadForm() {
    if (this.eventId !== null || this.refusal) return;
    const module = await import("./match_form.js").catch(() => null); // the server does not respond
    if (this.form || this.eventId !== null || this.refusal || !module) return;
    this.form = module.createMatchForm(this.app);
    this.renderSidebar();
  }

  renderMain() {
    const { event, refusal } = this;
    if (refusal) {
      const text = el("p", {}, formatError(refusal));
      replaceContent(this.main, el("section", { class: "card" }, el("h2", {}, t("event.list")), text));
    } else if (this.eventId === null) replaceContent(this.main, this.createEventList());
    else if (!event) replaceContent(this.main, el("p", { class: "muted" }, t("page.loading")));
    else this.renderEvent(event);
  }

  /** @param {EventDetails} event */
  renderEvent(event) {
    const { liveBoard } = this;
    liveBoard.update(event.live, event.state === "running");
    const others = event.live.filter((game) => game !== liveBoard.game);
    const follow = (/** @type {LiveGame} */ game) => {
      liveBoard.follow(game);
      this.renderMain();
      this.main.querySelector(".live-board")?.scrollIntoView({ block: "nearest" });
    };
    const games = [liveBoard.game ? liveBoard.element : null, createLiveGamesCard(others, follow)];
    if (event.ladder) this.renderLadder(event, games);
    else replaceContent(this.main, this.createEventHead(event), games, event.groups.map(createGroupCard));
  }

  /**
   * Show a ladder. Its panel stays in the page when the event changes, so that the chart keeps focus and pointer.
   * @param {EventDetails} event
   * @param {(HTMLElement | null)[]} games
   */
  async renderLadder(event, games) {
    replaceContent(this.eventHead, this.createEventHead(event));
    const cross = event.groups.filter((group) => group.standings.length <= MAX_CROSS_TABLE).map(createCrossTableCard);
    replaceContent(this.ladderGames, games, cross);
    if (!this.ladderPanel) {
      replaceContent(this.main, this.eventHead, el("p", { class: "muted" }, t("page.loading")), this.ladderGames);
      const { createLadderPanel } = await import("./ladder.js");
      this.ladderPanel ??= await createLadderPanel();
      if (this.event?.ladder && this.isActive) this.renderMain();
      return;
    }
    this.ladderPanel.show(event);
    const { element } = this.ladderPanel;
    if (element.parentNode !== this.main) replaceContent(this.main, this.eventHead, element, this.ladderGames);
  }

  /** The form is not created again when events change, so that its fields keep their input. */
  renderSidebar() {
    if (this.form?.parentNode === this.sidebar) return;
    replaceContent(this.sidebar, this.form ?? (this.event && this.createRecentGames(this.event)));
  }

  createEventList() {
    const { events } = this;
    const items = events?.map((event) => el("li", {}, createEventLink(event))) ?? [];
    const list = items.length
      ? el("ul", { class: "events" }, items)
      : el("p", { class: "muted" }, t(events ? "event.none" : "page.loading"));
    return el("section", { class: "card" }, el("h2", {}, t("event.list")), list);
  }

  /** @param {EventDetails} event */
  createEventHead(event) {
    const stop = () => requestJson(`/api/matches/${event.id}`, { method: "DELETE" }).catch(showError);
    const canStop = event.can_stop && event.state === "running";
    const bar = event.planned ? el("progress", { max: event.planned, value: event.games }) : null;
    return el(
      "section",
      { class: "card tight" },
      el("div", { class: "row spread" }, el("h2", {}, translateEventName(event.name)), createStateLabel(event)),
      el(
        "div",
        { class: "row event-progress" },
        el("label", { class: "field small muted" }, formatProgress(event), bar),
        el("a", { href: "#watch" }, t("event.all")),
        canStop ? createButton("stop-match", t("match.stop"), stop, { variant: "compact" }) : null,
      ),
    );
  }

  /** @param {EventDetails} event */
  createRecentGames({ recent, id }) {
    const items = recent.map((game) => el("li", {}, createRecentGameLink(game)));
    return el(
      "section",
      { class: "card" },
      el("h2", {}, t("event.games.latest")),
      items.length ? el("ul", { class: "games" }, items) : el("p", { class: "muted" }, t("games.none")),
      el("a", { href: `#games=event:${id}` }, t("event.games.all")),
    );
  }

  /** The live game on the large board, for Analyse and Review. @returns {OpenedGame | null} */
  getOpenedGame() {
    const { game, position } = this.liveBoard;
    return game && position ? { position, info: { names: game.names } } : null;
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return { keys: {} };
  }
}

/** @param {GroupSummary} group */
function createCrossTableCard(group) {
  return group.standings.length > 1 ? el("section", { class: "card" }, createCrossTable(group)) : null;
}

/** @param {EventInfo} event */
function createEventLink(event) {
  return el(
    "a",
    { href: `#watch=${event.id}`, dataset: { focusKey: `event-${event.id}` } },
    el("strong", {}, translateEventName(event.name)),
    createStateLabel(event),
    el("span", { class: "small muted" }, formatProgress(event)),
  );
}

/** @param {EventInfo} event */
function createStateLabel({ state }) {
  return el("span", { class: `state ${state}` }, t(`event.state.${state}`));
}

/** @param {EventInfo} event */
function formatProgress({ games, planned, created }) {
  const count = planned ? t("event.games.planned", games, planned) : t("event.games", games);
  return `${count} · ${formatDate(created)}`;
}

/** @param {FinishedGameInfo} game */
function createRecentGameLink(game) {
  const facts = [
    game.winner === null ? t("result.draw") : "",
    ["win", "tie"].includes(game.ending) ? "" : t(`ending.${game.ending}`),
    t("games.stones", game.moves),
  ];
  return el(
    "a",
    { class: "game-link", href: `#analyse=${game.id}`, dataset: { focusKey: `game-${game.id}` } },
    createPlayerLabels(game.names, game.winner),
    el("span", { class: "small muted" }, facts.filter(Boolean).join(" · ")),
  );
}
