// Lets the user retry a mistake: asks for a better move on the board and checks the move that the user tries.

import { isAsGood } from "../model/mistakes.js";
import { COLUMN_NAMES } from "../model/position.js";
import { flipScore, toFirstPlayer } from "../model/scores.js";
import { announce, showError } from "../ui/notifications.js";
import { previewMoves } from "../ui/preview_stones.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { formatRefutation } from "../words/score_text.js";
import { formatEvaluationOf } from "./review_text.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { AnalysisReply, ErrorReply, ReviewedMove, ScoreInfo } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { BoardOptions } from "../ui/board.js" */
/** @import { ReviewView } from "./review.js" */

/** Time of the search that checks a tried move. */
const CHECK_TIME_S = 0.5;
/** Moves after a wrong move that are named and drawn. */
const MAX_REPLIES = 4;

/**
 * A move that the user tried: its score for the player who moves, and the replies that refute it. `isRight` is null
 * while the move is checked.
 * @typedef {{column: number, position: Position, score: ScoreInfo | null, replies: number[], isRight: boolean | null}} Try
 */

export class Retry {
  /**
   * @param {ReviewView} view
   * @param {GameNode} node the position after the mistake
   * @param {ReviewedMove} review what the review found about it
   * @param {GameNode} parent the position before the mistake
   */
  constructor(view, node, review, parent) {
    this.view = view;
    this.node = node;
    this.review = review;
    this.parent = parent;
    /** @type {Try | null} */
    this.tried = null;
    this.counter = 0;
  }

  get key() {
    return `retry-${this.node.position.notation}-${this.counter}`;
  }

  /** The engine of the review, so that the scores can be compared. */
  get engine() {
    return this.view.viewer.info.review?.engine ?? this.view.settings.engine;
  }

  get question() {
    const side = getSideNames()[this.review.player];
    return t("retry.question", side, COLUMN_NAMES[this.review.column]);
  }

  /** What the check of the tried move found. */
  get answer() {
    const { tried } = this;
    if (!tried) return "";
    const name = COLUMN_NAMES[tried.column];
    if (tried.isRight === null || !tried.score) return t("retry.checking", name);
    const value = formatEvaluationOf(tried.score, this.review.player);
    if (tried.isRight) return t("retry.right", name, value);
    if (this.review.score_before.distance === 1) return t("retry.wrong.win", name);
    return t("retry.wrong", name, formatRefutation(value, tried.replies.slice(0, MAX_REPLIES)));
  }

  /** @returns {BoardOptions} */
  get boardOptions() {
    const { tried } = this;
    if (!tried) return {};
    const replies = tried.isRight === false ? tried.replies : [];
    return { isPlayable: false, previewStones: previewMoves(tried.position, replies, MAX_REPLIES) };
  }

  /** @param {number} column */
  chooseColumn(column) {
    const { parent, review } = this;
    if (this.tried) {
      announce(this.answer);
      return;
    }
    if (!parent.position.isLegal(column)) {
      announce(t("board.column_full"));
      return;
    }
    const position = parent.position.play(column);
    this.tried = { column, position, score: null, replies: [], isRight: null };
    if (position.winningCells) this.finish({ win_chance: 1, proof: "win", distance: 1 }, []);
    else if (column === review.best) this.finish(review.score_before, []);
    else if (column === review.column) this.finish(review.score_after, this.node.mainChild?.review?.pv ?? []);
    else this.check(position);
    this.view.renderRetry();
  }

  /**
   * Let the engine of the review search the position after the tried move.
   * @param {Position} position
   */
  check(position) {
    this.counter += 1;
    this.view.app.connection.send(
      { type: "analyse", position: position.notation, engine: this.engine, key: this.key, time_s: CHECK_TIME_S },
      { waitForConnection: true, onReply: (reply) => reply.type !== "error" || this.fail(reply) },
    );
  }

  handleReconnect() {
    if (this.tried?.isRight === null) this.check(this.tried.position);
  }

  /** @param {ErrorReply} error */
  fail(error) {
    showError(error);
    this.tryAgain();
  }

  /** @param {AnalysisReply} message */
  receive(message) {
    if (message.key !== this.key || !message.done || this.tried?.isRight !== null) return;
    const score = flipScore(message.score);
    const distance = score.distance === null ? null : score.distance + 1;
    this.finish({ ...score, distance }, message.pv);
    this.view.renderRetry();
  }

  /**
   * @param {ScoreInfo} score of the player who moves
   * @param {number[]} replies
   */
  finish(score, replies) {
    if (!this.tried) return;
    const { review, view } = this;
    const isRight =
      this.tried.column !== review.column && isAsGood(review.score_before, score, view.settings.thresholds);
    Object.assign(this.tried, { score, replies, isRight: isRight || this.tried.column === review.best });
    announce(this.answer);
  }

  /** What the board and the bar show instead of the selected position. */
  get shown() {
    const { tried, review } = this;
    if (!tried) return null;
    return { position: tried.position, score: tried.score && toFirstPlayer(tried.score, review.player) };
  }

  tryAgain() {
    this.tried = null;
    announce(this.question);
    this.view.renderRetry();
  }
}
