// The view Play: one game against an engine or between two persons, from the setup to the rematch.

import { GameTree } from "../model/game_tree.js";
import { PlaySession } from "../model/play_session.js";
import { COLUMN_NAMES, Position } from "../model/position.js";
import { replaceFragment } from "../model/routes.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { TurningPoint } from "../model/turning_point.js";
import { ClockDisplay } from "../ui/clock_display.js";
import { askToConfirm } from "../ui/dialog.js";
import { el, replaceContent } from "../ui/dom.js";
import { showRulesOnce } from "../ui/help.js";
import { MoveList } from "../ui/move_list.js";
import { MoveReason } from "../ui/move_reason.js";
import { announce, showError, showNotification } from "../ui/notifications.js";
import { playSound } from "../ui/sounds.js";
import { t } from "../words/language.js";
import { getSideNames, translatePlayerName, translatePlayerNames } from "../words/player_names.js";
import { describeEnd, formatResult } from "../words/result_text.js";
import { GameSetup } from "./game_setup.js";
import { PlayBoard } from "./play_board.js";
import { createPlayPanel, formatHint } from "./play_panel.js";

/** @import { App } from "../app.js" */
/** @import { ErrorReply, GameReply } from "../model/messages.d.ts" */
/** @import { GameInfo } from "../ui/game_viewer.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */
/** @import { Status } from "./play_board.js" */

