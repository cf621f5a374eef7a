// The sidebar of Play during and after a game: result, players with their clocks, buttons, moves.

import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { createShareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { formatScore } from "../words/score_text.js";
import { createSoundField } from "./game_setup.js";
import { createResultCard } from "./result_card.js";

/** @import { GameReply, HintReply, Player } from "../model/messages.d.ts" */
/** @import { PlaySession } from "../model/play_session.js" */
/** @import { Position } from "../model/position.js" */
/** @import { PlayView } from "./play.js" */

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
export function createPlayPanel(view, game, position) {
  return [
    game.status === "over" ? createResultCard(view, game, position) : null,
    el(
      "section",
      { class: "card" },
      createPlayerRows(view, game, position),
      createHintText(view.session, game, position),
      view.reason.element,
      createMainButtons(view, game),
      createOtherButtons(view, game),
      createSoundField(),
    ),
    el(
      "section",
      { class: "card tight" },
      el("h2", {}, t("move.list")),
      view.moveList.element,
      view.viewedPly === null ? null : createViewedRow(view),
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
      el("span", { class: "muted small player-state" }, texts[state(player)]),
      game.clock ? view.clock.elements[player] : null,
    );
  return el("div", { class: "players" }, row(0), row(1));
}

/**
 * @param {PlaySession} session
 * @param {GameReply} game
 * @param {Position} position
 */
function createHintText({ hint }, game, position) {
  if (!hint) return null;
  if (hint === "waiting") return el("p", { class: "small hint-text" }, t("game.hint.waiting"));
  return el("p", { class: "small hint-text" }, formatHint(hint, game, position));
}

/**
 * @param {HintReply} hint
 * @param {GameReply} game
 * @param {Position} position
 */
export function formatHint(hint, game, position) {
  const column = COLUMN_NAMES[hint.column];
  if (game.you !== null) return t("game.hint.text", column, formatScore(hint.score));
  return t("game.hint.side", column, getSideNames()[position.turn], formatScore(hint.score));
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function createMainButtons({ session }, game) {
  const { can } = session;
  return el(
    "div",
    { class: "row" },
    game.status === "over"
      ? null
      : createButton("hint", t("game.hint"), () => session.requestHint(), { disabled: !can.hint }),
    createButton("undo", t("game.undo"), () => session.send("undo"), { disabled: !can.undo }),
    createButton("redo", t("game.redo"), () => session.send("redo"), { disabled: !can.redo }),
  );
}

/**
 * @param {PlayView} view
 * @param {GameReply} game
 */
function createOtherButtons(view, game) {
  return el(
    "div",
    { class: "row" },
    game.status === "playing" ? createButton("resign", t("game.resign"), () => view.resign()) : null,
    createButton("analyse", t("game.analyse"), () => view.app.openAnalyse(view.getOpenedGame())),
    createButton("new", t("game.new"), () => view.startNewGame()),
  );
}

/**
 * Says that the board shows an earlier position, and leads back to the game.
 * @param {PlayView} view
 */
function createViewedRow(view) {
  return el(
    "div",
    { class: "row spread" },
    el("p", { class: "small" }, view.getViewedText()),
    createButton("back-to-game", t("variation.return"), () => view.viewPly(null), { variant: "compact" }),
  );
}
