// The texts and buttons of a lesson: its introduction and tasks, and the judgement of a move.

import { isSolved, LESSONS } from "../model/lessons.js";
import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { t } from "../words/language.js";

/** @import { LessonPage } from "./lessons.js" */

/**
 * The introduction of the lesson and its tasks.
 * @param {LessonPage} page
 */
export function createLessonCard(page) {
  const { lesson } = page;
  const tasks = lesson.tasks.map((task, index) => {
    const solved = isSolved(lesson, task);
    const label = t(solved ? "lesson.task.solved" : "lesson.task.number", index + 1);
    return el(
      "li",
      {},
      createButton(`task-${index + 1}`, solved ? `${index + 1} ✓` : index + 1, () => page.start(task), {
        variant: "compact",
        "aria-label": label,
        "aria-current": task === page.task ? "step" : null,
      }),
    );
  });
  return el(
    "section",
    { class: "card lesson-card" },
    el("p", { class: "small muted" }, t("lesson.number", page.lessonNumber, LESSONS.length)),
    el("h2", {}, t(`lesson.title.${lesson.id}`)),
    el("p", {}, t(`lesson.about.${lesson.id}`)),
    el("ol", { class: "lesson-tasks", "aria-label": t("lesson.tasks") }, tasks),
    el("a", { href: "#learn" }, t("lesson.back")),
  );
}

/**
 * The judgement of the last move, its reason and what the user can do next.
 * @param {LessonPage} page
 */
export function createFeedback(page) {
  const { phase, feedbackText } = page;
  if (!feedbackText) return null;
  const [style, sign] = phase === "wrong" ? ["wrong", "✗"] : ["right", "✓"];
  return [
    el("p", { class: `retry-answer ${style}` }, el("b", { "aria-hidden": "true" }, sign), ` ${feedbackText}`),
    page.reason.element,
    el("div", { class: "row" }, createActions(page)),
  ];
}

/** @param {LessonPage} page */
function createActions(page) {
  if (page.phase === "wrong") {
    return createButton("try-again", t("lesson.again"), () => page.tryAgain(), {
      variant: "primary",
      "aria-keyshortcuts": "r",
    });
  }
  if (page.phase !== "right") return null;
  const isLast = page.taskNumber === page.lesson.tasks.length;
  if (isLast && !page.nextLesson) {
    return [
      el("p", {}, t("lesson.all_done")),
      createButton("play-level", t("lesson.play"), () => page.playGame(), { variant: "primary" }),
    ];
  }
  return createButton("next", t(isLast ? "lesson.next_lesson" : "lesson.next_task"), () => page.next(), {
    variant: "primary",
    "aria-keyshortcuts": "n",
  });
}
