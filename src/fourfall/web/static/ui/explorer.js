// The opening explorer: the moves that were played at the selected position in the stored games, with their results.

import { requestJson } from "../model/api.js";
import { getShownSide, toShownSide } from "../model/perspective.js";
import { COLUMN_NAMES } from "../model/position.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { formatError } from "../words/error_text.js";
import { formatNumber, t } from "../words/language.js";
import { getSideNames, translatePlayerNames } from "../words/player_names.js";
import { formatPercent, formatPerspective, formatScore } from "../words/score_text.js";
import { el, replaceContent } from "./dom.js";
import { createButton, createSourceField } from "./form_fields.js";

/** @import { ApiError } from "../model/api.js" */
/** @import { GameNode } from "../model/game_tree.js" */
/** @import { ErrorInfo, ExampleGame, ExplorerReply, PlayedColumn, ResultCounts } from "../model/messages.d.ts" */
/** @import { GameViewer } from "./game_viewer.js" */

const REQUEST_DELAY_MS = 150;
const MAX_CACHED = 200;
/** Smaller parts of a bar have no room for a number. */
const MIN_LABELLED_SHARE = 0.3;

export class Explorer {
  /** @param {GameViewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** "page", "arena" or "" for all games. */
    this.source = "";
    /** Replies by source and position. @type {Map<string, ExplorerReply>} */
    this.cache = new Map();
    /** @type {ErrorInfo | null} */
    this.error = null;
    this.timer = 0;
    this.summary = el("summary");
    this.content = el("div", { class: "stack explorer" });
    const toggle = () => {
      saveSetting("explorer_open", this.element.open);
      this.update();
    };
    const open = loadSetting("explorer_open", false);
    this.element = el("details", { class: "card explorer-card", open, on: { toggle } }, this.summary, this.content);
  }

  get key() {
    return `${this.source} ${this.viewer.position.notation}`;
  }

  /** Show the selected position, and request it if it is not known. */
  update() {
    clearTimeout(this.timer);
    this.error = null;
    this.render();
    if (this.element.open && !this.cache.has(this.key)) {
      this.timer = setTimeout(() => this.request(this.key), REQUEST_DELAY_MS);
    }
  }

  /** Forget the replies, because other games may be stored now. */
  reset() {
    this.cache.clear();
  }

  /** @param {string} key */
  async request(key) {
    const source = this.source ? `&source=${this.source}` : "";
    const position = encodeURIComponent(this.viewer.position.notation);
    try {
      const reply = await requestJson(`/api/explorer?position=${position}${source}`);
      if (this.cache.size >= MAX_CACHED) this.cache.clear();
      this.cache.set(key, reply);
    } catch (error) {
      if (key === this.key) this.error = /** @type {ApiError} */ (error);
    }
    if (key === this.key) this.render();
  }

  render() {
    this.summary.textContent = t("explorer.title");
    if (!this.element.open) return;
    const reply = this.cache.get(this.key);
    replaceContent(this.content, this.createSourceField(), reply ? this.createReply(reply) : this.createState());
  }

  createSourceField() {
    return createSourceField({
      value: this.source,
      field: "explorer-source",
      onChange: (source) => {
        this.source = source;
        this.update();
      },
    });
  }

  createState() {
    if (this.error) return el("p", { class: "error-text" }, formatError(this.error));
    return el("p", { class: "muted" }, t("page.loading"));
  }

  /** @param {ExplorerReply} reply */
  createReply(reply) {
    if (!reply.games) return el("p", { class: "muted" }, t("explorer.none"));
    const { current } = this.viewer;
    const side = getShownSide(current.position.turn);
    const heads = [
      el("th", { scope: "col" }, t("explorer.column")),
      el("th", { scope: "col", class: "number" }, t("explorer.games")),
      el("th", { scope: "col" }, t("explorer.results")),
      el("th", { scope: "col", class: "number", title: formatPerspective(side) }, t("explorer.engine")),
    ];
    const rows = reply.columns.map((entry) => this.createRow(entry, current));
    return [
      el(
        "table",
        { class: "explorer-table" },
        el("caption", { class: "visually-hidden" }, t("explorer.title")),
        el("thead", {}, el("tr", {}, heads)),
        el("tbody", {}, rows),
        el(
          "tfoot",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "row" }, t("explorer.all")),
            el("td", { class: "number" }, formatNumber(reply.games)),
            el("td", {}, createResultBar(reply)),
            el("td"),
          ),
        ),
      ),
      createLegend(),
      el(
        "p",
        { class: "small muted" },
        reply.ended ? `${t("explorer.ended", reply.ended)} ` : null,
        t("explorer.counted"),
        reply.is_complete ? null : ` ${t("explorer.incomplete")}`,
      ),
      el("h3", {}, t("explorer.examples")),
      el("ul", { class: "explorer-examples" }, reply.examples.map(createExample)),
    ];
  }

  /**
   * @param {PlayedColumn} entry
   * @param {GameNode} node
   */
  createRow(entry, node) {
    const name = COLUMN_NAMES[entry.column];
    const score = node.analysis?.columns.find(({ column }) => column === entry.column);
    const value =
      score && score.win_chance !== null
        ? formatScore(toShownSide({ ...score, win_chance: score.win_chance }, node.position.turn))
        : "–";
    const play = createButton(`explore-${name}`, name, () => this.viewer.play(entry.column), {
      variant: "compact",
      "aria-label": t("explorer.play", name),
    });
    return el(
      "tr",
      { dataset: { column: entry.column } },
      el("th", { scope: "row" }, play),
      el("td", { class: "number" }, formatNumber(entry.games)),
      el("td", {}, createResultBar(entry)),
      el("td", { class: "number" }, value),
    );
  }
}

/**
 * A bar with the shares of the first player's wins, draws and the second player's wins.
 * @param {ResultCounts} counts
 */
function createResultBar({ games, first, draws, second }) {
  const [blue, orange] = getSideNames();
  const label = t("explorer.bar", blue, first, draws, orange, second);
  const parts = [
    ["first", first],
    ["drawn", draws],
    ["second", second],
  ].map(([name, count]) => {
    const share = Number(count) / games;
    const part = el("span", { class: `part ${name}` }, share >= MIN_LABELLED_SHARE ? formatPercent(share) : null);
    part.style.flexGrow = String(share);
    part.hidden = share === 0;
    return part;
  });
  return el("div", { class: "result-bar", role: "img", "aria-label": label, title: label }, parts);
}

function createLegend() {
  const [blue, orange] = getSideNames();
  const entries = [
    ["first", t("result.side_won", blue)],
    ["drawn", t("result.draw")],
    ["second", t("result.side_won", orange)],
  ].map(([name, text]) => el("span", {}, el("i", { class: `part ${name}` }), text));
  return el("p", { class: "explorer-legend small", "aria-hidden": "true" }, entries);
}

/** @param {ExampleGame} game */
function createExample({ id, names, winner, ply, column }) {
  const result = winner === null ? t("result.draw") : t("result.side_won", translatePlayerNames(names)[winner]);
  const next = column === null ? "" : ` · ${t("explorer.next", COLUMN_NAMES[column])}`;
  const text = translatePlayerNames(names).join(" – ");
  return el(
    "li",
    {},
    el("a", { href: `#analyse=${id}&ply=${ply}` }, text),
    el("span", { class: "small muted" }, `${result}${next}`),
  );
}
