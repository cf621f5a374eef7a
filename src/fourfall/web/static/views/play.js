// The view Play: one game of the user against an engine, from the setup to the rematch.

import { COLUMN_NAMES, Position } from "../model/position.js";
import { replaceFragment } from "../model/routes.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { BoardView } from "../ui/board.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el, replaceContent } from "../ui/dom.js";
import { announce, showError } from "../ui/notifications.js";
import { t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { formatScore } from "../words/score_text.js";
import { GameSetup } from "./game_setup.js";
import { createPlayPanel } from "./play_panel.js";

/** @import { App } from "../app.js" */
/** @import { ErrorReply, GameReply, HintReply } from "../model/messages.d.ts" */
/** @import { GameInfo } from "../ui/game_viewer.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

export class PlayView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The newest state from the server; null during the setup. @type {GameReply | null} */
    this.game = null;
    /** The shown position; includes a move that the server has not confirmed. @type {Position | null} */
    this.position = null;
    /** The move that the server has not confirmed. @type {{ply: number, column: number} | null} */
    this.pendingMove = null;
    /** @type {HintReply | "waiting" | null} */
    this.hint = null;
    this.isResignAsked = false;
    this.isStarting = false;
    this.isActive = false;
    this.setup = new GameSetup(app, { onChange: () => this.render(), onStart: () => this.start() });
    this.board = new BoardView({
      onColumn: (column) => this.chooseColumn(column),
      getLabel: () => this.getBoardLabel(),
    });
    this.sidebar = el("div", { class: "stack" });
    this.status = el("p", { class: "status" });
    this.element = el("div", { class: "board-area" }, this.status, this.board.element);
    app.connection.on("game", (message) => message.game === this.game?.game && this.receiveGame(message));
    app.connection.on("thinking", (message) => message.game === this.game?.game && this.render());
  }

  /** @param {string | null} [gameId] a stored game to continue */
  enter(gameId = null) {
    this.isActive = true;
    const wanted = gameId ?? this.game?.game ?? loadSetting("game", /** @type {string | null} */ (null));
    this.render();
    if (wanted && wanted !== this.game?.game) this.openGame(wanted, gameId !== null);
  }

  leave() {
    this.isActive = false;
  }

  handleReconnect() {
    this.isStarting = false;
    this.hint = null;
    if (this.game) this.openGame(this.game.game, false);
    else this.position = null;
    this.render();
  }

  /**
   * @param {string} gameId
   * @param {boolean} isRequested by the user; otherwise errors are not shown and a finished game is not opened
   */
  openGame(gameId, isRequested) {
    this.app.connection.send(
      { type: "open", game: gameId },
      {
        waitForConnection: true,
        onReply: (message) => {
          if (message.type === "error") {
            saveSetting("game", null);
            if (isRequested) showError(message);
          } else if (message.type === "game") {
            if (message.you === null) this.app.open(`analyse=${gameId}`);
            else if (!isRequested && !this.game && message.status === "over") saveSetting("game", null);
            else this.receiveGame(message);
          }
        },
      },
    );
  }

  /**
   * Start the game that is set up.
   * @param {number | null} [column] the user's first move
   */
  start(column = null) {
    if (this.isStarting) return;
    this.isStarting = true;
    const { position } = this.setup;
    if (column !== null) {
      this.position = position.play(column);
      announce(t("move.played", t("player.you"), COLUMN_NAMES[column]));
    }
    this.app.connection.send(this.setup.createMessage(), {
      waitForConnection: true,
      onReply: (message) => {
        this.isStarting = false;
        if (message.type === "error") return this.handleError(message);
        if (message.type !== "game") return false;
        if (column !== null) this.pendingMove = { ply: position.moves.length, column };
        return this.receiveGame(message);
      },
    });
    this.render();
  }

  /** @param {GameReply} message */
  receiveGame(message) {
    const before = this.game?.game === message.game ? this.game : null;
    const position = Position.fromServer(message.position);
    this.game = message;
    this.position = position;
    this.isResignAsked = false;
    if (before?.position !== message.position) this.hint = null;
    saveSetting("game", message.status === "over" ? null : message.game);
    this.announceChange(message, position, before);
    const { pendingMove } = this;
    if (pendingMove && position.moves.length > pendingMove.ply) this.pendingMove = null;
    if (pendingMove?.ply === position.moves.length && message.status === "playing") this.sendPendingMove();
    this.render();
  }

  /**
   * Announce what changed to screen readers; the user's own moves were announced when they were made.
   * @param {GameReply} game
   * @param {Position} position
   * @param {GameReply | null} before
   */
  announceChange(game, position, before) {
    if (before && position.moves.length > Position.fromServer(before.position).moves.length) {
      const column = position.moves[position.moves.length - 1];
      if (position.opponent !== game.you) announce(t("move.played", this.getOpponentName(), COLUMN_NAMES[column]));
    } else if (before && before.position !== game.position) {
      announce(t("board.changed"));
    }
    if (game.status === "over" && before?.status !== "over") announce(this.getResultText());
  }

  /** @param {number} column */
  chooseColumn(column) {
    const { game, position } = this;
    if (!game || !position) {
      if (!this.setup.isPlacingHole) this.chooseFirstColumn(column);
    } else if (game.status === "over") announce(t("result.over"));
    else if (position.turn !== game.you) announce(t("status.not_your_turn"));
    else if (!position.isLegal(column)) announce(t("board.column_full"));
    else this.move(position, column);
  }

  /** @param {number} column */
  chooseFirstColumn(column) {
    const { position, userPlayer } = this.setup;
    if (position.turn !== userPlayer) this.start();
    else if (position.isLegal(column)) this.start(column);
    else announce(t("board.column_full"));
  }

  /**
   * @param {Position} position
   * @param {number} column
   */
  move(position, column) {
    this.pendingMove = { ply: position.moves.length, column };
    this.hint = null;
    announce(t("move.played", t("player.you"), COLUMN_NAMES[column]));
    this.sendPendingMove();
    this.render();
  }

  /** Show the pending move and send it; after a reconnect it is sent again, and the server ignores repeated moves. */
  sendPendingMove() {
    if (!this.pendingMove || !this.game || !this.position) return;
    const { ply, column } = this.pendingMove;
    if (this.position.moves.length === ply) this.position = this.position.play(column);
    this.app.connection.send(
      { type: "move", game: this.game.game, ply, column },
      { onReply: (message) => message.type !== "error" || this.handleError(message) },
    );
  }

  /** @param {ErrorReply} error */
  handleError(error) {
    this.pendingMove = null;
    this.hint = null;
    this.position = this.game && Position.fromServer(this.game.position);
    showError(error);
    this.render();
  }

  /** @param {"undo" | "redo" | "resign"} type */
  send(type) {
    if (!this.game) return;
    this.app.connection.send(
      { type, game: this.game.game },
      { onReply: (message) => message.type !== "error" || this.handleError(message) },
    );
  }

  requestHint() {
    if (!this.game || !this.can.hint) return;
    this.hint = "waiting";
    this.render();
    this.app.connection.send(
      { type: "hint", game: this.game.game },
      {
        onReply: (message) => {
          if (message.type === "error") return this.handleError(message);
          if (message.type !== "hint") return false;
          if (message.ply !== this.position?.moves.length) return true;
          this.hint = message;
          announce(t("game.hint.text", COLUMN_NAMES[message.column], formatScore(message.score)));
          return this.render();
        },
      },
    );
  }

  /** The first call asks for confirmation, the second resigns. */
  resign() {
    if (this.isResignAsked) this.send("resign");
    this.isResignAsked = !this.isResignAsked;
    this.render();
  }

  rematch() {
    if (!this.game) return;
    this.app.connection.send(
      { type: "rematch", game: this.game.game },
      {
        onReply: (message) => {
          if (message.type === "error") return this.handleError(message);
          if (message.type !== "game") return false;
          this.pendingMove = null;
          this.game = null;
          return this.receiveGame(message);
        },
      },
    );
  }

  /** Leave the game and show the setup. */
  startNewGame() {
    this.setup.isHoleButtonPressed = false;
    if (this.game) this.app.connection.send({ type: "leave", game: this.game.game });
    this.game = null;
    this.pendingMove = null;
    this.position = null;
    saveSetting("game", null);
    this.setup.renewBoard();
    this.render();
  }

  /**
   * Set up a game that continues from a position.
   * @param {Position} position
   * @param {string | null} [opponent] keeps the chosen opponent if null
   */
  setUpFrom(position, opponent = null) {
    this.startNewGame();
    this.setup.usePosition(position, opponent);
    this.render();
  }

  /** What the user can do now. */
  get can() {
    const { game, position } = this;
    const isPlaying = game?.status === "playing";
    const move = isPlaying && position?.turn === game.you && !this.pendingMove;
    const openingLength = game ? Position.fromServer(game.start).moves.length : 0;
    const undo = game?.moves.some((_, index) => (openingLength + index) % 2 === game.you) ?? false;
    return {
      move,
      hint: move && this.hint !== "waiting",
      undo,
      redo: Boolean(game?.redo.length),
      resign: isPlaying,
    };
  }

  getOpponentName() {
    return translatePlayerName(this.game?.opponent ?? this.setup.opponent);
  }

  /** @returns {[string, string]} */
  getPlayerNames() {
    const [you, opponent] = [t("player.you"), this.getOpponentName()];
    return (this.game ? this.game.you : this.setup.userPlayer) === 0 ? [you, opponent] : [opponent, you];
  }

  getResultText() {
    const { outcome, you } = this.game ?? {};
    if (!outcome || outcome.winner === null) return t("result.draw");
    const isWon = outcome.winner === you;
    if (outcome.ending === "resignation")
      return t(isWon ? "result.opponent_resigned" : "result.you_resigned", this.getOpponentName());
    const text = isWon ? t("result.you_win") : t("result.wins", this.getOpponentName());
    return outcome.ending === "win" ? text : `${text} (${t(`ending.${outcome.ending}`)})`;
  }

  getStatusText() {
    if (!this.game) return this.isStarting ? t("setup.starting") : this.setup.getStatusText();
    if (this.game.status === "over") return this.getResultText();
    return this.can.move ? t("status.your_turn") : t("status.thinking", this.getOpponentName());
  }

  get shownPosition() {
    return this.position ?? this.setup.position;
  }

  getBoardLabel() {
    const { rows, cols } = this.shownPosition;
    return t("board.label", rows, cols, this.getStatusText());
  }

  render() {
    if (!this.isActive) return;
    const { game, setup, shownPosition } = this;
    const selectsCells = !game && setup.isPlacingHole && !this.isStarting;
    this.board.onCell = selectsCells ? (row, column) => setup.toggleHole(row, column) : null;
    const isPlayable = game ? this.can.move : !this.isStarting;
    const hintColumn = this.hint && this.hint !== "waiting" ? this.hint.column : null;
    this.board.show(shownPosition, { isPlayable, selectsCells, hintColumn });
    const iconPlayer = game?.status === "over" ? (game.outcome?.winner ?? game.you) : shownPosition.turn;
    replaceContent(this.status, game ? createStoneIcon(iconPlayer ?? 0) : null, this.getStatusText());
    this.status.classList.toggle("over", game?.status === "over");
    replaceContent(this.sidebar, game ? createPlayPanel(this, game, shownPosition) : setup.render());
    replaceFragment(game ? `#play=${game.game}` : "#play");
    this.app.mount("play", this.element, this.sidebar);
  }

  /**
   * The current game for Analyse and Review.
   * @returns {{position: Position, info: GameInfo} | null}
   */
  getOpenedGame() {
    if (!this.game) return null;
    const { game, names, scores, times_ms, outcome } = this.game;
    return {
      position: Position.fromServer(this.game.position),
      info: { gameId: game, names, scores, times_ms, outcome },
    };
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    return {
      playColumn: (column) =>
        column < this.shownPosition.cols ? this.chooseColumn(column) : announce(t("board.no_column")),
      keys: {
        u: () => this.can.undo && this.send("undo"),
        y: () => this.can.redo && this.send("redo"),
        h: () => this.requestHint(),
        n: () => this.startNewGame(),
        m: () => this.game?.status === "over" && this.rematch(),
        ArrowLeft: () => this.board.focusOrMove(-1),
        ArrowRight: () => this.board.focusOrMove(1),
      },
    };
  }
}
