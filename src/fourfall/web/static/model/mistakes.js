// Kinds of mistakes that a review distinguishes, and the rules that decide about a move.

/** @import { MistakeKind, ReviewedMove, ScoreInfo, Thresholds } from "./messages.d.ts" */

/** The smallest mistake first. @type {MistakeKind[]} */
export const MISTAKE_KINDS = ["inaccuracy", "mistake", "blunder"];

/** Signs of chess notation. @type {Record<MistakeKind, string>} */
export const MISTAKE_SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** A proven win is kept from this win chance on, even if it is no longer proven. The server has the same rule. */
export const PROVEN_WIN_KEPT = 0.98;

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
 * The kind of mistake of a reviewed move; "" for a good move. A missed win is at least an inaccuracy.
 * @param {ReviewedMove} move
 * @param {Thresholds} thresholds
 * @returns {"" | MistakeKind}
 */
export function classifyMove({ best, column, loss, missed_win }, thresholds) {
  if (best === column) return "";
  return classifyLoss(loss, thresholds) || (missed_win ? MISTAKE_KINDS[0] : "");
}

/**
 * Whether a move is as good as the best one: it loses less than an inaccuracy and keeps a proven win.
 * @param {ScoreInfo} best of the player who moves
 * @param {ScoreInfo} tried of the same player
 * @param {Thresholds} thresholds
 */
export function isAsGood(best, tried, thresholds) {
  if (best.proof === "win") {
    if (best.distance === 1) return tried.proof === "win" && tried.distance === 1;
    return tried.proof === "win" || tried.win_chance >= PROVEN_WIN_KEPT;
  }
  return best.win_chance - tried.win_chance < thresholds.inaccuracy;
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
