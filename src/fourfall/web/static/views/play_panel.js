// The sidebar of Play during a game: players, buttons, moves.

import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { createShareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { formatScore } from "../words/score_text.js";

/** @import { GameReply, HintReply, Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { PlayView } from "./play.js" */

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
export function createPlayPanel(view, game, position) {
  return [
    el(
      "section",
      { class: "card" },
      createPlayerRows(view, game, position),
      createHintText(view.hint),
      createMainButtons(view, game),
      createOtherButtons(view, game),
    ),
    el(
      "section",
      { class: "card tight" },
      el("h2", {}, t("move.list")),
      el("p", { class: "code move-text" }, position.moveNotation || "–"),
      createShareButtons(() => ({ position, ply: position.moves.length, gameId: game.game })),
    ),
  ];
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
function createPlayerRows(view, game, position) {
  const isOver = game.status === "over";
  /** @param {Player} player */
  const state = (player) => {
    if (isOver) return game.outcome?.winner === player ? "winner" : "";
    return position.turn === player ? "turn" : "";
  };
  const texts = { winner: t("result.winner"), turn: t("status.to_move"), "": "" };
  const names = view.getPlayerNames();
  /** @param {Player} player */
  const row = (player) =>
    el(
      "div",
      { class: state(player) },
      createStoneIcon(player),
      el("span", {}, names[player]),
      el("span", { class: "muted small" }, texts[state(player)]),
    );
  return el("div", { class: "players" }, row(0), row(1));
}

/** @param {HintReply | "waiting" | null} hint */
function createHintText(hint) {
  if (!hint) return null;
  const text =
    hint === "waiting"
      ? t("game.hint.waiting")
      : t("game.hint.text", COLUMN_NAMES[hint.column], formatScore(hint.score));
  return el("p", { class: "small hint-text" }, text);
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function createMainButtons(view, game) {
  const { can, app } = view;
  const review = () => app.openReview(view.getOpenedGame());
  const first =
    game.status === "over"
      ? [
          createButton("rematch", t("game.rematch"), () => view.rematch(), { variant: "primary" }),
          createButton("review", t("game.review"), review, { disabled: !game.moves.length }),
        ]
      : [createButton("hint", t("game.hint"), () => view.requestHint(), { disabled: !can.hint })];
  return el(
    "div",
    { class: "row" },
    first,
    createButton("undo", t("game.undo"), () => view.send("undo"), { disabled: !can.undo }),
    createButton("redo", t("game.redo"), () => view.send("redo"), { disabled: !can.redo }),
  );
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function createOtherButtons(view, game) {
  const variant = "secondary";
  const resignText = t(view.isResignAsked ? "game.resign.confirm" : "game.resign");
  return el(
    "div",
    { class: "row" },
    game.status === "playing" ? createButton("resign", resignText, () => view.resign(), { variant }) : null,
    createButton("analyse", t("game.analyse"), () => view.app.openAnalyse(view.getOpenedGame()), { variant }),
    createButton("new", t("game.new"), () => view.startNewGame(), { variant }),
  );
}
