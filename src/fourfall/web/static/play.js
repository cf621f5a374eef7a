// Owns Play: one game of a person against an engine, from the first click to the rematch.

import { BoardView } from "./board.js";
import { el, fill } from "./dom.js";
import { t } from "./language.js";
import { settle } from "./link.js";
import { recall, remember } from "./memory.js";
import { displayName } from "./names.js";
import { announce, errorText, notify } from "./notice.js";
import { playPanel } from "./play_panel.js";
import { NAMES, Position } from "./rules.js";
import { scoreText } from "./scores.js";
import { Setup } from "./setup.js";
import { badge } from "./stones.js";

export class Play {
  constructor(app) {
    this.app = app;
    this.game = null;
    this.position = null;
    this.pending = null;
    this.hint = null;
    this.sure = false;
    this.active = false;
    this.setup = new Setup(app, { onChange: () => this.render(), onStart: () => this.begin() });
    this.board = new BoardView({ onColumn: (column) => this.click(column), label: () => this.describe() });
    this.aside = el("div", { class: "stack" });
    this.status = el("p", { class: "status" });
    this.element = el("div", { class: "place" }, this.status, this.board.element);
    app.connection.on("game", (message) => message.game === this.game?.game && this.take(message));
    app.connection.on("thinking", (message) => message.game === this.game?.game && this.render());
  }

  /** Show the view; `id` names a stored game to go on with. */
  enter(id = null) {
    this.active = true;
    const wanted = id ?? this.game?.game ?? recall("game");
    this.render();
    if (wanted && wanted !== this.game?.game) this.open(wanted, id !== null);
  }

  leave() {
    this.active = false;
  }

  reconnected() {
    this.starting = false;
    this.hint = null;
    if (this.game) this.open(this.game.game, false);
    else this.position = null;
    this.render();
  }

  open(id, asked) {
    this.app.connection.send(
      { type: "open", game: id },
      {
        patient: true,
        reply: (message) => {
          if (message.type === "error") {
            remember("game", null);
            if (asked) notify(errorText(message));
            return;
          }
          if (message.type !== "game") return;
          if (message.you === null) this.app.go(`analyse=${id}`);
          else if (!asked && this.game === null && message.status === "over") remember("game", null);
          else this.take(message);
        },
      },
    );
  }

  /** Begin the game that is set up, with the first move where one was clicked. */
  begin(column = null) {
    if (this.starting) return;
    this.starting = true;
    if (column !== null) {
      this.position = this.setup.position.play(column);
      announce(t("played", t("you"), NAMES[column]));
    }
    this.app.connection.send(this.setup.message(), {
      patient: true,
      reply: (message) => {
        this.starting = false;
        if (message.type === "error") return this.refused(message);
        if (column !== null) this.pending = { ply: this.setup.position.moves.length, column };
        return this.take(message);
      },
    });
    this.render();
  }

  take(message) {
    const before = this.game?.game === message.game ? this.game : null;
    this.game = message;
    this.position = Position.parse(message.position);
    this.sure = false;
    if (before?.position !== message.position) this.hint = null;
    remember("game", message.status === "over" ? null : message.game);
    this.tell(before);
    if (this.pending && this.position.moves.length > this.pending.ply) this.pending = null;
    if (this.pending && message.status === "playing" && this.pending.ply === this.position.moves.length) this.resend();
    this.render();
  }

  /** Say what happened to those who cannot see it; their own moves were said when they made them. */
  tell(before) {
    const { game, position } = this;
    if (before && position.moves.length > Position.parse(before.position).moves.length) {
      if (1 - position.turn !== game.you) announce(t("played", this.opponentName(), NAMES[position.moves.at(-1)]));
    } else if (before && before.position !== game.position) announce(t("taken.back"));
    if (game.status === "over" && before?.status !== "over") announce(this.result());
  }

  click(column) {
    const { game } = this;
    if (!game) return this.setup.isPicking ? undefined : this.clickFirst(column);
    if (game.status === "over") return announce(t("over"));
    if (this.position.turn !== game.you) return announce(t("error.not_your_turn"));
    if (!this.position.isLegal(column)) return announce(t("error.column_full"));
    return this.move(column);
  }

  clickFirst(column) {
    const { position, choice } = this.setup;
    const mine = position.turn === (choice.side === "first" ? 0 : 1);
    if (mine && !position.isLegal(column)) return announce(t("error.column_full"));
    return this.begin(mine ? column : null);
  }

  move(column) {
    this.pending = { ply: this.position.moves.length, column };
    this.hint = null;
    announce(t("played", t("you"), NAMES[column]));
    this.resend();
    this.render();
  }

  /** A move is shown at once and sent again after a break; the server knows repeated ones by their ply. */
  resend() {
    const { ply, column } = this.pending;
    if (this.position.moves.length === ply) this.position = this.position.play(column);
    this.app.connection.send(
      { type: "move", game: this.game.game, ply, column },
      {
        reply: (message) => void (message.type === "error" && this.refused(message)),
      },
    );
  }

