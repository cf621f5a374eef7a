// The list of moves: the main line, and each variation on a line of its own below the move that it replaces.

import { COLUMN_NAMES } from "../model/position.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { el, replaceContent } from "./dom.js";
import { createMistakeIcon } from "./mistake_icons.js";

/** @import { GameNode, GameTree } from "../model/game_tree.js" */
/** @import { MistakeKind } from "../model/messages.d.ts" */

const SCROLL_MARGIN = 8;

export class MoveList {
  /**
   * @param {(node: GameNode) => void} onSelect
   * @param {(node: GameNode) => "" | MistakeKind} getMark
   */
  constructor(onSelect, getMark) {
    this.onSelect = onSelect;
    this.getMark = getMark;
    this.element = el("div", { class: "move-list", role: "group" });
  }

  /** @param {GameTree} tree */
  show(tree) {
    this.element.setAttribute("aria-label", t("move.list"));
    const start = this.createMoveButton(tree, tree.root, t("move.start"), t("move.start"));
    replaceContent(this.element, start, this.createLine(tree, tree.root, true));
    const current = this.element.querySelector("[aria-current]");
    if (current) scrollIntoList(this.element, current);
  }

  /**
   * The moves after a position with their variations.
   * @param {GameTree} tree
   * @param {GameNode} node
   * @param {boolean} isNumbered whether the first move shows its number
   * @returns {HTMLElement[]}
   */
  createLine(tree, node, isNumbered) {
    const parts = [];
    let numbered = isNumbered;
    for (let at = node; at.mainChild; at = at.mainChild) {
      parts.push(...this.createMove(tree, at.mainChild, numbered));
      numbered = false;
      for (const other of at.children.slice(1)) {
        const moves = [...this.createMove(tree, other, true), ...this.createLine(tree, other, false)];
        parts.push(el("div", { class: "variation" }, moves));
        numbered = true;
      }
    }
    return parts;
  }

  /**
   * @param {GameTree} tree
   * @param {GameNode} node
   * @param {boolean} isNumbered
   */
  createMove(tree, node, isNumbered) {
    const player = (node.ply - 1) % 2;
    const name = COLUMN_NAMES[node.column];
    const label = t("move.label", node.ply, getSideNames()[player], name);
    const button = this.createMoveButton(tree, node, name, label);
    return player === 0 || isNumbered ? [el("span", { class: "move-number" }, `${node.ply}.`), button] : [button];
  }

  /**
   * @param {GameTree} tree
   * @param {GameNode} node
   * @param {string} text
   * @param {string} label
   */
  createMoveButton(tree, node, text, label) {
    const isCurrent = node === tree.current;
    const mark = node.parent ? this.getMark(node) : "";
    return el(
      "button",
      {
        type: "button",
        class: `move ${node.parent ? `player-${(node.ply - 1) % 2}-move` : ""} ${mark}`,
        "aria-label": mark ? `${label}, ${t(`mark.${mark}`)}` : label,
        "aria-current": isCurrent ? "true" : null,
        tabindex: isCurrent ? 0 : -1,
        dataset: { focusKey: "move", ply: node.ply },
        on: { click: () => this.onSelect(node) },
      },
      text,
      mark ? createMistakeIcon(mark) : null,
    );
  }
}

/**
 * Scroll the list, but not the page, until an item is visible.
 * @param {Element} list
 * @param {Element} item
 */
function scrollIntoList(list, item) {
  const [box, at] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (at.top < box.top) list.scrollTop -= box.top - at.top + SCROLL_MARGIN;
  else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + SCROLL_MARGIN;
}
