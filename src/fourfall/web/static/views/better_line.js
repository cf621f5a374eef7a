// The better moves that replace a mistake, shown as a variation of the game.

import { advanceScore, toFirstPlayer } from "../model/scores.js";

/** @import { GameNode, GameTree } from "../model/game_tree.js" */
/** @import { ReviewedMove } from "../model/messages.d.ts" */

export class BetterLine {
  /**
   * Add the better moves to the tree, unless it has them, and select one of their positions.
   * @param {GameTree} tree
   * @param {GameNode} mistake the position after the mistake
   * @param {GameNode} parent the position before it
   * @param {ReviewedMove} review
   * @param {number} count the number of better moves to play
   */
  constructor(tree, mistake, parent, review, count) {
    this.mistake = mistake;
    const known = new Set(parent.children);
    const columns = review.pv[0] === review.best ? review.pv : [review.best];
    let score = toFirstPlayer(review.score_before, review.player);
    tree.select(parent);
    for (const column of columns) {
      if (!tree.current.position.isLegal(column)) break;
      tree.play(column);
      score = advanceScore(score);
      tree.current.score ??= score;
    }
    /** The positions after the better moves. */
    this.nodes = tree.currentLine.slice(mistake.ply);
    this.isNew = !known.has(this.nodes[0]);
    tree.select(this.nodes[Math.min(count, this.nodes.length) - 1]);
  }

  /** @param {GameNode} node */
  contains(node) {
    return this.nodes.includes(node);
  }

  /** Remove the line from the tree, unless it was there before or the user has added moves to it. */
  remove() {
    const [first] = this.nodes;
    const { parent } = first;
    const hasOtherMoves = this.nodes.some((node, index) =>
      node.children.some((child) => child !== this.nodes[index + 1]),
    );
    if (!this.isNew || hasOtherMoves || !parent) return;
    parent.children = parent.children.filter((child) => child !== first);
    if (parent.lastSelectedChild === first) parent.lastSelectedChild = null;
  }
}
