// A game of a person against an engine or another person, with undo, redo and a clock: only data and rules.

import { COLUMN_NAMES, getOtherPlayer, Position } from "../../model/position.js";
import { RequestError } from "../request_error.js";
import { Clock } from "./clock.js";

/** @import { ClockSettings, GameReply, OutcomeInfo, Player, ScoreInfo } from "../../model/messages.d.ts" */
/** @import { StoredGame } from "../types.d.ts" */

/** @typedef {{column: number, ms: number, score: ScoreInfo | null}} PlayedMove */
/**
 * @typedef {object} GameSettings
 * @property {string} start
 * @property {Player | null} you the person's side; null between two persons
 * @property {string} opponent
 * @property {number | null} move_time_s
 * @property {number | null} simulations
 * @property {ClockSettings | null} clock
 * @property {string | null} [rematch_of]
 */

export const OTHER_PERSON = "human";
const PERSON = "you";
/** @type {[string, string]} */
const SIDES = ["Blue", "Orange"];
const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 16;

/** The present time in UTC as the server writes it. */
export function formatNow() {
  return new Date().toISOString().replace("Z", "+00:00");
}

/** The id of a game: "p" and 16 random letters and digits. */
function createId() {
  const numbers = crypto.getRandomValues(new Uint32Array(ID_LENGTH));
  return `p${Array.from(numbers, (number) => ID_CHARACTERS[number % ID_CHARACTERS.length]).join("")}`;
}

/** A game in any state. A method that cannot change the game throws a RequestError and leaves it as it was. */
export class Game {
  /**
   * @param {GameSettings} settings
   * @param {string} [id]
   */
  constructor(settings, id = createId()) {
    this.id = id;
    this.settings = settings;
    this.you = settings.you;
    this.opponent = settings.opponent;
    this.started = formatNow();
    this.clock = settings.clock && new Clock(settings.clock);
    /** @type {string | null} */
    this.turnStarted = null;
    /** @type {PlayedMove[]} */
    this.played = [];
    /** @type {PlayedMove[]} */
    this.undone = [];
    /** How the game ended for a reason that is not on the board. @type {{ending: string, winner: Player} | null} */
    this.verdict = null;
    this.startPosition = Position.fromServer(settings.start);
    this.position = this.startPosition;
  }

  get isOver() {
    return this.verdict !== null || this.position.isOver;
  }

  get isOpponentsTurn() {
    return !this.isOver && !this.isPerson(this.position.turn);
  }

  /** @returns {[string, string]} */
  get names() {
    if (this.you === null) return SIDES;
    return this.you === 0 ? [PERSON, this.opponent] : [this.opponent, PERSON];
  }

  /** @param {number} player */
  isPerson(player) {
    return this.you === null || player === this.you;
  }

  requirePersonsTurn() {
    if (this.isOver) throw new RequestError("game_over");
    if (this.isOpponentsTurn) throw new RequestError("not_your_turn");
  }

  /**
   * Play the person's move, which took `ms`. Returns false if the same move was played before at this ply.
   * @param {number} ply
   * @param {number} column
   * @param {number} ms
   */
  playPerson(ply, column, ms) {
    const { moves } = this.position;
    if (ply < moves.length && moves[ply] === column && this.isPerson(ply % 2)) return false;
    if (ply < moves.length || (ply > moves.length && !this.isOver)) {
      throw new RequestError("stale", { stones: moves.length, ply });
    }
    this.requirePersonsTurn();
    requireLegalMove(this.position, column);
    this.chargeTurn(ms);
    this.push({ column, ms, score: null });
    this.undone = [];
    return true;
  }

  /**
   * @param {number} column
   * @param {number} ms
   * @param {ScoreInfo | null} score
   */
  playOpponent(column, ms, score) {
    this.push({ column, ms, score });
    this.undone = [];
  }

  /** End the game with a loss of the person; between two persons, of the side to move. */
  resign() {
    if (this.isOver) throw new RequestError("game_over");
    const loser = this.you === null ? this.position.turn : this.you;
    this.verdict = { ending: "resignation", winner: getOtherPlayer(loser) };
  }

  /** End the game with a loss of the side to move, which has no time left. */
  endOnTime() {
    this.verdict = { ending: "time", winner: getOtherPlayer(this.position.turn) };
  }

  /**
   * Add time of the running turn to what the side to move has used, if the game has a clock.
   * @param {number} ms
   */
  chargeTurn(ms) {
    if (!this.isOver) this.clock?.charge(this.position.turn, ms);
  }

  /**
   * The time that a player has left without the running turn; infinite without a clock.
   * @param {Player} player
   */
  computeLeftMs(player) {
    const opening = this.startPosition.moves.length;
    const moves = this.played.filter((_, index) => (opening + index) % 2 === player).length;
    return this.clock ? this.clock.computeLeftMs(player, moves) : Number.POSITIVE_INFINITY;
  }

