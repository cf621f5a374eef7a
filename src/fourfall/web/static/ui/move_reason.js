// The reason for or against a move: requests the explanation, shows its sentences and draws its facts on the board.

import { getLanguage, t } from "../words/language.js";
import { el, replaceContent } from "./dom.js";
import { canDraw, listFactStones } from "./fact_drawing.js";
import { createButton } from "./form_fields.js";
import { announce } from "./notifications.js";

/** @import { Connection } from "../model/connection.js" */
/** @import { ExplanationReply, FactInfo } from "../model/explanation_messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { BoardOptions } from "./board.js" */

/**
 * The move to explain. Another `version` requests the explanation again. `isDrawn`: the first fact is drawn at once,
 * not only when the user selects it. `isAnnounced`: screen readers read the sentences. `hidesComparison`: the comparison
 * with another column is left out, because the view shows the values of another search.
 * @typedef {object} ExplainedMove
 * @property {Position} position before the move
 * @property {number} column
 * @property {string} [version]
 * @property {boolean} [isDrawn]
 * @property {boolean} [isAnnounced]
 * @property {boolean} [hidesComparison]
 */

const REQUEST_DELAY_MS = 120;
const MAX_KEPT = 60;

export class MoveReason {
  /**
   * @param {Connection} connection
   * @param {() => void} onChange called when another fact is to be drawn on the board
   */
  constructor(connection, onChange) {
    this.connection = connection;
    this.onChange = onChange;
    /** @type {ExplainedMove | null} */
    this.move = null;
    /** Explanations by move and version, the oldest first. @type {Map<string, ExplanationReply>} */
    this.kept = new Map();
    /** The shown explanation. @type {ExplanationReply | null} */
    this.explanation = null;
    /** The number of the fact that the user selected, -1 for none; null before a choice. @type {number | null} */
    this.selected = null;
    this.isRead = false;
    this.timer = 0;
    this.title = "";
    /** What `render` drew last. @type {unknown[]} */
    this.rendered = [];
    this.element = el("div", { class: "reason", role: "group", hidden: true });
  }

  /**
   * Explain a move; null removes the explanation. Nothing happens if the move is explained already.
   * @param {ExplainedMove | null} move
   * @param {string} [title] heading above the sentences
   */
  show(move, title = "") {
    const isSameMove = getKey(move, "") === getKey(this.move, "");
    const isSame = isSameMove && move?.version === this.move?.version;
    this.move = move;
    this.title = title;
    if (!isSame) {
      clearTimeout(this.timer);
      if (!isSameMove) {
        this.explanation = null;
        this.selected = null;
        this.isRead = false;
      }
      const kept = move && this.kept.get(getKey(move));
      if (kept) this.explanation = kept;
      else if (move) this.timer = setTimeout(() => this.request(move), REQUEST_DELAY_MS);
    }
    this.readOnce();
    this.render();
  }

  /** Let screen readers read the sentences about a move once. */
  readOnce() {
    if (this.isRead || !this.move?.isAnnounced || !this.facts.length) return;
    this.isRead = true;
    announce(this.facts.map(getText).join(" "));
  }

  /** @param {ExplainedMove} move */
  request(move) {
    const { position, column } = move;
    this.connection.send(
      { type: "explain", position: position.notation, column },
      { waitForConnection: true, onReply: (reply) => reply.type === "explanation" && this.receive(reply, move) },
    );
  }

  /**
   * @param {ExplanationReply} explanation
   * @param {ExplainedMove} move
   */
  receive(explanation, move) {
    const key = getKey(move);
    this.kept.set(key, explanation);
    if (this.kept.size > MAX_KEPT) this.kept.delete([...this.kept.keys()][0]);
    if (key !== getKey(this.move)) return;
    this.explanation = explanation;
    this.readOnce();
    this.render();
    this.onChange();
  }

  /** The facts that have sentences. @returns {FactInfo[]} */
  get facts() {
    const isShown = (/** @type {FactInfo} */ { kind }) => kind !== "comparison" || !this.move?.hidesComparison;
    return this.explanation?.facts.filter((fact) => isShown(fact) && getText(fact)) ?? [];
  }

  /** The fact that the board draws. @returns {FactInfo | null} */
  get drawnFact() {
    const { facts } = this;
    if (this.selected !== null) return facts[this.selected] ?? null;
    if (!this.move?.isDrawn) return null;
    // The fact that a move is the only one has the refutation of another move: what the move itself does comes first.
    const drawn = facts.filter(canDraw);
    return drawn.find(({ kind }) => kind !== "only_move") ?? drawn[0] ?? null;
  }

  /** @param {number} index */
  toggle(index) {
    const isDrawn = this.drawnFact === this.facts[index];
    this.selected = isDrawn ? -1 : index;
    this.render();
    this.onChange();
  }

  /** Draw the sentences again, if they have changed: an analysis calls `show` several times a second. */
  render() {
    const { facts } = this;
    const shown = [getLanguage(), this.title, this.explanation, this.drawnFact];
    if (shown.every((part, index) => part === this.rendered[index])) return;
    this.rendered = shown;
    this.element.hidden = !facts.length;
    this.element.setAttribute("aria-label", this.title || t("reason.label"));
    const sentences = facts.map((fact, index) => this.createSentences(fact, index));
    replaceContent(this.element, this.title ? el("h3", {}, this.title) : null, sentences);
  }

  /**
   * The sentences about a fact; a button draws the fact on the board.
   * @param {FactInfo} fact
   * @param {number} index
   */
  createSentences(fact, index) {
    if (!canDraw(fact)) return el("p", {}, getText(fact));
    return createButton(`fact-${index}`, el("span", {}, getText(fact)), () => this.toggle(index), {
      variant: "reason-fact",
      "aria-pressed": String(this.drawnFact === fact),
      title: t("reason.draw"),
    });
  }

  /**
   * What the board draws of the explanation. Stones of a sequence replace other previews.
   * @param {Position} position the shown position, before or after the explained move
   * @returns {BoardOptions}
   */
  getBoardOptions(position) {
    const fact = this.drawnFact;
    if (!fact) return {};
    const previewStones = listFactStones(fact, position);
    return previewStones.length ? { fact, previewStones } : { fact };
  }
}

/**
 * The sentences about a fact in the language of the page.
 * @param {FactInfo} fact
 */
function getText({ text }) {
  const language = getLanguage();
  return text[language].join(language === "en" ? " " : "");
}

/**
 * @param {ExplainedMove | null} move
 * @param {string} [version]
 */
function getKey(move, version = move?.version ?? "") {
  return move ? `${move.position.notation} ${move.column} ${version}` : "";
}
