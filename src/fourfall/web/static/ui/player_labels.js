// The names of both players with their stones, for lists of games.

import { t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";
import { createStoneIcon } from "./board_shapes.js";
import { el } from "./dom.js";

/** @import { Player } from "../model/messages.d.ts" */

/**
 * @param {[string, string]} names
 * @param {Player | null} [winner]
 */
export function createPlayerLabels(names, winner = null) {
  /** @type {Player[]} */
  const players = [0, 1];
  return players.map((player) =>
    el(
      "span",
      { class: winner === player ? "winner" : "" },
      createStoneIcon(player),
      translatePlayerName(names[player]),
      winner === player ? el("span", { class: "winner-badge" }, t("result.winner")) : null,
    ),
  );
}
