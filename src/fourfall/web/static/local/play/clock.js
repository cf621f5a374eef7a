// The clock of a game: the time of each player. The caller says how long a turn took.

/** @import { ClockInfo, ClockSettings, Player } from "../../model/messages.d.ts" */
/** @import { StoredClock } from "../types.d.ts" */

const MIN_MOVES_LEFT = 6;
const MAX_MOVES_LEFT = 25;
const MAX_SHARE = 0.5;
const MIN_MOVE_TIME_S = 0.01;

/** The time of both players. `used_ms` only grows: undoing a move gives no time back, so that undo is not a pause. */
export class Clock {
  /**
   * @param {ClockSettings} settings
   * @param {[number, number]} [usedMs]
   */
  constructor({ initial_s, increment_s }, usedMs = [0, 0]) {
    this.initialS = initial_s;
    this.incrementS = increment_s;
    this.usedMs = usedMs;
  }

  /**
   * Add a turn to the time that a player has used.
   * @param {Player} player
   * @param {number} ms
   */
  charge(player, ms) {
    this.usedMs[player] += ms;
  }

  /**
   * The time left to a player who has played `moves` moves; each of them adds the increment.
   * @param {Player} player
   * @param {number} moves
   */
  computeLeftMs(player, moves) {
    return 1000 * (this.initialS + this.incrementS * moves) - this.usedMs[player];
  }

  /** A clock with the same settings for another game. */
  createUnused() {
    return new Clock({ initial_s: this.initialS, increment_s: this.incrementS });
  }

  /**
   * @param {[number, number]} leftMs
   * @returns {ClockInfo}
   */
  describe(leftMs) {
    return { initial_s: this.initialS, increment_s: this.incrementS, left_ms: leftMs };
  }

  /** @returns {StoredClock} */
  toStored() {
    return { initial_s: this.initialS, increment_s: this.incrementS, used_ms: [...this.usedMs] };
  }

  /** @param {StoredClock | null} stored */
  static fromStored(stored) {
    return stored && new Clock(stored, [...stored.used_ms]);
  }
}

/**
 * The time that an engine spends on its next move: a share of the time left by the number of moves that it may still
 * have to play, plus most of the increment.
 * @param {number} leftS
 * @param {number} incrementS
 * @param {number} freeCells
 */
export function computeMoveTimeS(leftS, incrementS, freeCells) {
  const moves = Math.min(Math.max(freeCells / 2, MIN_MOVES_LEFT), MAX_MOVES_LEFT);
  return Math.max(Math.min(leftS / moves + 0.8 * incrementS, MAX_SHARE * leftS), MIN_MOVE_TIME_S);
}
