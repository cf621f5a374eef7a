// The variations of the games that were analysed last, stored in the browser so that they survive a reload.

import { Position } from "./position.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { GameTree } from "./game_tree.js" */

/**
 * `fragment`: the address at which the tree was shown. `text`: all moves, see GameTree. `moves`: the selected position.
 * @typedef {object} StoredTree
 * @property {string} id
 * @property {string} fragment
 * @property {string} board
 * @property {string} text
 * @property {string} moves
 * @property {[string, string] | null} names
 * @property {string | null} gameId
 */

const SETTING = "trees";
const MAX_TREES = 12;
const MAX_LENGTH = 20_000;

/** Ids of the trees of this page. @type {WeakMap<GameTree, string>} */
const ids = new WeakMap();

/** @returns {StoredTree[]} */
function loadTrees() {
  const trees = loadSetting(SETTING, /** @type {StoredTree[]} */ ([]));
  return Array.isArray(trees) ? trees : [];
}

/**
 * Store a tree; it replaces an earlier state of the same tree, and the oldest one if there are too many.
 * @param {string} fragment
 * @param {GameTree} tree
 * @param {{names?: [string, string], gameId?: string}} info
 */
export function storeTree(fragment, tree, { names = undefined, gameId = undefined }) {
  const { text, root, current } = tree;
  const id = ids.get(tree) ?? Math.random().toString(36).slice(2);
  ids.set(tree, id);
  const others = loadTrees().filter((stored) => stored.id !== id && stored.fragment !== fragment);
  if (!text || text.length > MAX_LENGTH) return saveSetting(SETTING, others);
  const { boardNotation: board } = root.position;
  const moves = current.position.moveNotation;
  const entry = { id, fragment, board, text, moves, names: names ?? null, gameId: gameId ?? null };
  return saveSetting(SETTING, [entry, ...others].slice(0, MAX_TREES));
}

/**
 * The tree that was shown last at this address.
 * @param {string} fragment
 * @returns {StoredTree | null}
 */
export function findTree(fragment) {
  return loadTrees().find((stored) => stored.fragment === fragment && Position.parse(stored.board)) ?? null;
}

/**
 * Whether a tree was stored under this entry.
 * @param {GameTree} tree
 * @param {StoredTree} stored
 */
export function isTreeOf(tree, { id }) {
  return ids.get(tree) === id;
}

/**
 * Add the stored moves to a tree with the same board and select the position that was selected.
 * @param {GameTree} tree
 * @param {StoredTree} stored
 */
export function restoreTree(tree, { id, text, moves }) {
  ids.set(tree, id);
  tree.addText(text);
  tree.selectMoves(moves);
}
