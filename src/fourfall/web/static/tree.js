// Owns a game with its variations: a tree of positions, and where in it one stands.

import { Position } from "./rules.js";

/** One position of the tree; `score` is the first player's, `review` what a review said of the move that led here. */
class Node {
  constructor(parent, position) {
    this.parent = parent;
    this.position = position;
    this.children = [];
    this.followed = null;
    this.score = null;
    this.analysis = null;
    this.review = null;
    this.time_ms = null;
  }

  get ply() {
    return this.position.moves.length;
  }

  get column() {
    return this.position.moves.at(-1);
  }

  get next() {
    return this.children[0] ?? null;
  }
}

export class Tree {
  constructor(position) {
    this.root = new Node(null, new Position(position.rows, position.cols, position.hole));
    this.here = this.root;
    for (const column of position.moves) this.play(column);
  }

  /** Go to the position after a move, into a new variation where it was not played yet. */
  play(column) {
    const known = this.here.children.find((child) => child.column === column);
    const node = known ?? new Node(this.here, this.here.position.play(column));
    if (!known) this.here.children.push(node);
    this.go(node);
  }

  /** Stand on a position; going on from before it leads here again, until another way is taken. */
  go(node) {
    this.here = node;
    for (let at = node; at.parent; at = at.parent) at.parent.followed = at;
  }

  /** The positions from the start over here to the end of this variation. */
  get line() {
    const line = [];
    for (let node = this.here; node; node = node.parent) line.unshift(node);
    for (let node = this.here.followed ?? this.here.next; node; node = node.followed ?? node.next) line.push(node);
    return line;
  }

  get game() {
    const line = [];
    for (let node = this.root; node; node = node.next) line.push(node);
    return line;
  }

  get isOnGame() {
    return this.game.includes(this.here);
  }

  /** Forget the variation one stands in, and return to where it left the game. */
  dropVariation() {
    const game = new Set(this.game);
    let node = this.here;
    while (!game.has(node) && !game.has(node.parent)) node = node.parent;
    if (game.has(node)) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    node.parent.followed = null;
    this.here = node.parent;
  }
}
