// The note below an analysis "until stopped" that reached the server's limit of time, with a button to continue it.

import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { formatNumber, t } from "../words/language.js";

/** @import { AnalysisReply } from "../model/messages.d.ts" */

/**
 * @param {AnalysisReply | null} analysis
 * @param {() => unknown} onResume
 */
export function createLimitNote(analysis, onResume) {
  if (!analysis?.done || !analysis.can_resume) return null;
  return el(
    "div",
    { class: "row limit-note", role: "status" },
    el("span", { class: "small" }, t("engine.limit", formatNumber(Math.round(analysis.seconds)))),
    createButton("resume", t("engine.resume"), onResume, { variant: "compact" }),
  );
}
