// The large board of Watch: follows one live game, goes on to another when it ends, and shows an evaluation.

import { getShownSide } from "../model/perspective.js";
import { Position } from "../model/position.js";
import { convertScore } from "../model/scores.js";
import { t } from "../words/language.js";
import { describeState, formatBoardLabel } from "../words/result_text.js";
import { formatEvaluation } from "../words/score_text.js";
import { BoardView } from "./board.js";
import { el, replaceContent } from "./dom.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { createPlayerLabels } from "./player_labels.js";

/** @import { AnalysisReply, LiveGame, ScoreInfo } from "../model/messages.d.ts" */
/** @import { Connection } from "../model/connection.js" */

/** So few that the evaluation takes hardly any time from the games. */
const SIMULATIONS = 100;
const INTERVAL_MS = 400;
const KEY_PREFIX = "live-";

export class LiveBoard {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** The followed game. @type {LiveGame | null} */
    this.game = null;
    /** @type {Position | null} */
    this.position = null;
    /** Score of the shown position for the first player. @type {ScoreInfo | null} */
    this.score = null;
    this.requestCount = 0;
    this.lastRequest = 0;
    this.timer = 0;
    this.board = new BoardView({ onColumn: () => {}, getLabel: () => this.getLabel() });
    this.bar = new EvaluationBar();
    this.players = el("div", { class: "row live-players" });
    this.evaluation = el("p", { class: "live-evaluation", "aria-live": "off" });
    this.link = el("a", {});
    this.element = el(
      "section",
      { class: "card live-board" },
      this.players,
      el("div", { class: "board-row" }, this.bar.element, this.board.element),
      el("div", { class: "row spread" }, this.evaluation, this.link),
    );
    connection.on("analysis", (message) => this.receive(message));
  }

  /**
   * Show the followed game, or the first one if the followed game has ended. Between two games of a running event,
   * the board keeps the last position, so that the page does not jump.
   * @param {LiveGame[]} games
   * @param {boolean} isRunning
   */
  update(games, isRunning) {
    const followed = this.game;
    const game = followed && games.find((other) => isSame(other, followed));
    if (games.length || !isRunning) this.follow(game ?? games[0] ?? null);
  }

  /**
   * Show a game. While a new position of the same game is evaluated, the evaluation before the move stays.
   * @param {LiveGame | null} game
   */
  follow(game) {
    const isSamePosition = this.position !== null && this.position.notation === game?.position;
    const isSameGame = game !== null && this.game !== null && isSame(game, this.game);
    this.game = game;
    if (!game || isSamePosition) return;
    this.position = Position.fromServer(game.position);
    if (!isSameGame) this.score = null;
    this.draw();
    this.requestEvaluation();
  }

  draw() {
    const { game, position } = this;
    if (!game || !position) return;
    replaceContent(this.players, createPlayerLabels(game.names));
    this.board.show(position, { isPlayable: false });
    this.link.href = `#${position.notation}`;
    this.link.textContent = t("event.live.analyse");
    this.drawEvaluation();
  }

  drawEvaluation() {
    const { position } = this;
    if (!position) return;
    const side = getShownSide(position.turn);
    const score = this.score && convertScore(this.score, 0, side);
    this.bar.show(score, side);
    this.evaluation.textContent = position.isOver
      ? describeState(position)
      : score
        ? formatEvaluation(score, side)
        : t("score.unknown");
  }

  /** Request an evaluation of the newest position, but not too often. */
  requestEvaluation() {
    clearTimeout(this.timer);
    const wait = Math.max(0, this.lastRequest + INTERVAL_MS - Date.now());
    this.timer = setTimeout(() => {
      const { position } = this;
      if (!position || position.isOver || !this.game) return;
      this.lastRequest = Date.now();
      this.requestCount += 1;
      const key = `${KEY_PREFIX}${this.requestCount}`;
      const limits = { time_s: 1, simulations: SIMULATIONS };
      this.connection.send({ type: "analyse", position: position.notation, engine: "fourfall", ...limits, key });
    }, wait);
  }

  /** @param {AnalysisReply} message */
  receive({ key, position, score }) {
    if (!key?.startsWith(KEY_PREFIX) || !score || position !== this.position?.notation) return;
    this.score = convertScore(score, this.position.turn, 0);
    this.drawEvaluation();
  }

  /** Stop following, when the view is left. */
  stop() {
    clearTimeout(this.timer);
    if (this.requestCount && this.game) this.connection.send({ type: "stop" });
    this.game = null;
    this.position = null;
  }

  getLabel() {
    return this.position ? formatBoardLabel(this.position) : "";
  }
}

/**
 * @param {LiveGame} game
 * @param {LiveGame} other
 */
function isSame(game, other) {
  return game.number === other.number && game.group === other.group;
}
