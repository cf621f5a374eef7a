// The start page of Learn: one card for each way to learn.

import { countSolved, LESSONS } from "../model/lessons.js";
import { el, replaceContent } from "../ui/dom.js";
import { loadStyle } from "../ui/style_sheet.js";
import { addWords, t } from "../words/language.js";
import { words as en } from "../words/lessons_en.js";
import { words as zh } from "../words/lessons_zh.js";
import { createPuzzlesCard } from "./puzzles_card.js";

/** @import { App } from "../app.js" */
/** @import { LearnPage } from "./learn.js" */

/** Functions that create the cards, in their order. @type {((app: App) => HTMLElement)[]} */
const CARDS = [createLessonsCard, createPuzzlesCard];

addWords(en, zh);
const styleIsLoaded = loadStyle("styles/lessons.css");

/**
 * @param {App} app
 * @returns {Promise<LearnPage>}
 */
export async function createStartPage(app) {
  await styleIsLoaded;
  const main = el("div", { class: "learn-cards" });
  return {
    main,
    sidebar: el("div", { hidden: true }),
    enter: () => {},
    leave: () => {},
    render: () =>
      replaceContent(
        main,
        CARDS.map((create) => create(app)),
      ),
    getShortcuts: () => ({ keys: {} }),
  };
}

/** The list of the lessons with the progress of each. */
function createLessonsCard() {
  const items = LESSONS.map((lesson, index) => {
    const [solved, all] = [countSolved(lesson), lesson.tasks.length];
    const state = solved === all ? t("lesson.done") : t("lesson.progress", solved, all);
    return el(
      "li",
      {},
      el(
        "a",
        { href: `#lesson=${index + 1}`, dataset: { focusKey: `lesson-${index + 1}` } },
        el("b", {}, t(`lesson.title.${lesson.id}`)),
        el("span", { class: "small muted" }, t(`lesson.summary.${lesson.id}`)),
        el("span", { class: `small lesson-state ${solved === all ? "done" : ""}` }, state),
      ),
    );
  });
  return el(
    "section",
    { class: "card" },
    el("h2", {}, t("lesson.list")),
    el("p", { class: "small" }, t("lesson.list.about")),
    el("ol", { class: "lesson-list" }, items),
  );
}