  refused(message) {
    this.pending = null;
    this.hint = null;
    this.position = this.game ? Position.parse(this.game.position) : null;
    notify(errorText(message));
    this.render();
  }

  send(type, reply = null) {
    const heard = (message) => (message.type === "error" ? this.refused(message) : reply?.(message));
    this.app.connection.send({ type, game: this.game.game }, { reply: heard });
  }

  askHint() {
    if (!this.can.hint) return;
    this.hint = { waiting: true };
    this.render();
    this.send("hint", (message) => {
      if (message.type !== "hint") return false;
      if (message.ply !== this.position.moves.length) return true;
      this.hint = message;
      announce(t("hint.text", NAMES[message.column], scoreText(message.score)));
      this.render();
      return true;
    });
  }

  resign() {
    if (!this.sure) {
      this.sure = true;
      this.render();
      return;
    }
    this.sure = false;
    this.send("resign");
  }

  rematch() {
    if (!this.game) return;
    this.send("rematch", (message) => {
      this.pending = null;
      this.game = null;
      this.take(message);
    });
  }

  fresh() {
    this.setup.picking = false;
    if (this.game) this.app.connection.send({ type: "leave", game: this.game.game });
    this.game = null;
    this.pending = null;
    this.position = null;
    remember("game", null);
    this.setup.renew();
    this.render();
  }

  /** Set up a game that goes on from a position, against the same opponent where there is one. */
  from(position, opponent = null) {
    this.fresh();
    this.setup.from(position, opponent);
    this.render();
  }

  get can() {
    const { game } = this;
    const playing = game?.status === "playing";
    const mine = playing && this.position.turn === game.you && !this.pending;
    const own = game
      ? game.moves.some((_, at) => (Position.parse(game.start).moves.length + at) % 2 === game.you)
      : false;
    return { hint: mine && !this.hint?.waiting, undo: own, redo: Boolean(game?.redo.length), resign: playing, mine };
  }

  opponentName() {
    return displayName(this.game?.opponent ?? this.setup.opponent);
  }

  playerNames() {
    const you = this.game ? this.game.you : this.setup.choice.side === "first" ? 0 : 1;
    return [0, 1].map((player) => (player === you ? t("you") : this.opponentName()));
  }

  result() {
    const { winner, ending } = this.game.outcome;
    if (winner === null) return t("draw");
    const words = winner === this.game.you ? t("you.win") : t("won", this.opponentName());
    if (ending === "resignation")
      return t(winner === this.game.you ? "they.resigned" : "you.resigned", this.opponentName());
    return ending === "win" ? words : `${words} (${t(`ending.${ending}`)})`;
  }

  statusText() {
    const { game, can } = this;
    if (!game)
      return this.starting
        ? t("starting")
        : t(
            this.setup.isPicking
              ? "status.pick"
              : this.setup.choice.side === "first" || this.setup.choice.kind === "from"
                ? "status.ready"
                : "status.ready.second",
          );
    if (game.status === "over") return this.result();
    return can.mine ? t("your.turn") : t("thinking", this.opponentName());
  }

  describe() {
    const position = this.position ?? this.setup.position;
    return t("board.label", position.rows, position.cols, this.statusText());
  }

  render() {
    if (!this.active) return;
    const { game, setup } = this;
    const position = this.position ?? setup.position;
    this.board.onCell =
      !game && setup.isPicking && !this.starting ? (row, column) => setup.placeHole(row, column) : null;
    const playable = game ? this.can.mine : !this.starting;
    this.board.show(position, { playable, picking: Boolean(this.board.onCell), hint: this.hint?.column ?? null });
    fill(
      this.status,
      game ? badge(game.status === "over" ? (game.outcome.winner ?? game.you) : position.turn) : "",
      this.statusText(),
    );
    this.status.classList.toggle("over", game?.status === "over");
    fill(this.aside, game ? playPanel(this) : setup.render());
    settle(game ? `#play=${game.game}` : "#play");
    this.app.mount("play", this.element, this.aside);
  }

  /** This game, as the study takes it up. */
  about() {
    const { game, names, scores, times_ms, outcome } = this.game;
    return { position: Position.parse(this.game.position), about: { game, names, scores, times_ms, outcome } };
  }

  keys() {
    const column = (at) =>
      at < (this.position ?? this.setup.position).cols ? this.click(at) : announce(t("no.column"));
    return {
      column,
      u: () => this.can.undo && this.send("undo"),
      y: () => this.can.redo && this.send("redo"),
      h: () => this.askHint(),
      n: () => this.fresh(),
      m: () => this.game?.status === "over" && this.rematch(),
      ArrowLeft: () => this.board.aim(-1),
      ArrowRight: () => this.board.aim(1),
    };
  }
}
