// The games of the page in the browser's storage. Where the storage is denied or full, they stay in memory.

import { RequestError } from "../request_error.js";
import { countGames, listOrientations } from "./explorer.js";
import { GameDatabase } from "./game_database.js";
import { compareNewest, createSummary, decodeCursor, encodeCursor, matchesFilter } from "./game_list.js";
import { createRow, isComplete, replayGame } from "./game_rows.js";

/** @import { ExplorerReply, GameList, ReviewReply } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { StorageProblem, StoredGame } from "../types.d.ts" */
/** @import { Place } from "./game_database.js" */
/** @import { GameFilter } from "./game_list.js" */
/** @import { Change, GameRow } from "./game_rows.js" */

const DAY_MS = 24 * 3600 * 1000;
const DELETED_DAYS = 7;
const UNPLAYED_DAYS = 1;
const DEFAULT_LIMIT = 50;

/** Stores games and reviews. Games that the database does not take stay in memory until it does, or to the reload. */
export class GameStore {
  /** @param {GameDatabase | null} database null keeps everything in memory */
  constructor(database) {
    this.database = database;
    /** Games that are not in the database, or newer than there. @type {Map<string, {row: GameRow, review: ReviewReply | null}>} */
    this.memory = new Map();
    /** @type {((problem: StorageProblem | null) => void)[]} */
    this.listeners = [];
    /** The problem that the listeners know. @type {StorageProblem | null} */
    this.problem = database ? null : "storage_denied";
    /** Ids of damaged games that the console has named. @type {Set<string>} */
    this.damaged = new Set();
  }

  /**
   * Open the database, and remove games that were deleted more than seven days ago and games without moves from before
   * yesterday. Never fails: without a database the store keeps the games in memory.
   * @param {() => IDBFactory | undefined} [getFactory] throws where the browser denies storage
   */
  static async open(getFactory = () => globalThis.indexedDB) {
    try {
      const factory = getFactory();
      const database = factory ? await GameDatabase.open(factory) : null;
      await database?.clean({ unplayed: formatDaysAgo(UNPLAYED_DAYS), deleted: formatDaysAgo(DELETED_DAYS) });
      return new GameStore(database);
    } catch (error) {
      console.warn("games are not stored:", error);
      return new GameStore(null);
    }
  }

  /** Whether all games are in the browser's storage, so that they are there after a reload. */
  get isPersistent() {
    return this.database !== null && this.memory.size === 0;
  }

  /**
   * Call `listener` once when games cannot be stored, at once if that is so already, and with null when all games are
   * stored again.
   * @param {(problem: StorageProblem | null) => void} listener
   */
  onProblem(listener) {
    this.listeners.push(listener);
    if (this.problem) listener(this.problem);
  }

  /**
   * Insert or replace a game. Its review is removed if the moves have changed.
   * @param {StoredGame} game
   */
  async save(game) {
    await this.update(game.id, ({ row, review }) => {
      const isReviewed = Boolean(review) && row?.game.position === game.position;
      return { row: createRow(game, isReviewed), review: isReviewed ? undefined : null };
    });
  }

  /**
   * Return a game with its review; null if there is none or it was deleted. Throws RequestError `invalid_record` if the
   * stored game is damaged.
   * @param {string} id
   * @returns {Promise<StoredGame | null>}
   */
  async find(id) {
    const { row, review = null } = await this.get(id);
    if (!row || row.deleted) return null;
    if (!isComplete(row) || !replayGame(row.game)) {
      throw new RequestError("invalid_record", { problem: `game ${id} is damaged` });
    }
    return { ...row.game, review };
  }

  /**
   * List games, newest first; damaged ones are left out.
   * @param {GameFilter & {limit?: number, before?: string | null}} [filter] `before` is the `next` of an earlier list
   * @returns {Promise<GameList>}
   */
  async list({ limit = DEFAULT_LIMIT, before = null, ...filter } = {}) {
    const place = before === null ? null : decodeCursor(before);
    /** @param {any} row */
    const isListed = (row) => this.checkRow(row) && matchesFilter(row, filter);
    const rows = [...this.memory.values()].map(({ row }) => row).filter((row) => isBehind(row, place) && isListed(row));
    let count = 0;
    await this.read((database) =>
      database.scan(place, (row) => {
        if (!this.memory.has(row.id) && isListed(row)) {
          rows.push(row);
          count += 1;
        }
        return count <= limit;
      }),
    );
    rows.sort(compareNewest);
    const games = rows.slice(0, limit);
    return { games: games.map(createSummary), next: rows.length > limit ? encodeCursor(games[limit - 1]) : null };
  }

  /**
   * Delete a game; `restore` undoes it for seven days. Throws RequestError `unknown_game`.
   * @param {string} id
   */
  async delete(id) {
    await this.updateExisting(id, (row) => (row.deleted ? null : { ...row, deleted: formatDaysAgo(0) }));
  }

