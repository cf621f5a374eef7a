// The panel of a ladder in Watch: standings with intervals, the chart of the ratings, suspended agents.

import { requestJson } from "../model/api.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el, replaceContent } from "../ui/dom.js";
import { createLadderTable } from "../ui/ladder_table.js";
import { RatingChart } from "../ui/rating_chart.js";
import { loadStyle } from "../ui/style_sheet.js";
import { words as en } from "../words/ladder_en.js";
import { words as zh } from "../words/ladder_zh.js";
import { addWords, t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";

/** @import { LadderAgent, LadderHistory } from "../model/ladder_messages.d.ts" */
/** @import { EventDetails } from "../model/messages.d.ts" */

const HISTORY_INTERVAL_MS = 2000;
const DEFAULT_LINES = 6;

addWords(en, zh);
const styleIsLoaded = loadStyle("styles/ladder.css");

/** Create the panel when its style is loaded. */
export async function createLadderPanel() {
  await styleIsLoaded;
  return new LadderPanel();
}

export class LadderPanel {
  constructor() {
    /** @type {EventDetails | null} */
    this.event = null;
    /** @type {LadderHistory | null} */
    this.history = null;
    this.historyPairs = -1;
    this.timer = 0;
    this.lastRequest = 0;
    /** Names of the agents whose lines the user chose; null for the best ones. @type {string[] | null} */
    this.chosen = null;
    this.chart = new RatingChart();
    this.standings = el("section", { class: "card" });
    this.chartTitle = el("h2", {});
    this.chartHelp = el("p", { class: "small muted" });
    this.chartCard = el("section", { class: "card" }, this.chartTitle, this.chart.element, this.chartHelp);
    this.suspended = el("section", { class: "card", hidden: true });
    this.element = el("div", { class: "stack ladder" }, this.standings, this.suspended, this.chartCard);
  }

  /** @param {EventDetails} event an event with a ladder */
  show(event) {
    if (this.event?.id !== event.id) {
      this.history = null;
      this.historyPairs = -1;
      this.chosen = loadSetting(`ladder_lines_${event.id}`, /** @type {string[] | null} */ (null));
    }
    this.event = event;
    if (event.ladder && event.ladder.history_pairs !== this.historyPairs) this.requestHistory();
    this.draw();
  }

  /** Stop requesting, when the view is left. */
  stop() {
    clearTimeout(this.timer);
    this.historyPairs = -1;
  }

  /** Request the history, but not too often. */
  requestHistory() {
    clearTimeout(this.timer);
    const wait = Math.max(0, this.lastRequest + HISTORY_INTERVAL_MS - Date.now());
    this.timer = setTimeout(async () => {
      const { event } = this;
      if (!event?.ladder) return;
      this.lastRequest = Date.now();
      const pairs = event.ladder.history_pairs;
      /** @type {LadderHistory | null} */
      const history = await requestJson(`/api/events/${event.id}/history`).catch(() => null);
      if (!history || this.event?.id !== event.id) return;
      this.history = history;
      this.historyPairs = pairs;
      this.drawChart();
    }, wait);
  }

  draw() {
    const rows = this.event?.ladder?.agents ?? [];
    const lines = this.listLines();
    replaceContent(
      this.standings,
      el("h2", {}, t("ladder.standings")),
      rows.length ? createLadderTable(rows, lines, (name) => this.toggleLine(name)) : el("p", {}, t("ladder.none")),
      rows.length ? el("p", { class: "small muted" }, t("ladder.help")) : null,
    );
    this.drawSuspended();
    this.drawChart();
  }

  drawChart() {
    const { history } = this;
    this.chartTitle.textContent = t("ladder.chart");
    this.chartHelp.textContent = t(history && history.games.length > 1 ? "ladder.chart.help" : "ladder.chart.none");
    this.chart.show(history, this.listLines());
  }

  drawSuspended() {
    const agents = this.event?.ladder?.agents.filter(({ suspension }) => suspension) ?? [];
    this.suspended.hidden = !agents.length;
    replaceContent(
      this.suspended,
      el("h2", {}, t("ladder.suspended")),
      el("ul", { class: "suspended-agents" }, agents.map(createSuspendedItem)),
      el("p", { class: "small muted" }, t("ladder.suspended.help")),
    );
  }

  /** The agents with a line in colour, in the order of the standings. */
  listLines() {
    const { chosen, event } = this;
    const rated = event?.ladder?.agents.filter(({ elo }) => elo).map(({ agent }) => agent) ?? [];
    return chosen ? rated.filter((name) => chosen.includes(name)) : rated.slice(0, DEFAULT_LINES);
  }

  /** @param {string} name */
  toggleLine(name) {
    if (!this.event) return;
    const lines = this.listLines();
    this.chosen = lines.includes(name) ? lines.filter((other) => other !== name) : [...lines, name];
    saveSetting(`ladder_lines_${this.event.id}`, this.chosen);
    this.draw();
  }
}

/** @param {LadderAgent} agent */
function createSuspendedItem({ agent: name, suspension }) {
  if (!suspension) return null;
  const { failed, played, game, ending, detail } = suspension;
  const reason = failed === played ? t("ladder.suspended.all", played) : t("ladder.suspended.some", failed, played);
  const last = ending === "unknown" ? "" : [t(`ending.${ending}`), detail].filter(Boolean).join(": ");
  return el(
    "li",
    {},
    el("strong", {}, translatePlayerName(name)),
    ` ${reason}. `,
    last ? el("span", { class: "failure-detail" }, last, " ") : null,
    el("a", { href: `#analyse=${game}`, dataset: { focusKey: `failure-${name}` } }, t("ladder.suspended.game")),
  );
}
