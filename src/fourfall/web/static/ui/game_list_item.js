// One game of the list in Games: thumbnail, players, facts, and the buttons for review and deletion.

import { Position } from "../model/position.js";
import { formatDate, t } from "../words/language.js";
import { translatePlayerNames } from "../words/player_names.js";
import { createBoardThumbnail } from "./board_shapes.js";
import { el } from "./dom.js";
import { createButton } from "./form_fields.js";
import { createPlayerLabels } from "./player_labels.js";

/** @import { GameSummary } from "../model/messages.d.ts" */

/**
 * An unfinished game opens in Play, a finished one in Analyse. Games of the arena cannot be deleted.
 * @param {GameSummary} game
 * @param {() => unknown} onDelete
 */
export function createGameItem(game, onDelete) {
  const isOver = game.status === "over";
  const names = translatePlayerNames(game.names).join(" – ");
  const deleteAttributes = { variant: "secondary", "aria-label": t("games.delete.of", names) };
  return el(
    "li",
    { dataset: { game: game.id } },
    el(
      "a",
      { href: `#${isOver ? "analyse" : "play"}=${game.id}`, class: "game-link" },
      createThumbnail(game),
      el(
        "span",
        { class: "game-texts" },
        el("span", { class: "game-players" }, createPlayerLabels(game.names, game.winner)),
        el("span", { class: "small muted" }, listFacts(game).join(" · ")),
      ),
    ),
    game.plies > 0
      ? el(
          "a",
          { class: "button", href: `#review=${game.id}`, "aria-label": t("review.of", names) },
          t(game.reviewed ? "review.reviewed" : "view.review"),
        )
      : null,
    game.source === "page" ? createButton(`delete-${game.id}`, t("games.delete"), onDelete, deleteAttributes) : null,
  );
}

/**
 * The place of a deleted game, with a button that restores it.
 * @param {GameSummary} game
 * @param {() => unknown} onRestore
 */
export function createDeletedItem(game, onRestore) {
  const names = translatePlayerNames(game.names).join(" – ");
  return el(
    "li",
    { class: "deleted", dataset: { game: game.id } },
    el("span", { class: "muted" }, t("games.deleted", names)),
    createButton(`restore-${game.id}`, t("games.restore"), onRestore),
  );
}

/** @param {GameSummary} game */
function createThumbnail({ position, board }) {
  const shown = Position.parse(position) ?? Position.fromServer(board);
  return el("span", { class: "game-thumbnail" }, createBoardThumbnail(shown));
}

/** @param {GameSummary} game */
function listFacts(game) {
  const isOver = game.status === "over";
  const { rows, cols } = Position.fromServer(game.board);
  const isOrdinary = game.ending === null || ["win", "tie"].includes(game.ending);
  return [
    isOver ? "" : t("games.unfinished"),
    isOver && game.winner === null ? t("result.draw") : "",
    isOrdinary ? "" : t(`ending.${game.ending}`),
    t("board.size", rows, cols),
    t("games.stones", game.plies),
    formatDate(game.started),
  ].filter(Boolean);
}
