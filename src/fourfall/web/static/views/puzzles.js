// The page "Find the move" of the view Learn: shows puzzles, judges the moves and keeps rating and streak.

import { requestJson } from "../model/api.js";
import { loadMistakes, proveMistakes, removeMistake } from "../model/own_mistakes.js";
import { COLUMN_NAMES } from "../model/position.js";
import { PuzzleAttempt } from "../model/puzzle_attempt.js";
import { chooseOwnPuzzle, choosePuzzle } from "../model/puzzle_choice.js";
import { addScore, isRepeated, loadProgress, saveProgress } from "../model/puzzle_progress.js";
import { replaceFragment } from "../model/routes.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el, replaceContent } from "../ui/dom.js";
import { announce, showError } from "../ui/notifications.js";
import { playSound } from "../ui/sounds.js";
import { loadStyle } from "../ui/style_sheet.js";
import { addWords, getLanguage, t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { words as en } from "../words/puzzles_en.js";
import { words as zh } from "../words/puzzles_zh.js";
import { PlayBoard } from "./play_board.js";
import { createFilterCard, createProgressCard, createPuzzleCard } from "./puzzle_panel.js";
import { formatOutcome, formatStatus } from "./puzzle_text.js";

/** @import { App } from "../app.js" */
/** @import { ApiError } from "../model/api.js" */
/** @import { Position } from "../model/position.js" */
/** @import { MoveCheck, PuzzleDetails, PuzzleInfo, PuzzleList } from "../model/puzzle_messages.d.ts" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

const ID = /^[0-9a-f]{12}$/;
/** A puzzle that was skipped does not come again before this number of other puzzles. */
const MAX_SHOWN = 12;

addWords(en, zh);
const styleIsLoaded = loadStyle("styles/puzzles.css");
/** The addresses `#puzzles` and `#puzzle=…` are the same page. @type {PuzzlesPage | null} */
let page = null;

/**
 * Create the page when its style is loaded.
 * @param {App} app
 */
export async function createPuzzlesPage(app) {
  await styleIsLoaded;
  page ??= new PuzzlesPage(app);
  return page;
}

export class PuzzlesPage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The shipped set; null until it is loaded. @type {PuzzleList | null} */
    this.list = null;
    /** @type {PuzzleDetails[]} */
    this.ownPuzzles = [];
    /** @type {PuzzleAttempt | null} */
    this.attempt = null;
    /** Hints and reasons of the shown puzzle. @type {PuzzleDetails | null} */
    this.details = null;
    /** Resolves when the details are loaded, or have failed to load. */
    this.detailsLoading = Promise.resolve();
    this.progress = loadProgress();
    /** Change of the rating by the shown puzzle. @type {number | null} */
    this.change = null;
    this.isKept = saveProgress(this.progress);
    this.theme = loadSetting("puzzle_theme", "");
    this.hasFailed = false;
    this.isActive = false;
    /** Ids of the last puzzles that were shown. @type {string[]} */
    this.shownIds = [];
    /** Whether the shown puzzle was tried a short time ago: then it does not count. */
    this.isRepeated = false;
    this.lastAnnouncement = "";
    this.announcedMoves = 0;
    this.board = new PlayBoard((column) => this.chooseColumn(column));
    this.puzzleCard = el("section", { class: "card tight" });
    this.progressCard = el("section", { class: "card tight" });
    this.filterCard = el("section", { class: "card tight" });
    this.main = this.board.element;
    this.main.classList.add("puzzle-area");
    this.sidebar = el("div", { class: "stack" }, this.puzzleCard, this.progressCard, this.filterCard);
  }

  /** Whether the shown puzzle is a mistake of the user. */
  get isOwn() {
    return this.attempt?.puzzle.rating === null;
  }

  /** The mistake that the shown puzzle is about. */
  get ownMistake() {
    const id = this.attempt?.puzzle.id;
    return this.isOwn ? (loadMistakes().find(({ puzzle }) => puzzle?.id === id) ?? null) : null;
  }

  /** @param {string | null} argument the id of a puzzle */
  async enter(argument) {
    this.isActive = true;
    this.ownPuzzles = loadMistakes().flatMap(({ puzzle }) => (puzzle ? [puzzle] : []));
    this.render();
    await Promise.all([this.loadList(), this.proveMistakes()]);
    if (!this.isActive || !this.list) return;
    const { attempt } = this;
    const wanted = argument && this.list.puzzles.find(({ id }) => id === argument);
    if (attempt && argument === attempt.puzzle.id) this.handleChange();
    else if (wanted) this.show(wanted);
    else if (argument) this.refuseLink(argument);
    else if (!attempt || attempt.isOver) this.showNext();
    else this.handleChange();
  }

  leave() {
    this.isActive = false;
    this.lastAnnouncement = "";
    this.attempt?.stop();
  }

  async loadList() {
    if (this.list) return;
    try {
      this.list = await requestJson("/api/puzzles");
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      if (this.isActive) showError(/** @type {ApiError} */ (error));
    }
    if (this.theme && !this.list?.themes.some(({ kind }) => kind === this.theme)) this.theme = "";
    this.render();
  }

  /** The first own mistake is needed for the choice of the puzzle; the others are proved while the user plays. */
  proveMistakes() {
    return new Promise((resolve) => {
      const onFound = (/** @type {PuzzleDetails} */ puzzle) => {
        this.ownPuzzles.push(puzzle);
        this.renderSidebar();
        resolve(null);
      };
      if (this.ownPuzzles.length) resolve(null);
      proveMistakes(onFound).then(resolve, resolve);
    });
  }

  async retryLoading() {
    await this.loadList();
    if (this.isActive && this.list) this.showNext();
  }

  /** @param {string} argument */
  refuseLink(argument) {
    showError({
      code: "unknown_puzzle",
      message: "",
      params: { puzzle: ID.test(argument) ? argument : `“${argument}”` },
    });
    this.showNext();
  }

  showNext() {
    if (!this.list) return;
    const own = this.theme ? null : chooseOwnPuzzle(this.ownPuzzles, this.progress, this.shownIds);
    const puzzle = own ?? choosePuzzle(this.list.puzzles, this.progress, this.theme, this.shownIds);
    if (puzzle) this.show(puzzle);
  }

  /** @param {PuzzleInfo} puzzle */
  show(puzzle) {
    this.attempt?.stop();
    this.change = null;
    this.details = null;
    this.isRepeated = isRepeated(this.progress, puzzle);
    this.shownIds = [...this.shownIds, puzzle.id].slice(-MAX_SHOWN);
    this.announcedMoves = 0;
    const attempt = new PuzzleAttempt(puzzle, {
      onChange: () => this.handleChange(),
      onScore: (score) => this.addScore(score),
      checkMove: (position, column) => checkMove(position, column),
    });
    this.attempt = attempt;
    replaceFragment(this.isOwn ? "#puzzles" : `#puzzle=${puzzle.id}`);
    this.detailsLoading = this.loadDetails(attempt);
    this.handleChange();
  }

  /** @param {PuzzleAttempt} attempt */
  async loadDetails(attempt) {
    const { puzzle } = attempt;
    if ("hints" in puzzle) {
      this.details = /** @type {PuzzleDetails} */ (puzzle);
      return;
    }
    const details = await requestJson(`/api/puzzles/${puzzle.id}`).catch(() => null);
    if (attempt !== this.attempt) return;
    this.details = details;
    this.renderSidebar();
  }

  /** The hints for the present move, the last of which names the column. */
  get hints() {
    const { attempt, details } = this;
    if (!attempt) return [];
    if (attempt.step === 0 && details) return details.hints[getLanguage()];
    return [t("puzzles.hint.column", COLUMN_NAMES[attempt.move])];
  }

  /** @param {number} column */
  chooseColumn(column) {
    const { attempt } = this;
    if (!attempt || attempt.isOver) return;
    if (attempt.phase === "wrong") attempt.tryAgain();
    else if (attempt.phase !== "asking") return;
    else if (column >= attempt.position.cols) announce(t("board.no_column"));
    else if (!attempt.position.isLegal(column)) this.board.refuseColumn(column);
    else {
      playSound("move");
      attempt.chooseColumn(column);
    }
  }

  async giveHint() {
    const { attempt } = this;
    await this.detailsLoading;
    if (attempt === this.attempt) attempt?.giveHint(this.hints.length);
  }

  /** @param {number} score */
  addScore(score) {
    const { attempt, progress } = this;
    if (!attempt) return;
    playSound(score === 0 ? "illegal" : "win");
    if (this.isRepeated) return;
    this.progress = addScore(progress, attempt.puzzle, score);
    this.change = this.isOwn ? null : this.progress.rating.rating - progress.rating.rating;
    this.isKept = saveProgress(this.progress);
    if (this.isOwn && score === 1) {
      this.ownPuzzles = this.ownPuzzles.filter(({ id }) => id !== attempt.puzzle.id);
      removeMistake(attempt.puzzle.position);
    }
  }

  /** @param {string} theme */
  setTheme(theme) {
    this.theme = theme;
    saveSetting("puzzle_theme", theme || null);
    this.showNext();
  }

  /** Draw the puzzle again and announce what happened. */
  handleChange() {
    if (!this.isActive) return;
    this.render();
    const { attempt } = this;
    if (!attempt) return;
    const { moves, opponent } = attempt.position;
    if (this.announcedMoves && moves.length > this.announcedMoves) {
      announce(t("move.played", getSideNames()[opponent], COLUMN_NAMES[moves[moves.length - 1]]));
    }
    this.announcedMoves = moves.length;
    const hint = attempt.hints ? this.hints[attempt.hints - 1] : "";
    const text = [formatStatus(attempt), formatOutcome(this), hint].filter(Boolean).join(" ");
    if (text !== this.lastAnnouncement) announce(text);
    this.lastAnnouncement = text;
  }

  render() {
    const { attempt } = this;
    this.main.hidden = !attempt;
    if (attempt) {
      const { phase, position, hints } = attempt;
      const hasColumnHint = phase === "asking" && hints > 0 && hints === this.hints.length;
      this.board.show(
        position,
        { isPlayable: phase === "asking", hintColumn: hasColumnHint ? attempt.move : null },
        { text: formatStatus(attempt), player: attempt.player, isOver: attempt.isOver },
      );
      this.board.statusLine.classList.toggle("puzzle-right", phase === "solved");
      this.board.statusLine.classList.toggle("puzzle-wrong", attempt.feedback?.kind === "wrong");
    }
    this.renderSidebar();
  }

  renderSidebar() {
    const hadFocus = this.puzzleCard.contains(document.activeElement);
    replaceContent(this.puzzleCard, createPuzzleCard(this));
    replaceContent(this.progressCard, createProgressCard(this));
    replaceContent(this.filterCard, createFilterCard(this));
    this.puzzleCard.setAttribute("aria-label", t("puzzles.title"));
    this.progressCard.hidden = !this.attempt;
    this.filterCard.hidden = !this.list;
    // A button that was used may be gone: then the first one of the card gets the focus.
    if (!hadFocus || this.puzzleCard.contains(document.activeElement)) return;
    const button = this.puzzleCard.querySelector("button:enabled");
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    const { attempt, board } = this;
    return {
      playColumn: (column) => this.chooseColumn(column),
      keys: {
        h: () => this.giveHint(),
        r: () => attempt?.tryAgain(),
        s: () => attempt?.showSolution(),
        n: () => this.showNext(),
        Escape: () => attempt?.tryAgain(),
        ArrowLeft: () => board.view.focusOrMove(-1),
        ArrowRight: () => board.view.focusOrMove(1),
      },
    };
  }
}

/**
 * @param {Position} position
 * @param {number} column
 * @returns {Promise<MoveCheck>}
 */
function checkMove(position, column) {
  return requestJson(`/api/puzzles/check?position=${encodeURIComponent(position.notation)}&column=${column}`);
}
