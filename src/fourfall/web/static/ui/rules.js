// The rules of the game in three sentences, each with a small board.

import { Position } from "../model/position.js";
import { t } from "../words/language.js";
import { CELL_SIZE, createBoardThumbnail, drawStone } from "./board_shapes.js";
import { el, svg } from "./dom.js";

const ROWS = 4;
const COLS = 5;
const FALLING_COLUMN = 3;

/** Three pictures with their sentences: falling stones, four in a row, the blocked cell. */
export function createRules() {
  const pictures = [drawFallingStone(), drawFourInARow(), drawStonesAroundHole()];
  const sentences = ["rules.fall", "rules.four", "rules.hole"];
  return el(
    "ol",
    { class: "rules" },
    pictures.map((picture, index) => el("li", {}, picture, el("p", {}, t(sentences[index])))),
  );
}

/**
 * @param {number[]} moves columns from 1
 * @param {[number, number] | null} [hole]
 */
function createPosition(moves, hole = null) {
  return moves.reduce((position, column) => position.play(column - 1), new Position(ROWS, COLS, hole));
}

/** A stone at the top of a column with an arrow to the cell in which it lands. */
function drawFallingStone() {
  const position = createPosition([2, 3, 3, 2]);
  const picture = createBoardThumbnail(position);
  const landing = position.findLandingRow(FALLING_COLUMN);
  const x = (FALLING_COLUMN + 0.5) * CELL_SIZE;
  const [top, bottom] = [1.15 * CELL_SIZE, (landing + 0.75) * CELL_SIZE];
  picture.append(
    drawStone(0, FALLING_COLUMN, position.turn),
    svg("path", { class: "fall-arrow", d: `M${x} ${top}V${bottom}m-9 -10 9 10 9 -10` }),
  );
  return picture;
}

function drawFourInARow() {
  return createBoardThumbnail(createPosition([1, 2, 2, 3, 4, 3, 3, 4, 5, 4, 4]));
}

function drawStonesAroundHole() {
  return createBoardThumbnail(createPosition([3, 2, 4, 4, 3], [2, 2]));
}