export class PlayView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.session = new PlaySession(app.connection, {
      onGame: (game, position, before) => this.receiveGame(game, position, before),
      onChange: () => this.render(),
      onHint: (hint) => {
        if (this.game && this.position) announce(formatHint(hint, this.game, this.position));
        this.render();
      },
      onError: (error) => this.handleError(error),
    });
    /** The earlier position that the board shows; null shows the game. @type {number | null} */
    this.viewedPly = null;
    this.isActive = false;
    this.setup = new GameSetup(app, {
      onChange: () => this.render(),
      onBoardChange: () => this.renderBoard(),
      onStart: () => this.start(),
    });
    this.clock = new ClockDisplay();
    this.turningPoint = new TurningPoint(app.connection, () => this.render());
    this.moveList = new MoveList(
      (node) => this.viewPly(node.ply),
      () => "",
    );
    this.reason = new MoveReason(app.connection, () => this.renderBoard());
    this.board = new PlayBoard((column) => this.chooseColumn(column));
    this.sidebar = el("div", { class: "stack" });
  }

  get game() {
    return this.session.game;
  }

  get position() {
    return this.session.position;
  }

  /** @param {string | null} [gameId] a stored game to continue */
  enter(gameId = null) {
    this.isActive = true;
    const wanted = gameId ?? this.game?.game ?? loadSetting("game", /** @type {string | null} */ (null));
    this.render();
    if (wanted && wanted !== this.game?.game) this.openGame(wanted, gameId !== null);
    showRulesOnce();
  }

  leave() {
    this.isActive = false;
    if (this.turningPoint.isSearching) this.turningPoint.clear();
    if (this.game?.clock && this.game.status === "playing") showNotification(t("clock.keeps_running"));
  }

  handleReconnect() {
    const { session } = this;
    session.isStarting = false;
    session.hint = null;
    if (session.game) this.openGame(session.game.game, false);
    else session.position = null;
    this.render();
  }

  /**
   * @param {string} gameId
   * @param {boolean} isRequested by the user; otherwise errors are not shown and a finished game is not opened
   */
  openGame(gameId, isRequested) {
    /** @param {GameReply} message */
    const accept = (message) => {
      if (message.opponent === null) this.app.open(`analyse=${gameId}`);
      else if (!isRequested && !this.game && message.status === "over") saveSetting("game", null);
      else return true;
      return false;
    };
    this.session.open(gameId, accept, (error) => {
      saveSetting("game", null);
      if (isRequested) showError(error);
    });
  }

  /**
   * Start the game that is set up.
   * @param {number | null} [column] a person's first move
   */
  start(column = null) {
    if (this.session.isStarting || !this.setup.validate()) return;
    const { position } = this.setup;
    if (column !== null) this.reportMove(position, column);
    this.session.start(this.setup.createMessage(), position, column);
    this.render();
  }

  /**
   * @param {GameReply} game
   * @param {Position} position
   * @param {GameReply | null} before
   */
  receiveGame(game, position, before) {
    this.clock.show(game);
    if (before?.position !== game.position) this.viewedPly = null;
    this.searchTurningPoint(game, before);
    this.announceChange(game, position, before);
    this.render();
  }

  /**
   * Announce what changed to screen readers; moves of persons were announced when they were made.
   * @param {GameReply} game
   * @param {Position} position
   * @param {GameReply | null} before
   */
  announceChange(game, position, before) {
    if (before && position.moves.length > Position.fromServer(before.position).moves.length) {
      if (game.you !== null && position.opponent !== game.you) {
        announce(t("move.played", this.getOpponentName(), COLUMN_NAMES[position.moves[position.moves.length - 1]]));
        playSound("move");
      }
    } else if (before && before.position !== game.position) {
      announce(t("board.changed"));
    }
    if (game.status !== "over" || before?.status === "over") return;
    announce(`${this.getResultText()} ${describeEnd(game, position, this.getPlayerNames())}`);
    const winner = game.outcome?.winner ?? null;
    if (before) playSound(winner === null ? "draw" : game.you === null || winner === game.you ? "win" : "loss");
  }

  /**
   * Search the turning point of a game that was won; not of an old game that is opened again.
   * @param {GameReply} game
   * @param {GameReply | null} before
   */
  searchTurningPoint(game, before) {
    const winner = game.outcome?.winner ?? null;
    if (game.status === "playing" || winner === null) this.turningPoint.clear();
    else if (before?.status === "playing" && game.moves.length) this.turningPoint.search(game.position, 1 - winner);
  }

  /** @param {number} column */
  chooseColumn(column) {
    const { game, position } = this;
    if (!game || !position) this.chooseFirstColumn(column);
    else if (this.viewedPly !== null) this.viewPly(null);
    else if (game.status === "over") announce(t("result.over"));
    else if (!this.session.isPersonsTurn) this.board.showNotice(t("status.not_your_turn"));
    else if (this.session.pendingMove) this.board.showNotice(t("status.sending"));
    else if (!position.isLegal(column)) this.board.refuseColumn(column);
    else this.move(position, column);
  }

  /** @param {number} column */
  chooseFirstColumn(column) {
    const { position, isUserFirst } = this.setup;
    if (!isUserFirst) this.start();
    else if (position.isLegal(column)) this.start(column);
    else this.board.refuseColumn(column);
  }

  /**
   * @param {Position} position
   * @param {number} column
   */
  move(position, column) {
    this.reportMove(position, column);
    this.session.move(column);
    this.render();
  }

  /**
   * Announce a move of a person and play its sound.
   * @param {Position} position before the move
   * @param {number} column
   */
  reportMove(position, column) {
    const you = this.game ? this.game.you : this.setup.userPlayer;
    const name = you === null ? getSideNames()[position.turn] : t("player.you");
    announce(t("move.played", name, COLUMN_NAMES[column]));
    playSound("move");
    this.board.clearNotice();
  }

  /** @param {ErrorReply} error */
  handleError(error) {
    showError(error);
    this.render();
  }

  async resign() {
    const { game, position } = this;
    if (!game || !position) return;
    const names = this.getPlayerNames();
    const loser = game.you ?? position.turn;
    const isConfirmed = await askToConfirm({
      title: t("resign.title"),
      text: t(game.you === null ? "resign.text.sides" : "resign.text", names[loser === 0 ? 1 : 0], names[loser]),
      confirmText: t("game.resign"),
      cancelText: t("game.keep_playing"),
    });
    if (isConfirmed && this.game?.game === game.game && this.session.can.resign) this.session.send("resign");
  }

  /** Ask before a running game is left. @returns {Promise<boolean>} */
  async confirmLeaving() {
    if (this.game?.status !== "playing") return true;
    if (!this.game.moves.length && !this.session.pendingMove) return true;
    return askToConfirm({
      title: t("leave.title"),
      text: t("leave.text") + (this.game.clock ? ` ${t("clock.keeps_running")}` : ""),
      confirmText: t("leave.confirm"),
      cancelText: t("game.keep_playing"),
    });
  }

  /** Show the setup; asks first if a game is running. */
  async startNewGame() {
    if (!(await this.confirmLeaving())) return;
    this.closeGame();
    this.render();
  }

  closeGame() {
    this.session.close();
    this.viewedPly = null;
    this.clock.show(null);
    this.turningPoint.clear();
    this.setup.renewBoard();
  }

  /**
   * Set up a game that continues from a position. False if the user wants to continue the running game.
   * @param {Position} position
   * @param {string | null} [opponent] keeps the chosen opponent if null
   * @returns {Promise<boolean>}
   */
  async setUpFrom(position, opponent = null) {
    if (!(await this.confirmLeaving())) return false;
    this.closeGame();
    this.setup.usePosition(position, opponent);
    this.render();
    return true;
  }

  /**
   * Show an earlier position of the game; null or the last ply shows the game.
   * @param {number | null} ply
   */
  viewPly(ply) {
    const { game, position } = this;
    if (!game || !position) return;
    const last = position.moves.length;
    const at = ply === null ? last : Math.min(Math.max(ply, 0), last);
    if (at === (this.viewedPly ?? last)) return;
    this.viewedPly = at === last ? null : at;
    announce(at ? t("move.at", at, COLUMN_NAMES[position.moves[at - 1]]) : t("move.start"));
    this.render();
  }

  /** @param {number} plies positive: forward, negative: back */
  step(plies) {
    this.viewPly((this.viewedPly ?? this.position?.moves.length ?? 0) + plies);
  }

  /**
   * Open the review of the game.
   * @param {number | null} [ply] the position to show
   */
  openReview(ply = null) {
    this.app.openReview(this.getOpenedGame());
    if (ply !== null) this.app.viewer.selectPly(ply);
  }

  getOpponentName() {
    return translatePlayerName(this.game?.opponent ?? this.setup.opponent);
  }

  getPlayerNames() {
    return this.game ? translatePlayerNames(this.game.names) : getSideNames();
  }

  getResultText() {
    return this.game ? formatResult(this.game, this.getPlayerNames()) : "";
  }

  /** The line above the board. @returns {Status} */
  getStatus() {
    const { game, position, session } = this;
    if (!game) {
      const text = session.isStarting ? t("setup.starting") : this.setup.getStatusText();
      return { text, player: null, isOver: false };
    }
    const isOver = game.status === "over";
    if (isOver) return { text: this.getResultText(), player: game.outcome?.winner ?? null, isOver };
    const player = position?.turn ?? 0;
    if (this.viewedPly !== null) return { text: this.getViewedText(), player: null, isOver };
    if (game.you === null) return { text: t("status.side_to_move", getSideNames()[player]), player, isOver };
    const text = session.can.move ? t("status.your_turn") : t("status.thinking", this.getOpponentName());
    return { text, player, isOver };
  }

  /** Says that the board shows an earlier position. */
  getViewedText() {
    return t("move.viewed", this.viewedPly ?? 0, this.position?.moves.length ?? 0);
  }

  get shownPosition() {
    const position = this.position ?? this.setup.position;
    return this.viewedPly === null ? position : position.rewindTo(this.viewedPly);
  }

  render() {
    if (!this.isActive) return;
    const { game, position } = this;
    this.renderBoard();
    if (game) this.clock.draw();
    replaceContent(this.sidebar, game && position ? createPlayPanel(this, game, position) : this.setup.render());
    replaceFragment(game ? `#play=${game.game}` : this.setup.fragment);
    this.app.mount("play", this.board.element, this.sidebar);
    if (!game || !position) return;
    const tree = new GameTree(position);
    tree.select(tree.mainLine[this.viewedPly ?? position.moves.length]);
    this.moveList.show(tree);
  }

  renderBoard() {
    const { game, session } = this;
    const isPlayable = game ? session.can.move && this.viewedPly === null : !session.isStarting;
    const { hint } = session;
    const hintColumn = hint && hint !== "waiting" && this.viewedPly === null ? hint.column : null;
    const { shownPosition: position, reason } = this;
    const options = { isDrawn: true, isAnnounced: true, hidesComparison: true };
    reason.show(hintColumn === null ? null : { position, column: hintColumn, ...options });
    this.board.show(position, { isPlayable, hintColumn, ...reason.getBoardOptions(position) }, this.getStatus());
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
    const { session, board } = this;
    return {
      playColumn: (column) =>
        column < this.shownPosition.cols ? this.chooseColumn(column) : announce(t("board.no_column")),
      keys: {
        u: () => session.can.undo && session.send("undo"),
        y: () => session.can.redo && session.send("redo"),
        h: () => session.requestHint(),
        n: () => this.startNewGame(),
        m: () => this.game?.status === "over" && session.rematch(),
        ",": () => this.step(-1),
        ".": () => this.step(1),
        "<": () => this.step(-Infinity),
        ">": () => this.step(Infinity),
        ArrowLeft: () => board.view.focusOrMove(-1),
        ArrowRight: () => board.view.focusOrMove(1),
      },
    };
  }
}
