// Games in memory: carries out the messages about them, lets the opponents move, saves and reports every change.

import { Position } from "../../model/position.js";
import { RequestError, toRequestError } from "../request_error.js";
import { computeMoveTimeS } from "./clock.js";
import { formatNow, Game, OTHER_PERSON } from "./game.js";
import { hasLocks, runAlone } from "./game_lock.js";
import { MoveSearch } from "./opponents.js";

/** @import { ClientMessage, GameReply, HintReply, ServerMessage } from "../../model/messages.d.ts" */
/** @import { EngineCatalogue } from "../engine_catalogue.js" */
/** @import { Games } from "../types.d.ts" */
/** @import { Opponents } from "./opponents.js" */

/** @typedef {Extract<ClientMessage, {type: "new"}> & {simulations?: number | null}} NewMessage */

/** A game in memory. */
export class Session {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** The search for the opponent's move. @type {MoveSearch | null} */
    this.search = null;
    this.searchStart = "";
    this.turnStart = performance.now();
    this.timer = 0;
    if (game.clock && game.turnStarted) {
      this.turnStart -= Math.max(Date.now() - Date.parse(game.turnStarted), 0);
    }
  }

  startTurn() {
    this.turnStart = performance.now();
    if (this.game.clock) this.game.turnStarted = formatNow();
  }

  /** Add the running turn to the time that the side to move has used, and start the turn again. */
  chargeTurn() {
    this.game.chargeTurn(this.turnMs);
    this.startTurn();
  }

  /** Time that the side to move has used. */
  get turnMs() {
    return Math.round(10 * (performance.now() - this.turnStart)) / 10;
  }

  /** Time that the side to move has left; infinite without a clock. */
  get leftMs() {
    return this.game.computeLeftMs(this.game.position.turn) - this.turnMs;
  }

  /** @returns {GameReply} */
  describe() {
    return this.game.describe({ isThinking: this.search !== null, turnMs: this.turnMs });
  }

  /** The messages after a change: the game, and whether the opponent searches. @returns {ServerMessage[]} */
  listReplies() {
    if (!this.search) return [this.describe()];
    return [this.describe(), { type: "thinking", game: this.game.id, since: this.searchStart }];
  }
}

/** All games in memory. Every change is saved before it is reported. */
export class Sessions {
  /**
   * @param {object} services
   * @param {Games} services.games
   * @param {Opponents} services.opponents
   * @param {EngineCatalogue} services.catalogue
   * @param {(message: ServerMessage) => void} publish sends a change that no message asked for
   */
  constructor({ games, opponents, catalogue }, publish) {
    this.games = games;
    this.opponents = opponents;
    this.catalogue = catalogue;
    this.publish = publish;
    /** @type {Map<string, Session>} */
    this.sessions = new Map();
  }

  /** @param {NewMessage} message */
  async create({ board = "random", opponent, side = "first", move_time_s = null, simulations = null, clock = null }) {
    if (opponent !== OTHER_PERSON) this.catalogue.find(opponent);
    const position = board === "random" ? Position.random() : await this.parseUnfinished(board);
    const you = opponent === OTHER_PERSON ? null : side === "first" ? 0 : 1;
    const start = position.notation;
    const increment = clock && { initial_s: clock.initial_s, increment_s: clock.increment_s ?? 0 };
    return this.add(new Game({ start, you, opponent, move_time_s, simulations, clock: increment }));
  }

  /**
   * Parse a position at which the game is not over.
   * @param {string} text
   */
  async parseUnfinished(text) {
    const position = await this.catalogue.parsePosition(text);
    if (position.isOver) throw new RequestError("game_over");
    return position;
  }

  /** @param {Session} session */
  createRematch(session) {
    return this.add(session.game.createRematch());
  }

  /** @param {Game} game */
  async add(game) {
    const session = new Session(game);
    this.sessions.set(game.id, session);
    await this.commit(session);
    return session;
  }

  /**
   * The session of a game, which is read from the database if necessary. If the opponent's search was stopped, it starts
   * again.
   * @param {string} gameId
   */
  async find(gameId) {
    if (!this.sessions.has(gameId)) {
      const stored = await this.games.find(gameId);
      if (!stored) throw new RequestError("unknown_game", { game: gameId });
      if (!this.sessions.has(gameId)) this.sessions.set(gameId, new Session(Game.fromStored(stored)));
    }
    const session = /** @type {Session} */ (this.sessions.get(gameId));
    if (!(await this.endIfOutOfTime(session))) {
      this.startSearch(session);
      this.scheduleTimeOut(session);
    }
    return session;
  }

  /**
   * Play the person's move.
   * @param {Session} session
   * @param {number} ply
   * @param {number} column
   */
  async play(session, ply, column) {
    if (session.game.playPerson(ply, column, session.turnMs)) await this.commit(session);
  }

  /**
   * @param {Session} session
   * @param {"undo" | "redo" | "resign"} action
   */
  async change(session, action) {
    session.chargeTurn();
    session.game[action]();
    await this.commit(session);
  }

