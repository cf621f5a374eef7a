// Owns the card that says what the engine thinks: its switch and settings, the verdict, the line, the cost.

import { el } from "./dom.js";
import { button, enginePicker, picker } from "./fields.js";
import { compact, number, t } from "./language.js";
import { queuedText } from "./notice.js";
import { NAMES } from "./rules.js";
import { forFirst, verdict } from "./scores.js";

export const BUDGETS = {
  "1s": { time_s: 1 },
  "5s": { time_s: 5 },
  "20s": { time_s: 20 },
  endless: { time_s: null },
  "10k": { nodes: 10_000 },
  "100k": { nodes: 100_000 },
  "1M": { nodes: 1_000_000 },
};

/** Heading with the switch, and the two lists; `view` is Analyse. */
export function engineControls(view) {
  const { on, budget } = view.settings;
  const budgets = Object.keys(BUDGETS).map((name) => [name, t(`budget.${name}`)]);
  return [
    el(
      "div",
      { class: "row spread" },
      el("h2", {}, t("engine.title")),
      button("engine", t(on ? "engine.on" : "engine.off"), () => view.flip(), { "aria-pressed": String(on) }),
    ),
    el(
      "div",
      { class: "pair" },
      enginePicker(view, "engine-name"),
      picker({
        label: t("engine.budget"),
        value: budget,
        options: budgets,
        field: "budget",
        pick: (chosen) => view.choose({ budget: chosen }),
      }),
    ),
  ];
}

/** The words for a position: `queued` is the place in the queue, or null. */
export function engineWords({ analysis, position }, { sides, show, queued }) {
  const lines = [];
  if (position.isOver) lines.push(headline(position.four ? t("won", sides[1 - position.turn]) : t("draw")));
  else if (analysis) lines.push(headline(verdict(forFirst(analysis.score, position.turn), sides)));
  else lines.push(headline(queued ? "" : t("engine.waiting"), "faint"));
  if (queued) lines.push(el("p", { class: "small" }, queuedText(queued)));
  if (analysis && show.line && analysis.line?.length) {
    const moves = analysis.line.map((column) => NAMES[column]).join(" ");
    lines.push(el("p", { class: "small code" }, el("span", { class: "faint" }, `${t("line")} `), moves));
  }
  if (analysis?.nodes && show.figures) {
    const { nodes, speed, depth, seconds } = analysis;
    const text = t("figures", compact(nodes), compact(speed), depth, number(seconds, 1));
    lines.push(el("p", { class: "small faint figures" }, text));
  }
  return lines;
}

function headline(text, kind = "") {
  return el("p", { class: `verdict ${kind}` }, text);
}
