// Owns the shapes on a board: discs and diamonds, the blocked cell, rings, numbers and threat marks.

import { svg } from "./dom.js";

export const CELL = 40;
const HALF = CELL / 2;

const middle = (at) => at * CELL + HALF;

/** A stone at its place: a disc for the first player, a diamond for the second. */
export function stone(row, column, player, kind = "stone") {
  const shapes =
    player === 0
      ? [svg("circle", { r: 17 }), svg("circle", { r: 10.5, class: "inner" })]
      : [diamond(13.2, 4), diamond(7.6, 2.5, "inner")];
  return svg(
    "g",
    { class: `${kind} player-${player}`, transform: `translate(${middle(column)} ${middle(row)})` },
    svg("g", { class: "body" }, shapes),
  );
}

export function well(row, column) {
  return svg("circle", { class: "well", cx: middle(column), cy: middle(row), r: 17 });
}

/** The hole, drawn as a solid block: nothing ever rests there. */
export function block(row, column) {
  const [x, y, reach] = [middle(column), middle(row), 8];
  return svg(
    "g",
    { class: "block" },
    svg("rect", { x: x - HALF + 1.5, y: y - HALF + 1.5, width: CELL - 3, height: CELL - 3, rx: 6 }),
    svg("path", {
      d: `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`,
    }),
  );
}

export function lastMark(row, column) {
  return svg("circle", { class: "last", cx: middle(column), cy: middle(row), r: 4.5 });
}

export function winningMark(row, column) {
  return svg("circle", { class: "four", cx: middle(column), cy: middle(row), r: 17.6 });
}

/** A stone that is not there yet, with its number in the expected line. */
export function ghost(row, column, player, number) {
  const group = stone(row, column, player, "ghost");
  group.append(svg("text", { "text-anchor": "middle", dy: "0.35em" }, String(number)));
  return group;
}

/** A small ring or diamond in the upper corner of a free cell that would complete four: each player has a corner. */
export function threat(row, column, player) {
  const place = `translate(${middle(column) + (player === 0 ? -8 : 8)} ${middle(row) - 8})`;
  const shape = player === 0 ? svg("circle", { r: 4.5 }) : diamond(3.8, 1);
  return svg("g", { class: `threat player-${player}`, transform: place }, shape);
}

function diamond(reach, round, kind = null) {
  return svg("rect", {
    class: kind,
    x: -reach,
    y: -reach,
    width: 2 * reach,
    height: 2 * reach,
    rx: round,
    transform: "rotate(45)",
  });
}

/** A stone beside text, to name a player by shape and colour. */
export function badge(player) {
  const picture = svg("svg", { class: "badge", viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" });
  picture.append(stone(0, 0, player));
  return picture;
}
