// The game of the view Play and the messages about it: start, moves, undo, hint, rematch, reconnects.

import { Position } from "./position.js";
import { saveSetting } from "./storage.js";

/** @import { Connection } from "./connection.js" */
/** @import { ClientMessage, ErrorReply, GameReply, HintReply, ServerMessage } from "./messages.d.ts" */

/**
 * `onGame` is called with every new state of the game and the state before, `onChange` after any other change.
 * @typedef {object} SessionListeners
 * @property {(game: GameReply, position: Position, before: GameReply | null) => void} onGame
 * @property {() => void} onChange
 * @property {(hint: HintReply) => void} onHint
 * @property {(error: ErrorReply) => void} onError
 */

export class PlaySession {
  /**
   * @param {Connection} connection
   * @param {SessionListeners} listeners
   */
  constructor(connection, listeners) {
    this.connection = connection;
    this.listeners = listeners;
    /** The newest state from the server; null during the setup. @type {GameReply | null} */
    this.game = null;
    /** The position of the game; includes a move that the server has not confirmed. @type {Position | null} */
    this.position = null;
    /** The move that the server has not confirmed. @type {{ply: number, column: number} | null} */
    this.pendingMove = null;
    /** @type {HintReply | "waiting" | null} */
    this.hint = null;
    this.isStarting = false;
    connection.on("game", (message) => message.game === this.game?.game && this.receive(message));
    connection.on("thinking", (message) => message.game === this.game?.game && listeners.onChange());
  }

  get isPersonsTurn() {
    const { game, position } = this;
    return game?.status === "playing" && (game.you === null || position?.turn === game.you);
  }

  /** What the user can do now. */
  get can() {
    const { game } = this;
    const move = this.isPersonsTurn && !this.pendingMove;
    const openingLength = game ? Position.fromServer(game.start).moves.length : 0;
    const hasMoved = game?.moves.some((_, index) => game.you === null || (openingLength + index) % 2 === game.you);
    return {
      move,
      hint: move && this.hint !== "waiting",
      undo: Boolean(hasMoved) && game?.outcome?.ending !== "time",
      redo: Boolean(game?.redo.length) && game?.outcome?.ending !== "time",
      resign: game?.status === "playing",
    };
  }

  /**
   * @param {string} gameId
   * @param {(message: GameReply) => boolean} accept decides whether the game is shown
   * @param {(error: ErrorReply) => void} onError
   */
  open(gameId, accept, onError) {
    /** @param {ServerMessage} message */
    const onReply = (message) => {
      if (message.type === "error") onError(message);
      else if (message.type === "game" && accept(message)) this.receive(message);
    };
    this.connection.send({ type: "open", game: gameId }, { waitForConnection: true, onReply });
  }

  /**
   * Start a game.
   * @param {ClientMessage} request of the type `new`
   * @param {Position} position
   * @param {number | null} column a person's first move
   */
  start(request, position, column) {
    this.isStarting = true;
    if (column !== null) this.position = position.play(column);
    this.connection.send(request, {
      waitForConnection: true,
      onReply: (message) => {
        this.isStarting = false;
        if (message.type === "error") return this.fail(message);
        if (message.type !== "game") return false;
        if (column !== null) this.pendingMove = { ply: position.moves.length, column };
        return this.receive(message);
      },
    });
  }

  /** @param {GameReply} message */
  receive(message) {
    const before = this.game?.game === message.game ? this.game : null;
    const position = Position.fromServer(message.position);
    this.game = message;
    this.position = position;
    if (before?.position !== message.position) this.hint = null;
    saveSetting("game", message.status === "over" ? null : message.game);
    const { pendingMove } = this;
    const canSend = pendingMove?.ply === position.moves.length && message.status === "playing";
    if (canSend) this.sendPendingMove();
    else this.pendingMove = null;
    this.listeners.onGame(message, position, before);
  }

  /** @param {number} column */
  move(column) {
    if (!this.position) return;
    this.pendingMove = { ply: this.position.moves.length, column };
    this.hint = null;
    this.sendPendingMove();
  }

  /** Show the pending move and send it; after a reconnect it is sent again, and the server ignores repeated moves. */
  sendPendingMove() {
    if (!this.pendingMove || !this.game || !this.position) return;
    const { ply, column } = this.pendingMove;
    if (this.position.moves.length === ply) this.position = this.position.play(column);
    this.sendRequest({ type: "move", game: this.game.game, ply, column });
  }

  /** @param {"undo" | "redo" | "resign"} type */
  send(type) {
    if (this.game) this.sendRequest({ type, game: this.game.game });
  }

  /** @param {ClientMessage} request to which the server replies with the game or an error */
  sendRequest(request) {
    this.connection.send(request, { onReply: (message) => message.type !== "error" || this.fail(message) });
  }

  requestHint() {
    if (!this.game || !this.can.hint) return;
    this.hint = "waiting";
    this.listeners.onChange();
    /** @param {ServerMessage} message */
    const onReply = (message) => {
      if (message.type === "error") return this.fail(message);
      if (message.type !== "hint") return false;
      if (message.ply !== this.position?.moves.length) return true;
      this.hint = message;
      return this.listeners.onHint(message);
    };
    this.connection.send({ type: "hint", game: this.game.game }, { onReply });
  }

  rematch() {
    if (!this.game) return;
    /** @param {ServerMessage} message */
    const onReply = (message) => {
      if (message.type === "error") return this.fail(message);
      if (message.type !== "game") return false;
      this.pendingMove = null;
      this.game = null;
      return this.receive(message);
    };
    this.connection.send({ type: "rematch", game: this.game.game }, { onReply });
  }

  /** Leave the game; it stays on the server. */
  close() {
    if (this.game) this.connection.send({ type: "leave", game: this.game.game });
    this.game = null;
    this.pendingMove = null;
    this.position = null;
    this.hint = null;
    saveSetting("game", null);
  }

  /** @param {ErrorReply} error */
  fail(error) {
    this.pendingMove = null;
    this.hint = null;
    this.position = this.game && Position.fromServer(this.game.position);
    this.listeners.onError(error);
  }
}