  /** Take back the person's last move and the opponent's reply, or only a resignation; one move between two persons. */
  undo() {
    if (this.verdict?.ending === "time") throw new RequestError("out_of_time");
    if (this.verdict && !this.position.isOver && this.isPerson(this.position.turn)) {
      this.verdict = null;
      return;
    }
    const opening = this.startPosition.moves.length;
    const last = this.played.findLastIndex((_, index) => this.isPerson((opening + index) % 2));
    if (last < 0) throw new RequestError("nothing_to_undo");
    this.verdict = null;
    this.undone = [...this.played.splice(last), ...this.undone];
    this.position = this.position.rewindTo(opening + last);
  }

  /** Play undone moves again until the person is to move. */
  redo() {
    const [next, ...rest] = this.undone;
    if (!next) throw new RequestError("nothing_to_redo");
    if (this.verdict) throw new RequestError("game_over");
    this.undone = rest;
    this.push(next);
    while (this.undone.length && this.isOpponentsTurn) this.push(/** @type {PlayedMove} */ (this.undone.shift()));
  }

  /** A game on the same board with the sides swapped. */
  createRematch() {
    const you = this.you === null ? null : getOtherPlayer(this.you);
    return new Game({ ...this.settings, you, rematch_of: this.id });
  }

  /** @param {PlayedMove} move */
  push(move) {
    this.position = this.position.play(move.column);
    this.played.push(move);
  }

  /** @returns {OutcomeInfo | null} */
  describeOutcome() {
    const { position, verdict } = this;
    const cells = findWinningLineCells(position);
    if (verdict) return { ...verdict, cells, detail: "" };
    if (position.winningCells) return { winner: position.opponent, ending: "win", cells, detail: "" };
    return position.isOver ? { winner: null, ending: "tie", cells: [], detail: "" } : null;
  }

  /**
   * The complete state of the game; the running turn has taken `turnMs`.
   * @param {{isThinking: boolean, turnMs: number}} turn
   * @returns {GameReply}
   */
  describe({ isThinking, turnMs }) {
    return {
      type: "game",
      game: this.id,
      position: this.position.notation,
      start: this.settings.start,
      moves: this.played.map(({ column }) => column),
      redo: this.undone.map(({ column }) => column),
      turn: this.position.turn,
      you: this.you,
      opponent: this.opponent,
      names: this.names,
      move_time_s: this.settings.move_time_s,
      simulations: this.settings.simulations,
      clock: this.describeClock(turnMs),
      thinking: isThinking,
      status: this.isOver ? "over" : "playing",
      outcome: this.describeOutcome(),
      times_ms: this.played.map(({ ms }) => ms),
      scores: this.played.map(({ score }) => score),
      started: this.started,
      rematch_of: this.settings.rematch_of ?? null,
    };
  }

  /** @param {number} turnMs */
  describeClock(turnMs) {
    if (!this.clock) return null;
    const left = [this.computeLeftMs(0), this.computeLeftMs(1)];
    if (!this.isOver) left[this.position.turn] -= turnMs;
    const [first, second] = left.map((ms) => Math.max(Math.round(10 * ms) / 10, 0));
    return this.clock.describe([first, second]);
  }

  /** @returns {StoredGame} */
  toStored() {
    const { id, settings, names, played, undone, you, opponent, started } = this;
    return {
      id,
      start: settings.start,
      moves: played.map(({ column }) => column),
      redo: undone.map(({ column }) => column),
      times_ms: played.map(({ ms }) => ms),
      scores: played.map(({ score }) => score),
      redo_times_ms: undone.map(({ ms }) => ms),
      redo_scores: undone.map(({ score }) => score),
      position: this.position.notation,
      you,
      opponent,
      names,
      move_time_s: settings.move_time_s,
      simulations: settings.simulations,
      clock: this.clock?.toStored() ?? null,
      turn_started: this.turnStarted,
      outcome: this.describeOutcome(),
      started,
      rematch_of: settings.rematch_of ?? null,
    };
  }

  /** @param {StoredGame} stored */
  static fromStored(stored) {
    const game = new Game(stored, stored.id);
    game.started = stored.started;
    game.clock = Clock.fromStored(stored.clock);
    game.turnStarted = stored.turn_started;
    stored.moves.forEach((column, index) => {
      game.push({ column, ms: stored.times_ms[index], score: stored.scores[index] });
    });
    game.undone = stored.redo.map((column, index) => ({
      column,
      ms: stored.redo_times_ms[index],
      score: stored.redo_scores[index],
    }));
    const { outcome } = stored;
    if (outcome && outcome.winner !== null && !game.position.isOver) {
      game.verdict = { ending: outcome.ending, winner: outcome.winner };
    }
    return game;
  }
}

/**
 * Throw a RequestError if no stone can be dropped in the column.
 * @param {Position} position
 * @param {number} column
 */
export function requireLegalMove(position, column) {
  if (column >= position.cols) {
    throw new RequestError("illegal_move", { column: COLUMN_NAMES[column], columns: position.cols });
  }
  if (!position.isLegal(column)) throw new RequestError("column_full", { column: COLUMN_NAMES[column] });
}

/**
 * The cells of all winning lines, each once, by row and column.
 * @param {Position} position
 */
function findWinningLineCells(position) {
  const cells = new Map((position.winningCells ?? []).map((cell) => [String(cell), cell]));
  return [...cells.values()].sort(([rowA, columnA], [rowB, columnB]) => rowA - rowB || columnA - columnB);
}
