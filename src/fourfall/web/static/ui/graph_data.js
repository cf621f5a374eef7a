// Collects what the evaluation graph shows: the scores of the game and of the selected variation, and what the players
// expected.

import { COLUMN_NAMES } from "../model/position.js";
import { convertScore } from "../model/scores.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";

/** @import { GameNode } from "../model/game_tree.js" */
/** @import { Player, ScoreInfo } from "../model/messages.d.ts" */
/** @import { GraphData } from "./evaluation_graph.js" */
/** @import { GameViewer } from "./game_viewer.js" */
/** @import { GraphPoint, PlayerLine } from "./graph_drawing.js" */

/**
 * @param {GameViewer} viewer
 * @param {Player} side the player whose values are shown
 * @returns {GraphData}
 */
export function collectGraphData(viewer, side) {
  const { gameLine, current } = viewer;
  const line = viewer.tree.currentLine;
  /** @param {GameNode} node */
  const toPoint = (node) => createPoint(viewer, node, side);
  const start = viewer.branchPly;
  const branch = start === null ? null : { start, points: line.slice(start).map(toPoint) };
  const playerLines = collectPlayerLines(viewer, side);
  return { points: gameLine.map(toPoint), branch, ply: current.ply, side, playerLines };
}

/**
 * @param {GameViewer} viewer
 * @param {GameNode} node
 * @param {Player} side
 * @returns {GraphPoint}
 */
function createPoint(viewer, node, side) {
  const score = viewer.getScore(node);
  return {
    score: score && convertScore(score, 0, side),
    move: node.parent ? describeMove(node) : "",
    mark: node.parent ? viewer.getMark(node) : "",
    result: viewer.formatResult(node),
  };
}

/** @param {GameNode} node */
function describeMove(node) {
  return t("move.label", node.ply, getSideNames()[node.position.opponent], COLUMN_NAMES[node.column]);
}

/**
 * The players' own scores; a player without scores has no line.
 * @param {GameViewer} viewer
 * @param {Player} side
 */
function collectPlayerLines(viewer, side) {
  const { scores = [] } = viewer.info;
  const names = viewer.getPlayerNames();
  const openingLength = viewer.gameLine.length - 1 - scores.length;
  /** @type {[Map<number, ScoreInfo>, Map<number, ScoreInfo>]} */
  const byPlayer = [new Map(), new Map()];
  scores.forEach((score, index) => {
    const ply = openingLength + index;
    /** @type {Player} */
    const player = ply % 2 === 0 ? 0 : 1;
    if (score) byPlayer[player].set(ply, convertScore(score, player, side));
  });
  /** @type {Player[]} */
  const players = [0, 1];
  /** @type {PlayerLine[]} */
  const lines = players.map((player) => ({ player, name: names[player], scores: byPlayer[player] }));
  return lines.filter((line) => line.scores.size > 0);
}
