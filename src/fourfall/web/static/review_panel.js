// Owns how a review is shown: progress, accuracy, the list of mistakes, thresholds, and the words about one move.

import { el } from "./dom.js";
import { button, enginePicker, numberField, timePicker } from "./fields.js";
import { number, t } from "./language.js";
import { MARKS } from "./moves.js";
import { queuedText } from "./notice.js";
import { NAMES } from "./rules.js";
import { scoreText } from "./scores.js";
import { badge } from "./stones.js";

const TIMES = [0.1, 0.2, 0.5, 1, 2];

/** The card's content for `view`, the Review in front. */
export function reviewPanel(view) {
  const { result, run } = view;
  const empty = view.study.whole.moves.length === 0;
  const again = () =>
    el("details", {}, el("summary", {}, t("review.again")), el("div", { class: "stack" }, start(view)));
  return [
    el("h2", {}, t("review.title")),
    run ? progress(view) : null,
    run || result?.finished ? null : start(view),
    empty ? el("p", { class: "small faint" }, t("review.empty")) : null,
    result?.finished ? [accuracy(view), mistakes(view)] : null,
    result ? thresholds(view) : null,
    result?.finished && !run ? again() : null,
  ];
}

function start(view) {
  return [
    el(
      "div",
      { class: "pair" },
      enginePicker(view, "review-engine"),
      timePicker({
        label: t("review.time"),
        value: view.time,
        times: TIMES,
        field: "review-time",
        pick: (time_s) => view.choose({ time_s }),
      }),
    ),
    button("start-review", t("review.start"), () => view.start(), {
      kind: "primary wide",
      disabled: view.study.whole.moves.length === 0,
    }),
  ];
}

function progress(view) {
  const { done = 0, total = 0, place } = view.run;
  const words = place ? queuedText(place) : t("review.progress", done, total || "…");
  return el(
    "div",
    { class: "stack" },
    el("label", { class: "field" }, words, el("progress", { max: total || 1, value: done })),
    el(
      "div",
      { class: "row" },
      button("stop-review", t("stop"), () => view.cancel()),
    ),
  );
}

function accuracy(view) {
  const names = view.study.playerNames();
  const share = (value) => (value === null ? "–" : `${number(value, 1)}${t("percent")}`);
  const boxes = view.result.accuracy.map((value, player) =>
    el("div", {}, badge(player), el("span", {}, names[player]), el("strong", {}, share(value))),
  );
  return el("div", { class: "accuracy" }, boxes, el("p", { class: "small faint" }, t("accuracy")));
}

function mistakes(view) {
  const found = view.marked();
  if (!found.length) return el("p", {}, t("review.clean"));
  const item = (node) =>
    el(
      "button",
      {
        type: "button",
        class: "quiet",
        dataset: { ply: node.review.ply, mark: view.markOf(node), keep: `mistake-${node.ply}` },
        on: { click: () => view.study.go(node) },
      },
      badge(node.review.player),
      el("span", {}, t("mistake.line", node.ply, NAMES[node.column])),
      markWords(view.markOf(node)),
      el("span", { class: "faint" }, `−${number(100 * node.review.loss)}${t("percent")}`),
    );
  const items = found.map((node) => el("li", {}, item(node)));
  return el("ul", { class: "mistakes", "aria-label": t("mistakes") }, items);
}

function markWords(mark) {
  return el("b", { class: mark }, `${MARKS[mark]} ${t(`mark.${mark}`)}`);
}

function thresholds(view) {
  const field = (step) =>
    numberField({
      label: `${MARKS[step]} ${t(`mark.${step}`)}`,
      value: Math.round(100 * view.thresholds[step]),
      min: 1,
      max: 100,
      field: `threshold-${step}`,
      pick: (percent) => view.setThreshold(step, percent / 100),
    });
  const remember = (event) => {
    view.thresholdsOpen = event.target.open;
  };
  return el(
    "details",
    { open: view.thresholdsOpen, on: { toggle: remember } },
    el("summary", {}, t("thresholds")),
    el("p", { class: "small faint" }, t("thresholds.how")),
    el("div", { class: "row thresholds" }, Object.keys(MARKS).map(field)),
  );
}

/** What the review says of the move that led to a position, with the ways on from there. */
export function moveWords(view, node) {
  const found = node.review;
  if (!found) return [];
  const mark = view.markOf(node);
  const name = view.study.playerNames()[found.player];
  const isBest = found.best === found.column;
  const praise = el("span", { class: "faint" }, t(isBest ? "comment.best" : "comment.fine"));
  const said = el("b", {}, t("comment.move", name, NAMES[node.column]));
  const lines = [el("p", {}, badge(found.player), " ", said, " ", mark ? markWords(mark) : praise)];
  if (isBest) return lines;
  const [before, after] = [scoreText(found.score_before), scoreText(found.score_after)];
  lines.push(
    el("p", { class: "small" }, t("comment.better", NAMES[found.best], before, after)),
    el(
      "div",
      { class: "row" },
      button("better", t("better.show"), () => view.showBetter(node)),
      button("retry", t("retry"), () => view.app.playFrom(node.parent.position), { kind: mark ? "primary" : "" }),
    ),
  );
  return lines;
}
