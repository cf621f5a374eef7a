// The games and their reviews in IndexedDB. All tabs of the browser use the same database.

/** @import { Change, GameRow } from "./game_rows.js" */
/** @import { ReviewReply } from "../../model/messages.d.ts" */

/** @typedef {(database: IDBDatabase, transaction: IDBTransaction) => void} Upgrade */
/** Place in the list of games: only games behind it follow. @typedef {{started: string, id: string}} Place */

const NAME = "fourfall";
const TABLES = ["games", "reviews"];
const OPEN_TIMEOUT_MS = 5000;
const BATCH = 100;

/** The step from each version of the schema to the next; the first one creates it. Steps are never changed. */
/** @type {Upgrade[]} */
export const UPGRADES = [
  (database) => {
    const games = database.createObjectStore("games", { keyPath: "id" });
    games.createIndex("newest", ["started", "id"]);
    games.createIndex("board", "board");
    games.createIndex("unplayed", "unplayed");
    games.createIndex("deleted", "deleted");
    database.createObjectStore("reviews", { keyPath: "id" });
  },
];

/** Connection to the database. A method that fails rejects with the DOMException of IndexedDB. */
export class GameDatabase {
  /**
   * @param {IDBFactory} factory
   * @param {Upgrade[]} upgrades
   */
  constructor(factory, upgrades) {
    this.factory = factory;
    this.upgrades = upgrades;
    /** @type {IDBDatabase | null} */
    this.connection = null;
  }

  /**
   * @param {IDBFactory} factory
   * @param {Upgrade[]} [upgrades]
   */
  static async open(factory, upgrades = UPGRADES) {
    const database = new GameDatabase(factory, upgrades);
    await database.connect();
    return database;
  }

  /**
   * Return the open connection. It is opened again if the browser or a newer page in another tab has closed it.
   * @returns {Promise<IDBDatabase>}
   */
  async connect() {
    if (this.connection) return this.connection;
    const connection = await this.openVersion(this.upgrades.length).catch((error) => {
      if (error?.name !== "VersionError") throw error;
      return this.openVersion(undefined); // a newer page has extended the schema
    });
    if (!TABLES.every((name) => connection.objectStoreNames.contains(name))) {
      connection.close();
      throw new DOMException("the database has another schema", "VersionError");
    }
    const forget = () => {
      if (this.connection === connection) this.connection = null;
    };
    connection.onversionchange = () => {
      connection.close();
      forget();
    };
    connection.onclose = forget;
    this.connection = connection;
    return connection;
  }

