// Kinds of mistakes that a review distinguishes.

/** @import { MistakeKind, Thresholds } from "./messages.d.ts" */

/** The smallest mistake first. @type {MistakeKind[]} */
export const MISTAKE_KINDS = ["inaccuracy", "mistake", "blunder"];

/** Signs of chess notation. @type {Record<MistakeKind, string>} */
export const MISTAKE_SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * The largest kind of mistake whose threshold a loss of win chance reaches; "" if it reaches none.
 * @param {number} loss
 * @param {Thresholds} thresholds
 * @returns {"" | MistakeKind}
 */
export function classifyLoss(loss, thresholds) {
  return MISTAKE_KINDS.findLast((kind) => loss >= thresholds[kind]) ?? "";
}

/**
 * Set one threshold. Smaller kinds keep a threshold at most as high, larger kinds one at least as high.
 * @param {Thresholds} thresholds
 * @param {MistakeKind} kind
 * @param {number} value
 * @returns {Thresholds}
 */
export function replaceThreshold(thresholds, kind, value) {
  const changed = { ...thresholds };
  MISTAKE_KINDS.forEach((other, index) => {
    const isSmaller = index < MISTAKE_KINDS.indexOf(kind);
    changed[other] = isSmaller ? Math.min(changed[other], value) : Math.max(changed[other], value);
  });
  changed[kind] = value;
  return changed;
}
