// A game with its variations: a tree of positions and the position that is selected in it.

import { Position } from "./position.js";

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
    const known = this.current.children.find((child) => child.column === column);
    const node = known ?? new GameNode(this.current, this.current.position.play(column));
    if (!known) this.current.children.push(node);
    this.select(node);
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
    const { parent } = node;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    parent.lastSelectedChild = null;
    this.current = parent;
  }
}
