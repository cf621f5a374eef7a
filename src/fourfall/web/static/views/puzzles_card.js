// The card "Find the move" on the start page of Learn.

import { loadMistakes } from "../model/own_mistakes.js";
import { loadProgress } from "../model/puzzle_progress.js";
import { el } from "../ui/dom.js";
import { addWords, t } from "../words/language.js";
import { words as en } from "../words/puzzles_en.js";
import { words as zh } from "../words/puzzles_zh.js";

addWords(en, zh);

export function createPuzzlesCard() {
  const { rating, streak, scores } = loadProgress();
  const solved = scores.filter(([, score]) => score > 0).length;
  const mistakes = loadMistakes().length;
  return el(
    "section",
    { class: "card" },
    el("h2", {}, t("puzzles.title")),
    el("p", { class: "small" }, t("puzzles.about")),
    scores.length
      ? el("p", { class: "small" }, t("puzzles.card.progress", Math.round(rating.rating), solved, streak))
      : null,
    mistakes ? el("p", { class: "small" }, t("puzzles.card.own", mistakes)) : null,
    el(
      "div",
      { class: "row" },
      el("a", { class: "button", href: "#puzzles", dataset: { focusKey: "puzzles" } }, t("puzzles.open")),
    ),
  );
}