  /**
   * Undo the deletion of a game. Throws RequestError `unknown_game`.
   * @param {string} id
   */
  async restore(id) {
    await this.updateExisting(id, ({ deleted, ...row }) => (deleted ? row : null));
  }

  /**
   * Store a review, unless the game has changed since the review started.
   * @param {string} id
   * @param {ReviewReply} review
   */
  async saveReview(id, review) {
    await this.update(id, ({ row }) => {
      if (!row || row.deleted || row.game.position !== review.position) return {};
      return { row: { ...row, reviewed: true }, review };
    });
  }

  /**
   * Count the moves that were played at a position in the finished games, with their results.
   * @param {Position} position
   * @param {"page" | "arena" | null} source
   * @returns {Promise<ExplorerReply>}
   */
  async explore(position, source) {
    const boards = source === "arena" ? [] : new Set(listOrientations(position).map(({ board }) => board));
    /** @type {GameRow[]} */
    const rows = [];
    for (const board of boards) {
      const stored = await this.read((database) => database.listBoard(board));
      rows.push(...(stored ?? []).filter((row) => !this.memory.has(row.id)));
      rows.push(...[...this.memory.values()].map(({ row }) => row).filter((row) => row.board === board));
    }
    const counted = rows.filter((row) => this.checkRow(row) && !row.deleted);
    return countGames(position, source, counted);
  }

  /**
   * @param {string} id
   * @param {(row: GameRow) => GameRow | null} change returns null if there is nothing to change
   */
  async updateExisting(id, change) {
    let isChanged = false;
    await this.update(id, ({ row }) => {
      const changed = row ? change(row) : null;
      isChanged = changed !== null;
      return changed ? { row: changed } : {};
    });
    if (!isChanged) throw new RequestError("unknown_game", { game: id });
  }

  /**
   * Change a game in the database; if that fails, in memory.
   * @param {string} id
   * @param {Change} change
   */
  async update(id, change) {
    const kept = this.memory.get(id);
    try {
      if (!this.database) throw new DOMException("no database", "InvalidStateError");
      await this.database.update(id, (stored) => {
        const present = kept ?? stored;
        const { row = kept?.row, review = kept?.review } = change(present);
        return { row, review };
      });
    } catch (error) {
      const present = kept ?? (await this.get(id));
      const { row = present.row, review = present.review } = change(present);
      if (row) this.memory.set(id, { row, review: review ?? null });
      this.report(error);
      return;
    }
    this.memory.delete(id);
    await this.storeMemory();
  }

  /** Store the games that are only in memory, as far as there is room; called when the database has taken a game. */
  async storeMemory() {
    try {
      for (const [id, entry] of this.memory) {
        await this.database?.update(id, () => entry);
        this.memory.delete(id);
      }
    } catch (error) {
      this.report(error);
      return;
    }
    if (this.problem) this.tell(null);
  }

  /**
   * @param {string} id
   * @returns {Promise<{row?: GameRow, review?: ReviewReply | null}>}
   */
  async get(id) {
    return this.memory.get(id) ?? (await this.read((database) => database.get(id))) ?? {};
  }

  /**
   * Read from the database; undefined if there is none or it fails.
   * @template T
   * @param {(database: GameDatabase) => Promise<T>} call
   * @returns {Promise<T | undefined>}
   */
  async read(call) {
    try {
      return this.database ? await call(this.database) : undefined;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  /**
   * Tell the listeners that games are not stored.
   * @param {unknown} error
   */
  report(error) {
    const isFull = error instanceof Error && error.name === "QuotaExceededError";
    if (this.problem) return;
    console.warn("a game is not stored:", error);
    this.tell(isFull ? "storage_full" : "storage_denied");
  }

  /** @param {StorageProblem | null} problem */
  tell(problem) {
    this.problem = problem;
    for (const listener of this.listeners) listener(problem);
  }

  /**
   * Whether a row of the database can be used; the console names each damaged one once.
   * @param {any} row
   * @returns {row is GameRow}
   */
  checkRow(row) {
    if (isComplete(row)) return true;
    const id = String(row?.id);
    if (!this.damaged.has(id)) console.warn(`game ${id} is damaged and left out`);
    this.damaged.add(id);
    return false;
  }
}

/**
 * @param {Place} row
 * @param {Place | null} place
 */
function isBehind(row, place) {
  return place === null || compareNewest(place, row) < 0;
}

/**
 * The time so many days ago as ISO 8601 text, as games have it.
 * @param {number} days
 */
function formatDaysAgo(days) {
  return new Date(Date.now() - days * DAY_MS).toISOString().replace("Z", "+00:00");
}