  /**
   * @param {Session} session
   * @param {MoveSearch} search
   * @returns {Promise<HintReply | null>} null if the search was cancelled
   */
  async findHint({ game }, search) {
    game.requirePersonsTurn();
    const ply = game.position.moves.length;
    const move = await this.opponents.findHint(game.position.notation, search);
    return move && { type: "hint", game: game.id, ply, column: move.column, score: move.score };
  }

  /**
   * The page shows the game no longer: stop the search of the opponent. A game with a clock continues, because the
   * opponent must not lose its time without a search.
   * @param {string} gameId
   */
  leave(gameId) {
    const session = this.sessions.get(gameId);
    if (session && !session.game.clock) this.remove(gameId);
  }

  /**
   * Forget a game in memory, because it was deleted or another tab has changed it.
   * @param {string} gameId
   */
  remove(gameId) {
    const session = this.sessions.get(gameId);
    if (!session) return;
    this.sessions.delete(gameId);
    this.cancelSearch(session);
    clearTimeout(session.timer);
    this.opponents.drop(gameId);
  }

  /**
   * Take over a game that another tab has changed. That tab lets the opponent move; if it is closed before, this one does.
   * @param {string} gameId
   */
  async reload(gameId) {
    if (!this.sessions.has(gameId)) return;
    const stored = await this.games.find(gameId);
    this.remove(gameId);
    if (!stored) return;
    const session = new Session(Game.fromStored(stored));
    this.sessions.set(gameId, session);
    if (hasLocks()) this.startSearch(session);
    for (const reply of session.listReplies()) this.publish(reply);
  }

  /**
   * Save a change that the person made, and let the opponent move if it is its turn.
   * @param {Session} session
   */
  async commit(session) {
    this.cancelSearch(session); // it searches a position that no longer exists
    session.startTurn();
    await this.games.save(session.game.toStored());
    if (this.sessions.get(session.game.id) !== session) return; // another tab has changed the game meanwhile
    this.startSearch(session);
    this.scheduleTimeOut(session);
  }

  /** @param {Session} session */
  startSearch(session) {
    if (session.search || !session.game.isOpponentsTurn) return;
    const search = new MoveSearch();
    session.searchStart = formatNow();
    session.search = search;
    runAlone(session.game.id, async () => {
      if (search.isCancelled) return;
      const stored = await this.games.find(session.game.id);
      if (stored?.position === session.game.position.notation) await this.playOpponent(session, search);
      else if (!search.isCancelled) await this.reload(session.game.id); // another tab was faster
    });
  }

  /** @param {Session} session */
  cancelSearch(session) {
    this.opponents.cancel(session.search);
    session.search = null;
  }

  /**
   * End the game when the time of the side to move runs out; does nothing without a clock.
   * @param {Session} session
   */
  scheduleTimeOut(session) {
    clearTimeout(session.timer);
    if (!session.game.clock || session.game.isOver) return;
    session.timer = setTimeout(() => this.endIfOutOfTime(session), Math.max(session.leftMs, 0) + 1);
  }

  /**
   * End the game with a loss of the side to move if it has no time left, and report it.
   * @param {Session} session
   */
  async endIfOutOfTime(session) {
    if (session.game.isOver) return false;
    if (session.leftMs > 0) {
      this.scheduleTimeOut(session);
      return false;
    }
    this.cancelSearch(session);
    session.chargeTurn();
    session.game.endOnTime();
    this.scheduleTimeOut(session);
    await this.saveAndPublish(session);
    return true;
  }

  /** @param {Session} session */
  async saveAndPublish(session) {
    await this.games.save(session.game.toStored());
    this.publish(session.describe());
  }

  /**
   * Search for the opponent's move, play it, save the game and report it.
   * @param {Session} session
   * @param {MoveSearch} search
   */
  async playOpponent(session, search) {
    const { game } = session;
    const start = performance.now();
    try {
      const move = await this.opponents.chooseMove(game, computeClockTimeS(session), search);
      if (!move) return;
      session.search = null;
      if (await this.endIfOutOfTime(session)) return;
      session.chargeTurn();
      game.playOpponent(move.column, Math.round(10 * (performance.now() - start)) / 10, move.score);
    } catch (error) {
      if (session.search === search) session.search = null;
      const { code } = toRequestError(error);
      const reported = code === "failed" ? new RequestError("opponent_failed") : toRequestError(error);
      this.publish({ type: "error", ref: null, ...reported.toInfo() });
      return;
    }
    session.startTurn();
    this.scheduleTimeOut(session);
    await this.saveAndPublish(session);
  }
}

/**
 * The time that the clock allows for the opponent's next move; null without a clock.
 * @param {Session} session
 */
function computeClockTimeS(session) {
  const { clock, position } = session.game;
  if (!clock) return null;
  const freeCells = position.rows * position.cols - (position.hole ? 1 : 0) - position.moves.length;
  return computeMoveTimeS(session.leftMs / 1000, clock.incrementS, freeCells);
}
