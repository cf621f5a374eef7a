// Keeps the mistakes of reviewed games for puzzles; loads the code for it when there is something to keep.

/** @import { GameNode } from "./game_tree.js" */
/** @import { Thresholds } from "./messages.d.ts" */

/**
 * Keep the mistakes of a reviewed game for puzzles.
 * @param {GameNode[]} line the positions of the game
 * @param {[string, string] | undefined} names
 * @param {Thresholds} thresholds
 */
export async function keepMistakes(line, names, thresholds) {
  const module = await import("./own_mistakes.js").catch(() => null); // the server does not respond
  module?.storeMistakes(line, names, thresholds);
}
