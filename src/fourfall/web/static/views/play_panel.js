// The sidebar of Play during a game: players, buttons, moves.

import { COLUMN_NAMES } from "../model/position.js";
import { stoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { button } from "../ui/form_fields.js";
import { shareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { scoreText } from "../words/score_text.js";

/** @import { GameReply, HintReply, Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { PlayView } from "./play.js" */

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
export function playPanel(view, game, position) {
  return [
    el(
      "section",
      { class: "card" },
      players(view, game, position),
      hintText(view.hint),
      mainButtons(view, game),
      otherButtons(view, game),
    ),
    el(
      "section",
      { class: "card tight" },
      el("h2", {}, t("move.list")),
      el("p", { class: "code move-text" }, position.moveNotation || "–"),
      shareButtons(() => ({ position, ply: position.moves.length, gameId: game.game })),
    ),
  ];
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
function players(view, game, position) {
  const isOver = game.status === "over";
  /** @param {Player} player */
  const state = (player) => {
    if (isOver) return game.outcome?.winner === player ? "winner" : "";
    return position.turn === player ? "turn" : "";
  };
  const texts = { winner: t("result.winner"), turn: t("status.to_move"), "": "" };
  const names = view.playerNames();
  /** @param {Player} player */
  const row = (player) =>
    el(
      "div",
      { class: state(player) },
      stoneIcon(player),
      el("span", {}, names[player]),
      el("span", { class: "muted small" }, texts[state(player)]),
    );
  return el("div", { class: "players" }, row(0), row(1));
}

/** @param {HintReply | "waiting" | null} hint */
function hintText(hint) {
  if (!hint) return null;
  const text =
    hint === "waiting" ? t("game.hint.waiting") : t("game.hint.text", COLUMN_NAMES[hint.column], scoreText(hint.score));
  return el("p", { class: "small hint-text" }, text);
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function mainButtons(view, game) {
  const { can, app } = view;
  const review = () => app.openReview(view.openedGame());
  const first =
    game.status === "over"
      ? [
          button("rematch", t("game.rematch"), () => view.rematch(), { variant: "primary" }),
          button("review", t("game.review"), review, { disabled: !game.moves.length }),
        ]
      : [button("hint", t("game.hint"), () => view.requestHint(), { disabled: !can.hint })];
  return el(
    "div",
    { class: "row" },
    first,
    button("undo", t("game.undo"), () => view.send("undo"), { disabled: !can.undo }),
    button("redo", t("game.redo"), () => view.send("redo"), { disabled: !can.redo }),
  );
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function otherButtons(view, game) {
  const variant = "secondary";
  const resignText = t(view.isResignAsked ? "game.resign.confirm" : "game.resign");
  return el(
    "div",
    { class: "row" },
    game.status === "playing" ? button("resign", resignText, () => view.resign(), { variant }) : null,
    button("analyse", t("game.analyse"), () => view.app.openAnalyse(view.openedGame()), { variant }),
    button("new", t("game.new"), () => view.newGame(), { variant }),
  );
}
