// One try of a puzzle: judges the moves, plays the opponent's replies and the refutation of a wrong move.

import { Position } from "./position.js";

/** @import { Player } from "./messages.d.ts" */
/** @import { MoveCheck, PuzzleInfo, Texts } from "./puzzle_messages.d.ts" */

/**
 * "asking": the user moves. "playing": stones are played or a move is checked. "wrong": the refutation is on the board.
 * "solved" and "shown" (by the page): the end.
 * @typedef {"asking" | "playing" | "wrong" | "solved" | "shown"} Phase
 */
/**
 * What the last move was: `texts` are sentences about a wrong move.
 * @typedef {{kind: "right" | "also_right" | "wrong" | "unknown", column: number, texts: Texts | null}} Feedback
 */
/**
 * `onScore` is called once, as soon as the score is certain: 1 solved, 0.5 solved with a hint, 0 not solved.
 * @typedef {object} AttemptListeners
 * @property {() => void} onChange
 * @property {(score: number) => void} onScore
 * @property {(position: Position, column: number) => Promise<MoveCheck>} checkMove
 */

const STEP_MS = 500;
/** After this number of right moves the page plays the rest of a long line. */
const MAX_ASKED = 4;
/** Stones of a refutation that are played. */
const MAX_REFUTATION = 13;

export class PuzzleAttempt {
  /**
   * @param {PuzzleInfo} puzzle
   * @param {AttemptListeners} listeners
   */
  constructor(puzzle, listeners) {
    this.puzzle = puzzle;
    this.listeners = listeners;
    this.start = Position.fromServer(puzzle.position);
    /** The position in which the user moves next. */
    this.asked = this.start;
    /** The position on the board. */
    this.position = this.start;
    /** Number of moves of the solution that were played, those of the opponent included. */
    this.step = 0;
    /** @type {Phase} */
    this.phase = "asking";
    /** @type {Feedback | null} */
    this.feedback = null;
    /** Hints that are shown for the present move. */
    this.hints = 0;
    this.hasUsedHint = false;
    /** @type {number | null} */
    this.score = null;
    /** Number of sequences that were started; a sequence ends when another one starts. */
    this.sequence = 0;
  }

  /** The player who solves the puzzle. @returns {Player} */
  get player() {
    return this.start.turn;
  }

  /** The next move of the solution. */
  get move() {
    return this.puzzle.solution[this.step];
  }

  get isOver() {
    return this.phase === "solved" || this.phase === "shown";
  }

  /** @param {number} column a legal move */
  async chooseColumn(column) {
    if (this.phase !== "asking") return;
    const { asked } = this;
    this.position = asked.play(column);
    if (column === this.move) await this.acceptMove(column);
    else if (this.position.winningCells) this.solve("right", column);
    else if (this.step === 0) await this.refuse(column, this.listeners.checkMove(asked, column));
    else await this.checkOtherMove(column);
  }

  /** @param {number} column */
  async acceptMove(column) {
    const { solution } = this.puzzle;
    this.step += 1;
    this.hints = 0;
    if (this.step === solution.length) return this.solve("right", column);
    const isRest = this.step >= 2 * MAX_ASKED - 1;
    this.setPhase("playing", { kind: "right", column, texts: null });
    const columns = solution.slice(this.step, isRest ? undefined : this.step + 1);
    if (!(await this.playColumns(columns))) return;
    this.step += columns.length;
    this.asked = this.position;
    if (isRest) return this.solve("right", column);
    return this.setPhase("asking", this.feedback);
  }

  /**
   * A later move that is not the one of the solution may win too: the server says.
   * @param {number} column
   */
  async checkOtherMove(column) {
    const { asked, sequence } = this;
    this.setPhase("playing", null);
    const check = this.listeners.checkMove(asked, column);
    const verdict = await check.then(
      (found) => found.verdict,
      () => "unknown",
    );
    if (sequence !== this.sequence) return;
    if (verdict === "wins") this.solve("also_right", column);
    else if (verdict === "unknown") this.returnToQuestion({ kind: "unknown", column, texts: null });
    else await this.refuse(column, check);
  }

  /**
   * Say that a move is wrong and play its refutation.
   * @param {number} column
   * @param {Promise<MoveCheck>} check
   */
  async refuse(column, check) {
    this.decide(0);
    this.setPhase("playing", { kind: "wrong", column, texts: null });
    const { sequence } = this;
    /** @type {MoveCheck | null} */
    const found = await check.catch(() => null);
    if (sequence !== this.sequence) return;
    if (found) {
      this.setPhase("playing", { kind: "wrong", column, texts: found.text });
      if (!(await this.playColumns(found.columns.slice(1, MAX_REFUTATION)))) return;
    }
    this.setPhase("wrong", this.feedback);
  }

  tryAgain() {
    if (this.phase === "wrong" || this.feedback?.kind === "wrong") this.returnToQuestion(null);
  }

  /** @param {Feedback | null} feedback */
  returnToQuestion(feedback) {
    this.sequence += 1;
    this.position = this.asked;
    this.setPhase("asking", feedback);
  }

  /**
   * Show the next hint. The last one names the column: after it the puzzle counts as not solved.
   * @param {number} count number of hints for the present move
   */
  giveHint(count) {
    if (this.phase === "wrong") this.returnToQuestion(null);
    if (this.phase !== "asking" || this.hints >= count) return;
    this.hints += 1;
    this.hasUsedHint = true;
    if (this.hints === count) this.decide(0);
    this.listeners.onChange();
  }

  /** Play the rest of the solution. */
  async showSolution() {
    if (this.isOver) return;
    this.decide(0);
    this.hints = 0;
    this.position = this.asked;
    this.setPhase("playing", null);
    if (!(await this.playColumns(this.puzzle.solution.slice(this.step)))) return;
    this.setPhase("shown", null);
  }

  /** End the sequence that is being played, when another puzzle or view is shown. */
  stop() {
    this.sequence += 1;
    if (this.isOver) return;
    this.position = this.asked;
    this.phase = "asking";
    this.feedback = null;
  }

  /**
   * @param {"right" | "also_right"} kind
   * @param {number} column
   */
  solve(kind, column) {
    this.decide(this.hasUsedHint ? 0.5 : 1);
    this.setPhase("solved", { kind, column, texts: null });
  }

  /** @param {number} score */
  decide(score) {
    if (this.score !== null) return;
    this.score = score;
    this.listeners.onScore(score);
  }

  /**
   * @param {Phase} phase
   * @param {Feedback | null} feedback
   */
  setPhase(phase, feedback) {
    this.phase = phase;
    this.feedback = feedback;
    this.listeners.onChange();
  }

  /**
   * Play moves one after the other; false if another sequence started meanwhile.
   * @param {number[]} columns
   */
  async playColumns(columns) {
    this.sequence += 1;
    const { sequence } = this;
    for (const column of columns) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      if (sequence !== this.sequence) return false;
      if (!this.position.isLegal(column)) break;
      this.position = this.position.play(column);
      this.listeners.onChange();
    }
    return true;
  }
}
