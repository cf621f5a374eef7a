// The comment next to the board: what the review found about the selected move, the better line, and the retry.

import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { createMistakeLabel } from "../ui/mistake_icons.js";
import { t } from "../words/language.js";
import { formatBetter, formatPraise } from "./review_text.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { ReviewedMove } from "../model/messages.d.ts" */
/** @import { Retry } from "./retry.js" */
/** @import { ReviewView } from "./review.js" */

const MAX_LINE_MOVES = 8;

/** @param {ReviewView} view */
export function createComment(view) {
  if (view.retry) return createRetryComment(view, view.retry);
  const node = view.commentedNode;
  const { review } = node;
  if (!review) return [createCommentHeader(view, createResultOrHelp(view))];
  const mark = view.getMark(node);
  const name = view.viewer.getMoverNames(node)[review.player];
  const verdict = mark ? createMistakeLabel(mark) : el("span", { class: "muted" }, formatPraise(review));
  const move = el("b", {}, t("review.comment.move", name, COLUMN_NAMES[node.column]));
  const summary = [createStoneIcon(review.player), " ", move, " ", verdict];
  const header = createCommentHeader(view, summary);
  const better = formatBetter(review);
  const result = view.viewer.formatResult(view.viewer.current);
  return [
    header,
    result ? el("p", { class: "small" }, t("review.result", result)) : null,
    better ? el("p", { class: "small" }, better) : null,
    mark ? view.reason.element : null,
    ...(better ? [createBetterLine(view, node, review), createMistakeActions(view, node, Boolean(mark))] : []),
  ];
}

/** @param {ReviewView} view */
function createResultOrHelp(view) {
  const { viewer } = view;
  const result = viewer.formatResult(viewer.current);
  if (result) return t("review.result", result);
  if (viewer.branchPly !== null) return t("review.comment.variation");
  return viewer.current.parent ? t("review.comment.none") : t("review.comment.start", view.listMistakes().length);
}

/**
 * The judgement and the buttons that lead to the previous and the next mistake.
 * @param {ReviewView} view
 * @param {import("../ui/dom.js").Child | import("../ui/dom.js").Child[]} content
 */
function createCommentHeader(view, content) {
  /**
   * @param {string} action
   * @param {string} word
   * @param {1 | -1} direction
   * @param {string} sign
   */
  const button = (action, word, direction, sign) =>
    createButton(action, sign, () => view.selectMistake(view.findMistake(direction)), {
      variant: "compact mistake-step",
      disabled: !view.findMistake(direction),
      "aria-label": t(word),
      title: t(word),
    });
  return el(
    "div",
    { class: "comment-header" },
    el("p", {}, content),
    el(
      "div",
      { class: "mistake-steps" },
      button("previous-mistake", "review.previous_mistake", -1, "‹ ?"),
      button("next-mistake", "review.next_mistake", 1, "? ›"),
    ),
  );
}

/**
 * The moves of the better line; each selects its position.
 * @param {ReviewView} view
 * @param {GameNode} node
 * @param {ReviewedMove} review
 */
function createBetterLine(view, node, review) {
  const { ply } = review;
  const { viewer } = view;
  const isShown = view.isBetterLine(node);
  const moves = review.pv.slice(0, MAX_LINE_MOVES).map((column, index) => {
    const isCurrent = isShown && viewer.current.ply === ply + index + 1;
    return createButton(`line-${index}`, COLUMN_NAMES[column], () => view.showBetterLine(node, index + 1), {
      variant: `move player-${(ply + index) % 2}-move`,
      "aria-current": isCurrent ? "true" : null,
      "aria-label": t("review.line.move", index + 1, COLUMN_NAMES[column]),
    });
  });
  const rest = review.pv.length > MAX_LINE_MOVES ? el("span", { class: "muted" }, "…") : null;
  return el(
    "div",
    { class: "better-line", role: "group", "aria-label": t("review.line") },
    el("span", { class: "small" }, t("review.line")),
    moves,
    rest,
  );
}

/**
 * @param {ReviewView} view
 * @param {GameNode} node
 * @param {boolean} isMistake
 */
function createMistakeActions(view, node, isMistake) {
  const isShown = view.isBetterLine(node);
  return el(
    "div",
    { class: "row comment-actions" },
    isMistake
      ? createButton("retry", t("review.retry"), () => view.startRetry(node), { variant: "primary compact" })
      : null,
    isShown
      ? createButton("hide-better", t("variation.return"), () => view.viewer.select(node), { variant: "compact" })
      : createButton("show-better", t("review.show_better"), () => view.showBetterLine(node), { variant: "compact" }),
  );
}

/**
 * @param {ReviewView} view
 * @param {Retry} retry
 */
function createRetryComment(view, retry) {
  const { tried } = retry;
  const variant = "compact";
  const solution = createButton("solution", t("retry.solution"), () => view.showBetterLine(retry.node), { variant });
  const next = createButton("next-retry", t("retry.next"), () => view.retryNextMistake(), {
    variant: tried?.isRight ? "primary compact" : variant,
    disabled: !view.findMistake(1),
  });
  const end = createButton("end-retry", t("variation.return"), () => view.viewer.select(retry.node), { variant });
  /** @type {HTMLElement[]} */
  let actions = [solution, end];
  if (tried?.isRight) actions = [next, solution, end];
  else if (tried?.isRight === false) {
    const again = createButton("try-again", t("retry.again"), () => retry.tryAgain(), { variant: "primary compact" });
    actions = [again, solution, next, end];
  }
  const icon = createStoneIcon(retry.review.player);
  return [
    el("p", {}, icon, " ", el("b", {}, retry.question)),
    tried ? createAnswer(retry.answer, tried.isRight) : el("p", { class: "small muted" }, t("retry.help")),
    el("div", { class: "row comment-actions" }, actions),
  ];
}

/**
 * @param {string} text
 * @param {boolean | null} isRight
 */
function createAnswer(text, isRight) {
  const [style, sign] = isRight === null ? ["muted", ""] : isRight ? ["right", "✓"] : ["wrong", "✗"];
  return el(
    "p",
    { class: `retry-answer ${style}` },
    sign ? el("b", { "aria-hidden": "true" }, sign) : null,
    ` ${text}`,
  );
}
