// The board in another page (iframe): shows the position in the fragment, or plays the moves after `ply` stones.

import { parseFragment } from "./model/routes.js";
import { createBoardThumbnail } from "./ui/board_shapes.js";
import { el, getById, prefersReducedMotion } from "./ui/dom.js";
import { t } from "./words/language.js";
import { formatBoardLabel } from "./words/result_text.js";

/** @import { Position } from "./model/position.js" */

const MOVE_MS = 900;
const PAUSE_MS = 4000;
let timer = 0;

/**
 * @param {Position} position
 * @param {number} ply
 * @param {number} start the ply at which the repetition begins
 */
function show(position, ply, start) {
  const shown = position.rewindTo(ply);
  const end = position.moves.length;
  const board = createBoardThumbnail(shown);
  board.removeAttribute("aria-hidden");
  board.setAttribute("role", "img");
  board.setAttribute("aria-label", formatBoardLabel(shown));
  const link = el("a", { href: `./${location.hash}`, target: "_blank", rel: "noopener" }, board);
  getById("embed").replaceChildren(link);
  if (start === end || prefersReducedMotion()) return;
  timer = setTimeout(() => show(position, ply === end ? start : ply + 1, start), ply === end ? PAUSE_MS : MOVE_MS);
}

function followAddress() {
  clearTimeout(timer);
  const { position, ply } = parseFragment(location.hash);
  if (!position) {
    getById("embed").replaceChildren(el("p", {}, t("link.invalid")));
    return;
  }
  const end = position.moves.length;
  const start = Math.min(ply ?? end, end);
  show(position, prefersReducedMotion() ? end : start, start);
}

addEventListener("hashchange", followAddress);
followAddress();
