// Owns the list of moves: the game in one flow, its variations set off below the move they replace.

import { el, fill } from "./dom.js";
import { t } from "./language.js";
import { NAMES } from "./rules.js";

export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class MoveList {
  /** `onNode(node)` hears which position was clicked; `markOf(node)` says "", inaccuracy, mistake or blunder. */
  constructor(onNode, markOf = () => "") {
    this.onNode = onNode;
    this.markOf = markOf;
    this.element = el("div", { class: "moves", role: "group" });
  }

  show(tree) {
    this.tree = tree;
    this.element.setAttribute("aria-label", t("moves"));
    const start = this.button(tree.root, t("start"));
    fill(this.element, start, this.line(tree.root));
    const here = this.element.querySelector("[aria-current]");
    if (here) keepInSight(this.element, here);
  }

  line(node, ahead = true) {
    const parts = [];
    for (let at = node; at.next; at = at.next) {
      parts.push(this.move(at.next, ahead));
      ahead = false;
      for (const other of at.children.slice(1)) {
        parts.push(el("div", { class: "variation" }, this.move(other, true), this.line(other, false)));
        ahead = true;
      }
    }
    return parts;
  }

  move(node, numbered) {
    const player = (node.ply - 1) % 2;
    const count = player === 0 || numbered ? el("span", { class: "count" }, `${node.ply}.`) : null;
    return [count, this.button(node, NAMES[node.column])];
  }

  button(node, text) {
    const here = node === this.tree.here;
    const mark = node.parent ? this.markOf(node) : "";
    const label = node.parent
      ? t(
          "move.label",
          node.ply,
          t(node.ply % 2 ? "blue" : "orange"),
          NAMES[node.column],
          mark ? t(`mark.${mark}`) : "",
        )
      : text;
    return el(
      "button",
      {
        type: "button",
        class: `move ${node.parent ? `side-${(node.ply - 1) % 2}` : ""} ${mark}`,
        "aria-label": label,
        "aria-current": here ? "true" : null,
        tabindex: here ? 0 : -1,
        dataset: { keep: "move", ply: node.ply },
        on: { click: () => this.onNode(node) },
      },
      text,
      mark ? el("b", {}, MARKS[mark]) : null,
    );
  }
}

/** Scroll the list alone, never the page. */
function keepInSight(list, item) {
  const [box, at] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (at.top < box.top) list.scrollTop -= box.top - at.top + 8;
  else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + 8;
}
