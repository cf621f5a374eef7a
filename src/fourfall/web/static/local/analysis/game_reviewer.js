// Reviews the moves of a game one by one, from the last to the first, with search results that the caller provides.

import {
  compareMove,
  computeAccuracy,
  computeLoss,
  findTurningPly,
  missesWin,
  nameMistake,
  scoreForMover,
} from "./move_review.js";

/** @import { Player, ReviewedMove, ScoreInfo, Thresholds } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { SearchResult } from "./move_review.js" */

/** The caller searches `position`, passes the result to `add`, and repeats this until `isComplete`. */
export class GameReviewer {
  /**
   * @param {Position} last the last position of the game
   * @param {number} start number of stones before the first reviewed move
   * @param {Thresholds} thresholds
   */
  constructor(last, start, thresholds) {
    this.last = last;
    this.thresholds = thresholds;
    this.total = last.moves.length - start + 1;
    this.done = 0;
    /** Sorted by ply. @type {ReviewedMove[]} */
    this.moves = [];
    /** Score of the last position for the side to move. @type {ScoreInfo | null} */
    this.final = null;
    /** Of the position after `position`. @type {ScoreInfo} */
    this.nextScore = { win_chance: 0.5, proof: "draw", distance: 0 };
    /** The position whose search result is needed next. */
    this.position = last;
  }

  get isComplete() {
    return this.done === this.total;
  }

  /** @param {SearchResult} result of `position` */
  add(result) {
    if (this.final === null) {
      this.final = this.nextScore = result.score;
    } else {
      const move = this.reviewMove(result);
      this.moves.unshift(move);
      this.nextScore = move.score_before;
    }
    this.done += 1;
    if (!this.isComplete) this.position = this.last.rewindTo(this.position.moves.length - 1);
  }

  /**
   * @param {SearchResult} result
   * @returns {ReviewedMove}
   */
  reviewMove(result) {
    const { position } = this;
    const ply = position.moves.length;
    const column = this.last.moves[ply];
    const { best, played } = compareMove(position, result, column, scoreForMover(this.nextScore));
    const loss = computeLoss(best.score, played);
    const isMissedWin = best.move !== column && missesWin(best.score, played);
    return {
      ply,
      player: position.turn,
      column,
      best: best.move,
      pv: [...best.pv],
      score_before: best.score,
      score_after: played,
      loss,
      missed_win: isMissedWin,
      mark: nameMistake(loss, this.thresholds, isMissedWin),
    };
  }

  /** The accuracy of both players in percent. @returns {[number | null, number | null]} */
  computeAccuracies() {
    const [first, second] = this.splitMoves().map((moves) => computeAccuracy(moves.map(({ loss }) => loss)));
    return [first, second];
  }

  /** The number of stones before the turning points of both players. @returns {[number | null, number | null]} */
  findTurningPoints() {
    const [first, second] = this.splitMoves().map((moves) =>
      findTurningPly(
        moves.map(({ ply, score_before, loss }) => ({ ply, winChance: score_before.win_chance, loss })).reverse(),
      ),
    );
    return [first, second];
  }

  splitMoves() {
    /** @type {Player[]} */
    const players = [0, 1];
    return players.map((player) => this.moves.filter((move) => move.player === player));
  }
}
