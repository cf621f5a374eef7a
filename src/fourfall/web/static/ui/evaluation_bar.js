// The vertical evaluation bar beside the board: the first player's win chance.

import { t } from "../words/language.js";
import { formatEvaluation } from "../words/score_text.js";
import { el } from "./dom.js";

/** @import { ScoreInfo } from "../model/messages.d.ts" */

export class EvaluationBar {
  constructor() {
    this.share = el("div", { class: "first-share" });
    this.element = el(
      "div",
      { class: "evaluation-bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 },
      this.share,
      el("div", { class: "middle" }),
    );
  }

  /**
   * @param {ScoreInfo | null} score of the first player
   * @param {[string, string]} sides
   */
  show(score, sides) {
    const percent = 100 * (score?.win_chance ?? 0.5);
    const text = score ? formatEvaluation(score, sides) : "";
    this.share.style.height = `${percent}%`;
    this.element.title = text;
    this.element.setAttribute("aria-label", t("bar.label"));
    this.element.setAttribute("aria-valuenow", String(Math.round(percent)));
    this.element.setAttribute("aria-valuetext", text || t("score.unknown"));
  }
}
