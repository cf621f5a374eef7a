// A game with its variations: a tree of positions and the position that is selected in it.

import { COLUMN_NAMES, Position } from "./position.js";

/** @import { AnalysisReply, ReviewedMove, ScoreInfo } from "./messages.d.ts" */

/** One position of the tree. */
export class GameNode {
  /**
   * @param {GameNode | null} parent
   * @param {Position} position
   */
  constructor(parent, position) {
    this.parent = parent;
    this.position = position;
    /** The main line continues with the first child. @type {GameNode[]} */
    this.children = [];
    /** The child that was selected last. @type {GameNode | null} */
    this.lastSelectedChild = null;
    /** Evaluation from the view of the first player. @type {ScoreInfo | null} */
    this.score = null;
    /** The newest analysis with the settings it was requested with. @type {(AnalysisReply & {settings: string}) | null} */
    this.analysis = null;
    /** What a review found about the move that led here. @type {ReviewedMove | null} */
    this.review = null;
    /** Time the move took. @type {number | null} */
    this.time_ms = null;
  }

  get ply() {
    return this.position.moves.length;
  }

  /** The column of the move that led here; -1 at the root. */
  get column() {
    return this.position.moves.at(-1) ?? -1;
  }

  get mainChild() {
    return this.children[0] ?? null;
  }
}

/** A move that was deleted with all moves after it. @typedef {{node: GameNode, parent: GameNode, index: number}} DeletedBranch */

export class GameTree {
  /** @param {Position} position its moves become the main line; its last position is selected */
  constructor(position) {
    this.root = new GameNode(null, new Position(position.rows, position.cols, position.hole));
    this.current = this.root;
    for (const column of position.moves) this.play(column);
  }

  /**
   * Select the position after a move; a move that is new here starts a variation.
   * @param {number} column
   */
  play(column) {
    this.select(addMove(this.current, column));
  }

  /**
   * Select a position; stepping forward from its ancestors leads to it until another child is selected.
   * @param {GameNode} node
   */
  select(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.lastSelectedChild = at;
  }

  /** The positions from the root through the selected one to the end of its variation. */
  get currentLine() {
    /** @type {GameNode[]} */
    const line = [];
    for (let node = /** @type {GameNode | null} */ (this.current); node; node = node.parent) line.unshift(node);
    let next = this.current.lastSelectedChild ?? this.current.mainChild;
    while (next) {
      line.push(next);
      next = next.lastSelectedChild ?? next.mainChild;
    }
    return line;
  }

  get mainLine() {
    const line = [this.root];
    for (let node = this.root.mainChild; node; node = node.mainChild) line.push(node);
    return line;
  }

  get isOnMainLine() {
    return this.mainLine.includes(this.current);
  }

  /** Delete the variation of the selected position and select the position where it left the main line. */
  deleteVariation() {
    const mainLine = new Set(this.mainLine);
    let node = this.current;
    if (mainLine.has(node)) return;
    while (node.parent && !mainLine.has(node.parent)) node = node.parent;
    this.select(node);
    this.deleteCurrent();
  }

  /**
   * Delete the selected move with all moves after it and select the position before it; `restore` takes it back.
   * @returns {DeletedBranch | null} null at the root
   */
  deleteCurrent() {
    const node = this.current;
    const { parent } = node;
    if (!parent) return null;
    const index = parent.children.indexOf(node);
    parent.children.splice(index, 1);
    parent.lastSelectedChild = null;
    this.current = parent;
    return { node, parent, index };
  }

  /** @param {DeletedBranch} deleted */
  restore({ node, parent, index }) {
    if (!parent.children.some((child) => child.column === node.column)) parent.children.splice(index, 0, node);
    this.select(node);
  }

  /**
   * The first move of the selected variation: the closest move before or at the selected position that is not the main
   * continuation. Null on the main line.
   */
  get variationStart() {
    let node = this.current;
    while (node.parent && node.parent.mainChild === node) node = node.parent;
    return node.parent ? node : null;
  }

  /** Make the selected variation the main continuation of the position where it begins. */
  promote() {
    const node = this.variationStart;
    if (!node?.parent) return;
    node.parent.children = [node, ...node.parent.children.filter((child) => child !== node)];
  }

  /**
   * Select the next (1) or previous (-1) alternative of the closest move that has alternatives. False if there is none.
   * @param {number} step
   */
  selectAlternative(step) {
    let node = this.current;
    while (node.parent && node.parent.children.length === 1) node = node.parent;
    if (!node.parent) return false;
    const { children } = node.parent;
    const next = children[children.indexOf(node) + step];
    if (next) this.select(next);
    return Boolean(next);
  }

  /** Whether a move has alternatives. */
  get hasVariations() {
    return this.list().some((node) => node.children.length > 1);
  }

  /** All positions. */
  list() {
    const nodes = [this.root];
    for (let index = 0; index < nodes.length; index += 1) nodes.push(...nodes[index].children);
    return nodes;
  }

  /** All moves as text; the alternatives of a move follow it in parentheses: `44(12)(3)5`. */
  get text() {
    return formatLine(this.root);
  }

  /**
   * Add the moves of a text that `text` returned, and sort alternatives as there. Reading stops at an illegal move.
   * @param {string} text
   */
  addText(text) {
    /** @type {{before: GameNode, at: GameNode}[]} */
    const open = [];
    let [before, at] = [this.root, this.root];
    /** @type {Map<GameNode, GameNode[]>} */
    const order = new Map();
    for (const symbol of text) {
      if (symbol === "(") {
        open.push({ before, at });
        at = before;
      } else if (symbol === ")") {
        const outer = open.pop();
        if (!outer) break;
        ({ before, at } = outer);
      } else {
        const column = COLUMN_NAMES.indexOf(symbol);
        if (!at.position.isLegal(column)) break;
        const next = addMove(at, column);
        order.set(at, [...(order.get(at) ?? []), next]);
        [before, at] = [at, next];
      }
    }
    for (const [node, sorted] of order) {
      node.children = [...sorted, ...node.children.filter((child) => !sorted.includes(child))];
    }
  }

  /**
   * Select the position after some moves, as far as the tree has them.
   * @param {string} moves names of columns
   */
  selectMoves(moves) {
    let node = this.root;
    for (const name of moves) {
      node = node.children.find((child) => COLUMN_NAMES[child.column] === name) ?? node;
    }
    this.select(node);
  }
}

/**
 * @param {GameNode} node
 * @param {number} column
 */
function addMove(node, column) {
  const known = node.children.find((child) => child.column === column);
  const next = known ?? new GameNode(node, node.position.play(column));
  if (!known) node.children.push(next);
  return next;
}

/**
 * @param {GameNode} node
 * @returns {string}
 */
function formatLine(node) {
  let text = "";
  for (let at = node; at.mainChild; at = at.mainChild) {
    text += COLUMN_NAMES[at.mainChild.column];
    for (const other of at.children.slice(1)) text += `(${COLUMN_NAMES[other.column]}${formatLine(other)})`;
  }
  return text;
}
