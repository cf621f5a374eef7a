// Requests the turning point of a finished game, which the server finds in a short review in the background.

/** @import { Connection } from "./connection.js" */
/** @import { ReviewedMove, ReviewReply, ServerMessage } from "./messages.d.ts" */

const MOVE_TIME_S = 0.05;

export class TurningPoint {
  /**
   * @param {Connection} connection
   * @param {() => void} onChange
   */
  constructor(connection, onChange) {
    this.connection = connection;
    this.onChange = onChange;
    /** @type {string | null} */
    this.position = null;
    this.isSearching = false;
    /** @type {ReviewedMove | null} */
    this.move = null;
    /** The message that requested the running review. @type {string | null} */
    this.ref = null;
    connection.on("review", (message) => this.isSearching && message.ref !== this.ref && this.handleReplacement());
  }

  /** The server runs one review for each connection: another one has replaced the search. */
  handleReplacement() {
    this.isSearching = false;
    this.onChange();
  }

  /**
   * Search the turning point of a game, once for each.
   * @param {string} position with all moves of the game
   * @param {number} loser
   */
  search(position, loser) {
    if (this.position === position) return;
    this.position = position;
    this.move = null;
    /** @param {ServerMessage} reply */
    const onReply = (reply) => this.receive(reply, position, loser);
    this.ref = this.connection.send(
      { type: "review", position, move_time_s: MOVE_TIME_S, background: true },
      { onReply },
    );
    this.isSearching = this.ref !== null;
  }

  /** Forget the game. A review that is still running is short, and another view may have replaced it already. */
  clear() {
    this.position = null;
    this.isSearching = false;
    this.move = null;
  }

  /**
   * @param {ServerMessage} reply
   * @param {string} position
   * @param {number} loser
   * @returns {boolean} false while more replies follow
   */
  receive(reply, position, loser) {
    if (reply.type !== "review" && reply.type !== "error") return false;
    const isDone = reply.type === "error" || reply.finished || reply.stopped;
    if (isDone && this.position === position) {
      this.isSearching = false;
      this.move = reply.type === "review" && reply.finished ? findTurningPoint(reply, loser) : null;
      this.onChange();
    }
    return isDone;
  }
}

/**
 * @param {ReviewReply} review
 * @param {number} loser
 * @returns {ReviewedMove | null}
 */
function findTurningPoint(review, loser) {
  const ply = review.turning_points[loser];
  return review.moves.find((move) => move.ply === ply) ?? null;
}
