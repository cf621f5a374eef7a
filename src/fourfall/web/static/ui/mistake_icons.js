// Signs of the kinds of mistakes: each kind has its own shape and colour, in the graph, the lists and the comments.

import { MISTAKE_SIGNS } from "../model/mistakes.js";
import { t } from "../words/language.js";
import { el, svg } from "./dom.js";

/** @import { MistakeKind } from "../model/messages.d.ts" */

/** Triangle, square and cross, with the centre at 0, 0. @type {Record<MistakeKind, string>} */
const MISTAKE_SHAPES = {
  inaccuracy: "M0-5.500L5.500 4.500H-5.500Z",
  mistake: "M-4.500-4.500H4.500V4.500H-4.500Z",
  blunder: "M-5-5L5 5M5-5L-5 5",
};

/**
 * The shape of a kind of mistake, to be placed in a drawing.
 * @param {MistakeKind} kind
 * @param {string} [transform]
 */
export function drawMistakeShape(kind, transform) {
  return svg("g", { class: `mistake-shape ${kind}`, transform }, svg("path", { d: MISTAKE_SHAPES[kind] }));
}

/** @param {MistakeKind} kind */
export function createMistakeIcon(kind) {
  return svg("svg", { class: "mistake-icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, drawMistakeShape(kind));
}

/**
 * Shape, sign and name of a kind of mistake.
 * @param {MistakeKind} kind
 */
export function createMistakeLabel(kind) {
  const text = `${MISTAKE_SIGNS[kind]} ${t(`mark.${kind}`)}`;
  return el("b", { class: `mistake-label ${kind}` }, createMistakeIcon(kind), text);
}
