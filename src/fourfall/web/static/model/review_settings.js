// The user's settings for reviews: engine, time per position and thresholds. They are stored in the browser.

import { replaceThreshold } from "./mistakes.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { App } from "../app.js" */
/** @import { MistakeKind, Thresholds } from "./messages.d.ts" */

const DEFAULT_THRESHOLDS = { inaccuracy: 0.08, mistake: 0.16, blunder: 0.3 };
const DEFAULT_MOVE_TIME_S = 0.2;

/** A value that is null is the server's default. @typedef {{engine: string | null, move_time_s: number | null, thresholds: Thresholds | null}} ReviewChoices */

export class ReviewSettings {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {ReviewChoices} */
    this.chosen = { engine: null, move_time_s: null, thresholds: null, ...loadSetting("review", {}) };
  }

  get defaults() {
    return this.app.welcome?.defaults;
  }

  get thresholds() {
    return this.chosen.thresholds ?? this.defaults?.thresholds ?? DEFAULT_THRESHOLDS;
  }

  get moveTime() {
    return this.chosen.move_time_s ?? this.defaults?.review_move_time_s ?? DEFAULT_MOVE_TIME_S;
  }

  get engine() {
    return this.chosen.engine ?? this.defaults?.engine ?? "fourfall";
  }

  /** @param {Partial<ReviewChoices>} change */
  change(change) {
    Object.assign(this.chosen, change);
    saveSetting("review", this.chosen);
  }

  /**
   * Set one threshold; a value that is not above 0 and at most 1 is ignored.
   * @param {MistakeKind} kind
   * @param {number} value
   */
  setThreshold(kind, value) {
    if (value > 0 && value <= 1) this.change({ thresholds: replaceThreshold(this.thresholds, kind, value) });
  }
}
