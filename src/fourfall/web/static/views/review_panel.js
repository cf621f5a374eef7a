// The parts of Review besides the comment: start and progress, accuracy, list of mistakes, thresholds.

import { MISTAKE_KINDS, MISTAKE_SIGNS } from "../model/mistakes.js";
import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { createButton, createEngineField, createNumberField, createTimeField } from "../ui/form_fields.js";
import { createMistakeIcon } from "../ui/mistake_icons.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { formatPercent } from "../words/score_text.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { MistakeKind, Player, ReviewReply, ReviewedMove } from "../model/messages.d.ts" */
/** @import { ReviewView, RunningReview } from "./review.js" */

const MOVE_TIMES_S = [0.1, 0.2, 0.5, 1, 2];

/** @param {ReviewView} view */
export function createReviewPanel(view) {
  const { result, job } = view;
  const isEmpty = view.viewer.lastPosition.moves.length === 0;
  const isVariation = view.viewer.branchPly !== null;
  const finished = result?.finished ? result : null;
  return [
    el("h2", {}, t(isVariation ? "review.title.variation" : "review.title")),
    job ? createProgress(view, job) : null,
    ...(job || finished ? [] : createStartForm(view)),
    isEmpty ? el("p", { class: "small muted" }, t("review.empty")) : null,
    finished ? createAccuracy(view, finished) : null,
    result ? createThresholdFields(view) : null,
    finished && !job ? createRestartForm(view) : null,
  ];
}

/** @param {ReviewView} view */
function createStartForm(view) {
  const isVariation = view.viewer.branchPly !== null;
  return [
    el(
      "div",
      { class: "two-columns" },
      createEngineField({
        app: view.app,
        value: view.settings.engine,
        field: "review-engine",
        onChange: (engine) => view.settings.change({ engine }),
      }),
      createTimeField({
        label: t("review.move_time"),
        value: view.settings.moveTime,
        times: MOVE_TIMES_S,
        field: "review-time",
        onChange: (seconds) => view.settings.change({ move_time_s: seconds }),
      }),
    ),
    createButton("start-review", t(isVariation ? "review.start.variation" : "review.start"), () => view.start(), {
      variant: "primary wide",
      disabled: view.viewer.lastPosition.moves.length === 0,
    }),
  ];
}

/** @param {ReviewView} view */
function createRestartForm(view) {
  return el("details", {}, el("summary", {}, t("review.again")), el("div", { class: "stack" }, createStartForm(view)));
}

/**
 * @param {ReviewView} view
 * @param {RunningReview} job
 */
function createProgress(view, { done, total, queuePlace }) {
  const text = queuePlace ? t("queue.review", queuePlace) : t("review.progress", done, total || "…");
  const stop = createButton("stop-review", t("button.stop"), () => view.cancel());
  return el(
    "div",
    { class: "stack" },
    el("label", { class: "field" }, text, el("progress", { max: total || 1, value: done })),
    el("div", { class: "row" }, stop),
  );
}

/**
 * @param {ReviewView} view
 * @param {ReviewReply} result
 */
function createAccuracy(view, result) {
  const names = view.viewer.branchPly === null ? view.viewer.getPlayerNames() : getSideNames();
  /** @param {Player} player */
  const box = (player) => {
    const value = result.accuracy[player];
    const text = value === null ? "–" : formatPercent(value / 100, 1);
    return el("div", {}, createStoneIcon(player), el("span", {}, names[player]), el("strong", {}, text));
  };
  return el("div", { class: "accuracy" }, box(0), box(1), el("p", { class: "small muted" }, t("review.accuracy")));
}

/** @param {ReviewView} view */
export function createMistakeList(view) {
  if (!(view.viewer.info.review ?? view.result)?.finished) return [];
  const items = view.listMistakes().map((node) => {
    const mark = view.getMark(node);
    return node.review && mark ? el("li", {}, createMistakeButton(view, node, node.review, mark)) : null;
  });
  if (!items.length) return [el("p", {}, t("review.no_mistakes"))];
  return [
    el("h3", {}, t("review.mistakes", items.length)),
    el("ul", { class: "mistakes", "aria-label": t("review.mistakes", items.length) }, items),
  ];
}

/**
 * @param {ReviewView} view
 * @param {GameNode} node
 * @param {ReviewedMove} review
 * @param {MistakeKind} mark
 */
function createMistakeButton(view, node, review, mark) {
  const side = getSideNames()[review.player];
  const move = t("move.label", node.ply, side, COLUMN_NAMES[node.column]);
  const label = t("review.mistake", move, t(`mark.${mark}`), formatPercent(review.loss));
  return el(
    "button",
    {
      type: "button",
      class: `secondary ${mark}`,
      title: label,
      "aria-label": label,
      "aria-current": view.commentedNode === node ? "true" : null,
      dataset: { ply: review.ply, mark, focusKey: `mistake-${node.ply}` },
      on: { click: () => view.selectMistake(node) },
    },
    createStoneIcon(review.player),
    el("span", {}, `${node.ply}.`),
    createMistakeIcon(mark),
    el("b", {}, MISTAKE_SIGNS[mark]),
  );
}

/** @param {ReviewView} view */
function createThresholdFields(view) {
  const fields = MISTAKE_KINDS.map((kind) =>
    createNumberField({
      label: `${MISTAKE_SIGNS[kind]} ${t(`mark.${kind}`)}`,
      value: Math.round(100 * view.settings.thresholds[kind]),
      min: 1,
      max: 100,
      field: `threshold-${kind}`,
      onChange: (percent) => view.setThreshold(kind, percent / 100),
    }),
  );
  const toggle = () => {
    view.isThresholdsOpen = details.open;
  };
  const details = el(
    "details",
    { open: view.isThresholdsOpen, on: { toggle } },
    el("summary", {}, t("review.thresholds")),
    el("p", { class: "small muted" }, t("review.thresholds.help")),
    el("div", { class: "row thresholds" }, fields),
  );
  return details;
}
