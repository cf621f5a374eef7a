// Pointer input of a board: hover and click with a mouse; with a finger a stone drops on release after sliding to its
// column, and sliding off the board cancels.

import { findClosest } from "./dom.js";

/** @import { Cell } from "../model/messages.d.ts" */
/** @import { BoardView } from "./board.js" */

/** A browser sends a click after a touch; within this time it is not another choice. */
const CLICK_AFTER_TOUCH_MS = 700;

/** @param {BoardView} board */
export function listenForPointer(board) {
  const { grid } = board;
  /** The finger that chooses a column. @type {number | null} */
  let finger = null;
  let lastTouch = -Infinity;

  /** @param {number | null} column */
  const preview = (column) => {
    board.hover(column);
    for (const [index, name] of Array.from(board.columnNames.children).entries()) {
      name.classList.toggle("chosen", index === column);
    }
  };
  const endTouch = () => {
    finger = null;
    preview(null);
  };

  grid.addEventListener("click", (event) => {
    if (event.timeStamp - lastTouch < CLICK_AFTER_TOUCH_MS) return;
    const cell = getEventCell(event);
    if (cell) board.choose(cell);
  });
  grid.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    if (finger !== null) return endTouch(); // a second finger zooms
    if (board.onCell || !board.options.isPlayable) return;
    finger = event.pointerId;
    preview(getCellAt(grid, event)?.[1] ?? null);
  });
  grid.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") board.hover(getEventCell(event)?.[1] ?? null);
    else if (event.pointerId === finger) preview(getCellAt(grid, event)?.[1] ?? null);
  });
  grid.addEventListener("pointerup", (event) => {
    if (event.pointerId !== finger) return;
    lastTouch = event.timeStamp;
    endTouch();
    const cell = getCellAt(grid, event);
    if (cell) board.choose(cell);
  });
  grid.addEventListener("pointercancel", endTouch);
  grid.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && board.hover(null));
}

/**
 * @param {Event} event
 * @returns {Cell | null}
 */
export function getEventCell(event) {
  const cell = findClosest(event, "[role=gridcell]");
  return cell && [Number(cell.dataset.row), Number(cell.dataset.column)];
}

/**
 * The cell below a finger, which the browser reports to the cell where the touch began.
 * @param {HTMLElement} grid
 * @param {PointerEvent} event
 * @returns {Cell | null}
 */
function getCellAt(grid, { clientX, clientY }) {
  const cell = document.elementFromPoint(clientX, clientY)?.closest("[role=gridcell]");
  if (!(cell instanceof HTMLElement) || !grid.contains(cell)) return null;
  return [Number(cell.dataset.row), Number(cell.dataset.column)];
}
