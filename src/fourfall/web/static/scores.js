// Owns how an evaluation reads: win chances and proofs, from the side to move or from the first player.

import { number, t } from "./language.js";

/** The same score for the other side. */
export function flipped(score) {
  const proof = { win: "loss", loss: "win" }[score.proof] ?? score.proof;
  return { ...score, win_chance: 1 - score.win_chance, proof };
}

/** A score of the side to move, turned to the first player. */
export function forFirst(score, turn) {
  return turn === 0 ? score : flipped(score);
}

export function percent(chance) {
  return `${number(100 * chance)}${t("percent")}`;
}

/** "wins in 17", "a draw", "63 %": for the player the score belongs to. */
export function scoreText(score) {
  if (score.proof === "draw") return t("proof.draw");
  if (score.proof)
    return score.distance === null || score.distance === undefined
      ? t(`proof.${score.proof}`)
      : t(`proof.${score.proof}.in`, score.distance);
  return percent(score.win_chance);
}

/** A whole sentence about a position, for the bar and the graph: the better side first. */
export function verdict(first, names) {
  if (first.proof === "draw") return t("proof.draw");
  const better = first.win_chance >= 0.5 ? 0 : 1;
  return t("verdict", names[better], scoreText(better === 0 ? first : flipped(first)), Boolean(first.proof));
}

/** Height of a win chance in the graph, -1 to 1; the middle is stretched, so that one swing flattens nothing. */
export function height(chance) {
  const edge = 2 * Math.min(Math.max(chance, 0), 1) - 1;
  return Math.sign(edge) * Math.abs(edge) ** 0.6;
}
