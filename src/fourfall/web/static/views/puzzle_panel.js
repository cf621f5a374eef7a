// The cards beside a puzzle: task, verdict, hints and buttons; rating and streak; the choice of a theme.

import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { createButton, createSelectField } from "../ui/form_fields.js";
import { formatNumber, getLanguage, t } from "../words/language.js";
import { formatOutcome, formatStatus, formatTask, joinSentences } from "./puzzle_text.js";

/** @import { PuzzleAttempt } from "../model/puzzle_attempt.js" */
/** @import { PuzzlesPage } from "./puzzles.js" */

/** @param {PuzzlesPage} page */
export function createPuzzleCard(page) {
  const { attempt, hasFailed, list } = page;
  const heading = el("h2", {}, t("puzzles.title"));
  if (attempt) {
    const isRepeated = formatStatus(attempt) === formatTask(attempt);
    return [
      el("div", { class: "row spread" }, heading, createFacts(page)),
      el(
        "p",
        { class: `puzzle-task ${isRepeated ? "repeated" : ""}` },
        createStoneIcon(attempt.player),
        formatTask(attempt),
      ),
      createNote(page),
      createVerdict(page, attempt),
      createHints(page, attempt),
      createReasons(page, attempt),
      createButtons(page, attempt),
    ];
  }
  if (hasFailed) {
    const retry = createButton("retry-loading", t("button.retry"), () => page.retryLoading(), { variant: "primary" });
    return [heading, el("p", {}, t("puzzles.failed")), el("div", { class: "row" }, retry)];
  }
  return [heading, el("p", { class: "muted" }, t(list ? "puzzles.none" : "page.loading"))];
}

/** @param {PuzzlesPage} page */
function createFacts({ attempt, isOwn }) {
  if (isOwn) return el("span", { class: "puzzle-own" }, t("puzzles.own"));
  return el("span", { class: "small muted" }, t("puzzles.number", attempt?.puzzle.rating ?? 0));
}

/** @param {PuzzlesPage} page */
function createNote({ isRepeated, ownMistake }) {
  if (isRepeated) return el("p", { class: "small muted" }, t("puzzles.repeated"));
  if (!ownMistake) return null;
  return el("p", { class: "small muted" }, t("puzzles.own.help", COLUMN_NAMES[ownMistake.column]));
}

/**
 * @param {PuzzlesPage} page
 * @param {PuzzleAttempt} attempt
 */
function createVerdict(page, attempt) {
  const { feedback, phase } = attempt;
  if (!feedback && phase !== "shown") return null;
  const isRight = feedback?.kind === "right" || feedback?.kind === "also_right";
  const kind = isRight ? "right" : feedback?.kind === "wrong" ? "wrong" : "";
  return el(
    "div",
    { class: `puzzle-verdict ${kind}`.trim() },
    el("strong", {}, formatStatus(attempt)),
    formatOutcome(page) || (kind === "wrong" ? t("puzzles.wrong.playing") : null),
    phase === "wrong" ? el("p", { class: "small muted" }, t("puzzles.wrong.help")) : null,
  );
}

/**
 * @param {PuzzlesPage} page
 * @param {PuzzleAttempt} attempt
 */
function createHints({ hints }, attempt) {
  const shown = attempt.phase === "asking" ? hints.slice(0, attempt.hints) : [];
  if (!shown.length) return null;
  return el(
    "div",
    { class: "stack" },
    el("h3", {}, t("puzzles.hints")),
    el(
      "ol",
      { class: "puzzle-hints" },
      shown.map((hint) => el("li", {}, hint)),
    ),
    el("p", { class: "small muted" }, t("puzzles.hint.cost")),
  );
}

/**
 * At the end: the coach's reasons for the solution, and the themes.
 * @param {PuzzlesPage} page
 * @param {PuzzleAttempt} attempt
 */
function createReasons({ details, list }, { isOver, puzzle }) {
  if (!isOver) return null;
  const language = getLanguage();
  const names = puzzle.themes.flatMap((kind) => list?.themes.find((theme) => theme.kind === kind)?.[language] ?? []);
  return [
    details ? el("h3", {}, t("puzzles.why")) : null,
    details ? el("p", {}, joinSentences(details.reasons)) : null,
    names.length
      ? el("p", { class: "small muted" }, t("puzzles.themes", names.join(language === "en" ? ", " : "、")))
      : null,
  ];
}

/**
 * @param {PuzzlesPage} page
 * @param {PuzzleAttempt} attempt
 */
function createButtons(page, attempt) {
  const { phase, hints, start } = attempt;
  const isRefuted = attempt.feedback?.kind === "wrong";
  if (attempt.isOver) {
    return el(
      "div",
      { class: "row" },
      createButton("next-puzzle", t("puzzles.next"), () => page.showNext(), { variant: "primary" }),
      createButton("analyse", t("game.analyse"), () => page.app.openAnalyse({ position: start, info: {} })),
    );
  }
  const { length } = page.hints;
  const isLast = hints === length - 1 && (attempt.step > 0 || page.details !== null);
  const hintLabel = t(isLast ? "puzzles.hint.last" : hints ? "puzzles.hint.next" : "puzzles.hint");
  return el(
    "div",
    { class: "row" },
    isRefuted
      ? createButton("try-again", t("puzzles.again"), () => attempt.tryAgain(), { variant: "primary" })
      : createButton("hint", hintLabel, () => page.giveHint(), { disabled: phase !== "asking" || hints >= length }),
    createButton("solution", t("puzzles.solution"), () => attempt.showSolution(), {
      disabled: phase === "playing" && !isRefuted,
    }),
    createButton("skip", t("puzzles.skip"), () => page.showNext(), { variant: "secondary" }),
  );
}

/** @param {PuzzlesPage} page */
export function createProgressCard({ progress, isKept }) {
  const { rating, streak, bestStreak, scores } = progress;
  const solved = scores.filter(([, score]) => score > 0).length;
  const value = t("puzzles.rating.value", Math.round(rating.rating), Math.round(2 * rating.deviation));
  const entries = [
    [t("puzzles.rating"), value],
    [t("puzzles.streak"), formatNumber(streak)],
    [t("puzzles.tried"), t("puzzles.tried.value", formatNumber(solved), formatNumber(scores.length))],
    [t("puzzles.streak.best"), formatNumber(bestStreak)],
  ];
  return [
    el("h2", {}, t("puzzles.progress")),
    el(
      "dl",
      { class: "puzzle-progress" },
      entries.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))),
    ),
    isKept ? null : el("p", { class: "error-text", role: "status" }, t("puzzles.not_kept")),
    el("p", { class: "small muted" }, t("puzzles.rating.help")),
  ];
}

/** @param {PuzzlesPage} page */
export function createFilterCard(page) {
  const { list, theme, ownPuzzles } = page;
  const language = getLanguage();
  /** @type {[string, string][]} */
  const options = (list?.themes ?? []).map((each) => [each.kind, capitalize(each[language])]);
  return [
    createSelectField({
      label: t("puzzles.theme"),
      value: theme,
      options: [["", t("puzzles.theme.all")], ...options],
      field: "puzzle-theme",
      onChange: (chosen) => page.setTheme(chosen),
    }),
    el(
      "p",
      { class: "small muted" },
      ownPuzzles.length ? t("puzzles.own.count", ownPuzzles.length) : t("puzzles.own.none"),
    ),
    el("p", { class: "small muted" }, t("puzzles.keys")),
  ];
}

/** @param {string} text */
function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
