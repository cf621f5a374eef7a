// Runs the searches of the worker in short slices, the most urgent first, so that messages are handled between them.

/** @import { Search, SearchAnalysis, SearchLimits } from "../types.d.ts" */

const SLICE_MS = 30;
/** Every so many slices the least urgent search gets one, so that none waits for ever. */
const BACKGROUND_INTERVAL = 10;
const STOPPED = "stop";
const OUT_OF_TIME = "time";

/** The most urgent kind has the smallest number. */
export const PRIORITY = { move: 0, explanation: 1, analysis: 2, background: 3 };

/** The result of a cancelled search, which nobody needs any more. */
export class SearchCancelled extends Error {}

/** One search in the queue. `stop` ends it with its present result, `cancel` without one. */
export class SearchTask {
  /**
   * @param {Search} search
   * @param {SearchLimits} limits
   * @param {number} priority
   */
  constructor(search, limits, priority) {
    this.search = search;
    this.priority = priority;
    this.timeMs = limits.time_s ? 1000 * limits.time_s : Number.POSITIVE_INFINITY;
    this.usedMs = 0;
    this.isStopped = false;
    this.resolve = (/** @type {SearchAnalysis} */ _) => {};
    this.reject = (/** @type {unknown} */ _) => {};
    /** @type {Promise<SearchAnalysis>} */
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    search.begin(limits);
  }

  stop() {
    this.isStopped = true;
  }

  /** Search for one slice; returns whether the search has ended. */
  runSlice() {
    const start = performance.now();
    const remainingMs = Math.max(this.timeMs - this.usedMs, 1);
    const { done } = this.search.step(Math.min(SLICE_MS, remainingMs));
    this.usedMs += performance.now() - start;
    if (!done && !this.isStopped && this.usedMs < this.timeMs) return false;
    const analysis = this.search.analysis();
    const stoppedBy = done ? analysis.stopped_by : this.isStopped ? STOPPED : OUT_OF_TIME;
    this.resolve({ ...analysis, stopped_by: stoppedBy });
    return true;
  }
}

export class SearchQueue {
  constructor() {
    /** Waiting and running searches; those of one priority take turns. @type {SearchTask[]} */
    this.tasks = [];
    this.isRunning = false;
    this.sliceCounter = 0;
    this.channel = new MessageChannel();
    this.channel.port1.onmessage = () => this.runSlice();
  }

  /**
   * Start a search.
   * @param {Search} search
   * @param {SearchLimits} limits
   * @param {number} priority
   * @returns {SearchTask}
   */
  start(search, limits, priority) {
    const task = new SearchTask(search, limits, priority);
    this.tasks.push(task);
    this.schedule();
    return task;
  }

  /**
   * Remove a search; its result is rejected with SearchCancelled.
   * @param {SearchTask} task
   */
  cancel(task) {
    if (!this.remove(task)) return;
    task.result.catch(() => {});
    task.reject(new SearchCancelled());
  }

  /** @param {SearchTask} task */
  remove(task) {
    const index = this.tasks.indexOf(task);
    if (index >= 0) this.tasks.splice(index, 1);
    return index >= 0;
  }

  schedule() {
    if (this.isRunning || this.tasks.length === 0) return;
    this.isRunning = true;
    this.channel.port2.postMessage(null);
  }

  runSlice() {
    this.isRunning = false;
    const task = this.chooseTask();
    if (!task) return;
    this.remove(task);
    try {
      if (!task.runSlice()) this.tasks.push(task);
    } catch (error) {
      task.reject(error);
    }
    this.schedule();
  }

  chooseTask() {
    this.sliceCounter += 1;
    const priorities = this.tasks.map(({ priority }) => priority);
    const isForLast = this.sliceCounter % BACKGROUND_INTERVAL === 0;
    const chosen = isForLast ? Math.max(...priorities) : Math.min(...priorities);
    return this.tasks.find(({ priority }) => priority === chosen);
  }
}