  /**
   * @param {number | undefined} version undefined opens the present version
   * @returns {Promise<IDBDatabase>}
   */
  openVersion(version) {
    return new Promise((resolve, reject) => {
      const request = this.factory.open(NAME, version);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new DOMException("the database does not open", "TimeoutError"));
      }, OPEN_TIMEOUT_MS);
      request.onupgradeneeded = ({ oldVersion }) => {
        const transaction = /** @type {IDBTransaction} */ (request.transaction);
        for (const upgrade of this.upgrades.slice(oldVersion)) upgrade(request.result, transaction);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        if (isLate) request.result.close();
        else resolve(request.result);
      };
      request.onerror = () => {
        clearTimeout(timer);
        reject(request.error);
      };
    });
  }

  /**
   * Run requests in one transaction; `finish` sets the result, which is returned when the transaction is complete.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(games: IDBObjectStore, reviews: IDBObjectStore, finish: (result: T) => void) => void} work
   * @returns {Promise<T | undefined>}
   */
  async transact(mode, work) {
    const transaction = await this.begin(mode);
    return new Promise((resolve, reject) => {
      /** @type {T | undefined} */
      let result;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error ?? new DOMException("the transaction ended", "AbortError"));
      const [games, reviews] = TABLES.map((name) => transaction.objectStore(name));
      const finish = (/** @type {T} */ value) => {
        result = value;
      };
      try {
        work(games, reviews, finish);
      } catch (error) {
        reject(error);
        transaction.abort();
      }
    });
  }

  /**
   * @param {IDBTransactionMode} mode
   * @returns {Promise<IDBTransaction>}
   */
  async begin(mode) {
    const connection = await this.connect();
    try {
      return connection.transaction(TABLES, mode);
    } catch {
      this.connection = null; // the connection was closed
      return (await this.connect()).transaction(TABLES, mode);
    }
  }

  /**
   * @param {string} id
   * @returns {Promise<{row?: GameRow, review?: ReviewReply | null}>}
   */
  async get(id) {
    const found = await this.transact("readonly", (games, reviews, finish) => {
      const row = games.get(id);
      const review = reviews.get(id);
      review.onsuccess = () => finish({ row: row.result, review: review.result?.review ?? null });
    });
    return found ?? {};
  }

  /**
   * Change a game and its review in one transaction, so that changes of two tabs do not mix.
   * @param {string} id
   * @param {Change} change
   */
  async update(id, change) {
    /** @type {unknown} */
    let failure = null;
    await this.transact("readwrite", (games, reviews) => {
      const found = games.get(id);
      const foundReview = reviews.get(id);
      foundReview.onsuccess = () => {
        try {
          const { row, review } = change({ row: found.result, review: foundReview.result?.review ?? null });
          if (row) games.put(row);
          if (row === null) games.delete(id);
          if (review) reviews.put({ id, review });
          if (review === null) reviews.delete(id);
        } catch (error) {
          failure = error;
          games.transaction.abort();
        }
      };
    }).catch((error) => {
      throw failure ?? error;
    });
  }

  /**
   * Visit the games, newest first, until `visit` returns false. Games are read in batches, which is several times as
   * fast as one by one.
   * @param {Place | null} before only games behind this place
   * @param {(row: any) => boolean} visit
   */
  scan(before, visit) {
    return this.transact("readonly", (games) => {
      readBatch(games.index("newest"), before && [before.started, before.id], visit);
    });
  }

  /**
   * @param {string} board shape of the board
   * @returns {Promise<any[]>} rows, which may be damaged
   */
  async listBoard(board) {
    const rows = await this.transact("readonly", (games, _, finish) => {
      const request = games.index("board").getAll(board);
      request.onsuccess = () => finish(request.result);
    });
    return rows ?? [];
  }

  /**
   * Remove games without moves that started, and deleted games that were deleted, before a time.
   * @param {{unplayed: string, deleted: string}} times
   */
  async clean(times) {
    await this.transact("readwrite", (games, reviews) => {
      for (const [name, time] of Object.entries(times)) {
        const request = games.index(name).openKeyCursor(IDBKeyRange.upperBound(time, true));
        request.onsuccess = () => {
          if (!request.result) return;
          games.delete(request.result.primaryKey);
          reviews.delete(request.result.primaryKey);
          request.result.continue();
        };
      }
    });
  }
}

/**
 * Visit the next games of the index, the last one first, and continue with the games before them.
 * @param {IDBIndex} index
 * @param {IDBValidKey | null} end key behind the last game; null for all games
 * @param {(row: any) => boolean} visit
 */
function readBatch(index, end, visit) {
  const range = end && IDBKeyRange.upperBound(end, true);
  const search = index.openKeyCursor(range, "prev");
  let isAtEnd = true;
  search.onsuccess = () => {
    const cursor = search.result;
    if (cursor && isAtEnd) {
      isAtEnd = false;
      cursor.advance(BATCH - 1);
      return;
    }
    const start = cursor?.key;
    const batch = start && (end ? IDBKeyRange.bound(start, end, false, true) : IDBKeyRange.lowerBound(start));
    const request = index.getAll(batch ?? range);
    request.onsuccess = () => {
      if (request.result.reverse().every(visit) && start) readBatch(index, start, visit);
    };
  };
}
