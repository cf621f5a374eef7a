// The vertical evaluation bar beside the board: the win chance of the side whose values are shown, from the bottom.

import { t } from "../words/language.js";
import { formatEvaluation, formatPerspective } from "../words/score_text.js";
import { el } from "./dom.js";

/** @import { Player, ScoreInfo } from "../model/messages.d.ts" */

export class EvaluationBar {
  constructor() {
    this.share = el("div", { class: "share" });
    this.element = el(
      "div",
      { class: "evaluation-bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 },
      this.share,
      el("div", { class: "middle" }),
    );
  }

  /**
   * @param {ScoreInfo | null} score of the player `side`
   * @param {Player} side
   */
  show(score, side) {
    const percent = 100 * (score?.win_chance ?? 0.5);
    const text = score ? formatEvaluation(score, side) : "";
    this.element.dataset.side = String(side);
    this.share.style.height = `${percent}%`;
    this.element.title = text;
    this.element.setAttribute("aria-label", `${t("bar.label")}. ${formatPerspective(side)}`);
    this.element.setAttribute("aria-valuenow", String(Math.round(percent)));
    this.element.setAttribute("aria-valuetext", text || t("score.unknown"));
  }
}
