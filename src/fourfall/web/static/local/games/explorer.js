// The opening explorer: which moves were played at a position in the stored games, and how these games ended.

import { COLUMN_NAMES } from "../../model/position.js";
import { getShape } from "./game_rows.js";

/** @import { ExampleGame, ExplorerReply, PlayedColumn, ResultCounts } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { GameRow } from "./game_rows.js" */

const MAX_EXAMPLES = 6;

/** The stones of a position, in one of its two orientations, that the moves of a game may lead to. */
export class Orientation {
  /**
   * @param {Position} position
   * @param {boolean} isMirrored
   */
  constructor(position, isMirrored) {
    this.cols = position.cols;
    this.ply = position.moves.length;
    this.isMirrored = isMirrored;
    const hole = position.hole && [position.hole[0], this.convertColumn(position.hole[1])];
    this.board = `${position.rows}x${position.cols}${hole ? `@${hole}` : ""}`;
    /** The players of the stones of each column, from the bottom up. @type {number[][]} */
    this.stacks = Array.from({ length: position.cols }, () => []);
    for (const [ply, column] of position.moves.entries()) this.stacks[this.convertColumn(column)].push(ply % 2);
  }

  /**
   * The column of this orientation for a column of the position, and the reverse.
   * @param {number} column
   */
  convertColumn(column) {
    return this.isMirrored ? this.cols - 1 - column : column;
  }

  /**
   * Whether the first moves of a game, in any order, lead to the position.
   * @param {number[]} moves
   */
  isReachedBy(moves) {
    if (moves.length < this.ply) return false;
    const heights = new Array(this.cols).fill(0);
    return moves.slice(0, this.ply).every((column, ply) => {
      const isFitting = this.stacks[column]?.[heights[column]] === ply % 2;
      heights[column] += 1;
      return isFitting;
    });
  }

  /** @param {Orientation} other */
  equals(other) {
    return this.board === other.board && JSON.stringify(this.stacks) === JSON.stringify(other.stacks);
  }
}

/**
 * The orientations of a position: itself, and its mirror image if that is another position.
 * @param {Position} position
 */
export function listOrientations(position) {
  const [itself, mirrored] = [new Orientation(position, false), new Orientation(position, true)];
  return itself.equals(mirrored) ? [itself] : [itself, mirrored];
}

/**
 * Count the finished games that reached a position.
 * @param {Position} position
 * @param {"page" | "arena" | null} source
 * @param {GameRow[]} rows games on the boards of `listOrientations`
 * @returns {ExplorerReply}
 */
export function countGames(position, source, rows) {
  /** @type {PlayedColumn[]} */
  const columns = Array.from({ length: position.cols }, (_, column) => ({ column, ...createCounts() }));
  const total = { ...createCounts(), ended: 0 };
  /** @type {ExampleGame[]} */
  const examples = [];
  const orientations = listOrientations(position);
  for (const { id, started, game } of rows) {
    if (!game.outcome) continue;
    const moves = [...parseColumns(game.start), ...game.moves];
    const board = getShape(game.start);
    const orientation = orientations.find((each) => each.board === board && each.isReachedBy(moves));
    if (!orientation) continue;
    const { winner } = game.outcome;
    const next = moves.at(orientation.ply);
    const column = next === undefined ? null : orientation.convertColumn(next);
    addGame(total, winner);
    if (column === null) total.ended += 1;
    else addGame(columns[column], winner);
    examples.push({ id, names: game.names, winner, started, ply: orientation.ply, column });
  }
  return {
    ...total,
    position: position.notation,
    source,
    columns: columns.filter(({ games }) => games > 0).sort((a, b) => b.games - a.games || a.column - b.column),
    examples: examples
      .sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0))
      .slice(0, MAX_EXAMPLES),
    is_complete: true,
  };
}

/** @returns {ResultCounts} */
function createCounts() {
  return { games: 0, first: 0, draws: 0, second: 0 };
}

/**
 * @param {ResultCounts} counts
 * @param {number | null} winner
 */
function addGame(counts, winner) {
  counts.games += 1;
  counts[winner === 0 ? "first" : winner === 1 ? "second" : "draws"] += 1;
}

/**
 * The moves in the notation of a position.
 * @param {string} position
 */
function parseColumns(position) {
  return Array.from(position.split(":")[1] ?? "", (name) => COLUMN_NAMES.indexOf(name));
}
