// Sentences about a position: the result or the side to move, and the label of a board for screen readers.

import { t } from "./language.js";
import { getSideNames } from "./player_names.js";

/** @import { Position } from "../model/position.js" */

/**
 * "Blue won", "Draw" or "Orange to move".
 * @param {Position} position
 */
export function describeState(position) {
  const sides = getSideNames();
  if (position.winningCells) return t("result.side_won", sides[position.opponent]);
  return position.isOver ? t("result.draw") : t("status.side_to_move", sides[position.turn]);
}

/** @param {Position} position */
export function formatBoardLabel(position) {
  return t("board.label", position.rows, position.cols, describeState(position));
}
