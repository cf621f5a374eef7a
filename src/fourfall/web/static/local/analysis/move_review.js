// Compares a played move with the best one, names mistakes and finds the turning point of a lost game.
//
// The rules are those of fourfall.arena.move_review and fourfall.arena.mistakes.

import { classifyLoss, PROVEN_WIN_KEPT } from "../../model/mistakes.js";

/** @import { MistakeKind, ScoreInfo, Thresholds } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { SearchAnalysis } from "../types.d.ts" */

/** @typedef {Pick<SearchAnalysis, "score" | "move" | "pv" | "columns">} SearchResult */
/** @typedef {{ply: number, winChance: number, loss: number}} MoveLoss */

const EVEN_CHANCE = 0.5;
const MIN_TURNING_LOSS = 0.1;
const ACCURACY_DECAY = 4.5;
const NEAR_WIN = 0.95;
const NEAR_WIN_KEPT = 0.9;

/** @param {number} distance @returns {ScoreInfo} */
const win = (distance) => ({ win_chance: 1, proof: "win", distance });
/** @param {number} distance @returns {ScoreInfo} */
const draw = (distance) => ({ win_chance: 0.5, proof: "draw", distance });
/** @param {number} distance @returns {ScoreInfo} */
const loss = (distance) => ({ win_chance: 0, proof: "loss", distance });

/**
 * The result of a position in which the game is over, for the side that would move next; it has no best move.
 * @param {Position} position
 * @returns {SearchResult}
 */
export function describeFinishedGame(position) {
  return { score: position.winningCells ? loss(0) : draw(0), move: -1, pv: [], columns: [] };
}

/**
 * Convert the score of the position after a move to the score of the move, for the player who made it.
 * @param {ScoreInfo} score
 * @returns {ScoreInfo}
 */
export function scoreForMover(score) {
  const distance = (score.distance ?? 0) + 1;
  if (score.proof === "win") return loss(distance);
  if (score.proof === "loss") return win(distance);
  if (score.proof === "draw") return draw(distance);
  return { win_chance: roundChance(1 - score.win_chance), proof: null, distance: null };
}

/**
 * Compare two scores of one player: positive if the first is better. A fast win and a slow loss are better than slow
 * wins and fast losses; between a proof and an estimate the win chance decides, and a proven win is above all estimates.
 * @param {ScoreInfo} a
 * @param {ScoreInfo} b
 */
export function compareScores(a, b) {
  return rank(a) - rank(b);
}

/** @param {ScoreInfo} score */
function rank({ win_chance, proof, distance }) {
  const plies = (distance ?? 0) / 1000;
  if (proof === "win") return 3 - plies;
  if (proof === "loss") return -3 + plies;
  return win_chance;
}

/**
 * The best move, which may be the played one, and the score of the played move.
 * @param {Position} position before the move
 * @param {SearchResult} result of this position
 * @param {number} column the played move
 * @param {ScoreInfo} known score of the played move, which the later positions established
 * @returns {{best: Pick<SearchResult, "score" | "move" | "pv">, played: ScoreInfo}}
 */
export function compareMove(position, result, column, known) {
  const winning = position.openColumns.filter((each) => position.play(each).winningCells);
  if (winning.length && !winning.includes(column)) {
    const move = winning.includes(result.move) ? result.move : winning[0];
    return { best: { score: win(1), move, pv: [move] }, played: known };
  }
  const isProof = result.score.proof && !known.proof && (result.move === column || result.score.proof === "loss");
  const played = isProof ? result.score : known; // a proof holds for every column if it is a loss
  if (result.move !== column && compareScores(result.score, played) > 0) return { best: result, played };
  if (played.proof === "loss") {
    const others = result.columns
      .filter((entry) => entry.column !== column && entry.win_chance !== null)
      .map(({ column: move, pv, win_chance, proof, distance }) => ({
        move,
        pv,
        score: { win_chance: win_chance ?? 0, proof, distance },
      }))
      .filter(({ score }) => compareScores(score, played) > 0);
    if (others.length) {
      const best = others.reduce((found, each) => (compareScores(each.score, found.score) > 0 ? each : found));
      return { best, played };
    }
  }
  return { best: { score: played, move: column, pv: result.move === column ? result.pv : [column] }, played };
}

/**
 * The win chance that a move loses compared with the best move, at least 0.
 * @param {ScoreInfo} best
 * @param {ScoreInfo} played
 */
export function computeLoss(best, played) {
  return roundChance(Math.max(0, best.win_chance - played.win_chance));
}

/** @param {number} chance */
function roundChance(chance) {
  return Math.round(1e4 * chance) / 1e4;
}

/**
 * Whether a move misses a win that another move keeps.
 * @param {ScoreInfo} best
 * @param {ScoreInfo} played
 */
export function missesWin(best, played) {
  if (best.proof === "win" && played.proof === "win") return best.distance === 1 && played.distance !== 1;
  if (best.proof === "win") return played.win_chance < PROVEN_WIN_KEPT;
  return best.win_chance >= NEAR_WIN && played.win_chance < NEAR_WIN_KEPT;
}

/**
 * The kind of mistake by a loss of win chance; a missed win is at least an inaccuracy.
 * @param {number} lost
 * @param {Thresholds} thresholds
 * @param {boolean} isMissedWin
 * @returns {"" | MistakeKind}
 */
export function nameMistake(lost, thresholds, isMissedWin) {
  return classifyLoss(lost, thresholds) || (isMissedWin ? "inaccuracy" : "");
}

/**
 * The mean of 100 exp(-4.5 loss) over a player's moves; null without moves.
 * @param {number[]} losses
 */
export function computeAccuracy(losses) {
  if (losses.length === 0) return null;
  const sum = losses.reduce((total, each) => total + 100 * Math.exp(-ACCURACY_DECAY * each), 0);
  return Math.round((10 * sum) / losses.length) / 10;
}

/**
 * The number of stones before the turning point: the largest loss since the loser's position was last even.
 * @param {MoveLoss[]} moves the loser's moves from the last to the first
 */
export function findTurningPly(moves) {
  /** @type {MoveLoss | null} */
  let worst = null;
  for (const move of moves) {
    if (move.loss >= MIN_TURNING_LOSS && (worst === null || move.loss >= worst.loss)) worst = move;
    if (move.winChance >= EVEN_CHANCE) break;
  }
  return worst?.ply ?? null;
}
