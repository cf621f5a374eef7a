// Marks of threats: free cells in which a stone completes four in a row. A disc marks the first player's threats, a
// diamond the second player's. A filled mark can be played now, an outlined one only when the cells below are filled.

import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { CELL_SIZE } from "./board_shapes.js";
import { el, svg } from "./dom.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */

/** Distance of the mark from the middle of the cell if both players have a threat there. */
const SHIFT = 8;

/**
 * The marks of all threats of some players.
 * @param {Position} position
 * @param {Player[]} players
 */
export function drawThreats(position, players) {
  if (position.winningCells) return [];
  const shared = new Set(position.findThreats(0).map(String));
  const both = new Set(
    position
      .findThreats(1)
      .map(String)
      .filter((cell) => shared.has(cell)),
  );
  return players.flatMap((player) =>
    position.findThreats(player).map(([row, column]) => {
      const isNow = position.findLandingRow(column) === row;
      const isShared = players.length > 1 && both.has(`${row},${column}`);
      const shift = isShared ? (player === 0 ? -SHIFT : SHIFT) : 0;
      const x = (column + 0.5) * CELL_SIZE + shift;
      return drawMark(player, isNow, `translate(${x} ${(row + 0.5) * CELL_SIZE}) scale(${isShared ? 0.75 : 1})`);
    }),
  );
}

/**
 * @param {Player} player
 * @param {boolean} isNow
 * @param {string} transform
 */
function drawMark(player, isNow, transform) {
  const shape =
    player === 0
      ? svg("circle", { r: 8 })
      : svg("rect", { x: -7, y: -7, width: 14, height: 14, rx: 1.5, transform: "rotate(45)" });
  return svg("g", { class: `threat player-${player} ${isNow ? "now" : "later"}`, transform }, shape);
}

/**
 * What the marks mean.
 * @param {Player[]} players whose threats are shown
 */
export function createThreatLegend(players) {
  const sides = getSideNames();
  const entries = players.flatMap((player) =>
    [true, false].map((isNow) => {
      const image = svg("svg", { class: "stone-icon", viewBox: "-12 -12 24 24", "aria-hidden": "true" });
      image.append(drawMark(player, isNow, ""));
      return el("li", {}, image, t(isNow ? "threats.now" : "threats.later", sides[player]));
    }),
  );
  return el("ul", { class: "threat-legend small" }, entries);
}
