// Keeps the searches that were used last, with their trees, so that they can continue.

/** @import { Search } from "../types.d.ts" */

export class KeptSearches {
  /** @param {number} count */
  constructor(count) {
    this.count = count;
    /** @type {Map<string, Search>} */
    this.searches = new Map();
  }

  /**
   * Remove and return a search; null if it is not kept.
   * @param {string} key
   * @returns {Search | null}
   */
  take(key) {
    const search = this.searches.get(key) ?? null;
    this.searches.delete(key);
    return search;
  }

  /**
   * Keep a search; the one that was kept first is released if there are too many.
   * @param {string} key
   * @param {Search} search
   */
  keep(key, search) {
    this.drop(key);
    this.searches.set(key, search);
    for (const oldest of this.searches.keys()) {
      if (this.searches.size <= this.count) break;
      this.drop(oldest);
    }
  }

  /** @param {string} key */
  drop(key) {
    this.take(key)?.release();
  }
}
