// A lesson of Learn: shows one task after the other, checks the user's moves and explains them.

import { hasSecondMove, isExplained, isSolution, isSolved, LESSONS, saveSolved } from "../model/lessons.js";
import { COLUMN_NAMES, Position } from "../model/position.js";
import { replaceFragment } from "../model/routes.js";
import { el, prefersReducedMotion, replaceContent } from "../ui/dom.js";
import { MoveReason } from "../ui/move_reason.js";
import { announce } from "../ui/notifications.js";
import { playSound } from "../ui/sounds.js";
import { loadStyle } from "../ui/style_sheet.js";
import { addWords, t } from "../words/language.js";
import { words as en } from "../words/lessons_en.js";
import { words as zh } from "../words/lessons_zh.js";
import { getSideNames } from "../words/player_names.js";
import { createFeedback, createLessonCard } from "./lesson_panel.js";
import { PlayBoard } from "./play_board.js";

/** @import { App } from "../app.js" */
/** @import { Lesson, Task } from "../model/lessons.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */
/** @import { LearnPage } from "./learn.js" */

/** Time after which the opponent replies. */
const REPLY_MS = 900;

/**
 * `ask`: the user looks for the solution. `wrong`: the board shows a wrong move. `reply`: the opponent is to reply.
 * `second`: the user plays on after the reply. `right`: the task is solved.
 * @typedef {"ask" | "wrong" | "reply" | "second" | "right"} Phase
 */

addWords(en, zh);
const styleIsLoaded = loadStyle("styles/lessons.css");

/**
 * @param {App} app
 * @returns {Promise<LearnPage>}
 */
export async function createLessonPage(app) {
  await styleIsLoaded;
  return new LessonPage(app);
}

/** @implements {LearnPage} */
export class LessonPage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.lesson = LESSONS[0];
    this.task = this.lesson.tasks[0];
    /** @type {Phase} */
    this.phase = "ask";
    /** The position at which the user is to move. @type {Position} */
    this.question = Position.fromServer(this.task.position);
    /** The shown position. */
    this.position = this.question;
    /** The opponent's reply to the first solution. @type {number | null} */
    this.reply = null;
    this.timer = 0;
    this.board = new PlayBoard((column) => this.chooseColumn(column));
    this.reason = new MoveReason(app.connection, () => {
      this.renderBoard();
      this.feedback.scrollIntoView({ block: "nearest" });
    });
    this.feedback = el("div", { class: "lesson-feedback" });
    this.main = this.board.element;
    this.main.append(this.feedback);
    this.sidebar = el("div", { class: "stack" });
  }

  get lessonNumber() {
    return LESSONS.indexOf(this.lesson) + 1;
  }

  get taskNumber() {
    return this.lesson.tasks.indexOf(this.task) + 1;
  }

  /** The lesson after this one. @returns {Lesson | null} */
  get nextLesson() {
    return LESSONS[this.lessonNumber] ?? null;
  }

  /** @param {string | null} argument the number of the lesson */
  enter(argument) {
    this.lesson = LESSONS[Number(argument) - 1] ?? LESSONS[0];
    replaceFragment(`#lesson=${this.lessonNumber}`);
    const { tasks } = this.lesson;
    this.start(tasks.find((task) => !isSolved(this.lesson, task)) ?? tasks[0]);
  }

  leave() {
    clearTimeout(this.timer);
    this.reason.show(null);
  }

  /** @param {Task} task */
  start(task) {
    clearTimeout(this.timer);
    this.task = task;
    this.phase = "ask";
    this.reply = null;
    this.question = Position.fromServer(task.position);
    this.position = this.question;
    this.reason.show(null);
    this.board.clearNotice();
    this.render();
    announce(this.taskText);
  }

  /** Show the next task, or the next lesson after the last one. */
  next() {
    const task = this.lesson.tasks[this.taskNumber];
    if (task) this.start(task);
    else if (this.nextLesson) this.app.open(`lesson=${this.lessonNumber + 1}`);
  }

  /** Set up a game against a weak opponent on the board of the lessons. */
  async playGame() {
    if (await this.app.views.play.setUpFrom(new Position(6, 7), "level-10")) this.app.switchView("play");
  }

  /** Take back a wrong move. */
  tryAgain() {
    if (this.phase !== "wrong") return;
    this.phase = this.reply === null ? "ask" : "second";
    this.position = this.question;
    this.reason.show(null);
    this.render();
    announce(this.taskText);
  }

  /** @param {number} column */
  chooseColumn(column) {
    if (this.phase === "wrong") this.tryAgain();
    if (this.phase === "right" || this.phase === "reply") {
      announce(this.feedbackText);
      return;
    }
    const { question } = this;
    if (column >= question.cols) announce(t("board.no_column"));
    else if (!question.isLegal(column)) this.board.refuseColumn(column);
    else this.check(column);
  }

  /** @param {number} column */
  check(column) {
    const { question, task, phase } = this;
    const isRight = phase === "ask" ? isSolution(task, column) : listForcedColumns(question).includes(column);
    this.position = question.play(column);
    if (!isRight) this.phase = "wrong";
    else this.phase = phase === "ask" && hasSecondMove(task) ? "reply" : "right";
    if (!isRight || (phase === "ask" && isExplained(task))) {
      this.reason.show({ position: question, column, isDrawn: true, isAnnounced: true });
    }
    if (this.phase === "right") saveSolved(this.lesson, task);
    playSound(this.phase === "right" ? "win" : "move");
    this.render();
    announce(this.feedbackText);
    this.feedback.scrollIntoView({ block: "nearest" });
    if (this.phase === "reply") this.timer = setTimeout(() => this.playReply(), prefersReducedMotion() ? 0 : REPLY_MS);
  }

  /** Let the opponent block. */
  playReply() {
    const [column] = listForcedColumns(this.position);
    this.reply = column;
    this.question = this.position.play(column);
    this.position = this.question;
    this.phase = "second";
    this.render();
    announce(this.taskText);
  }

  /** What the user is to do. */
  get taskText() {
    if (this.reply === null) return t(`lesson.task.${this.lesson.id}_${this.task.id}`);
    const side = getSideNames()[this.question.opponent];
    return t(this.task.goal === "attack" ? "lesson.finish" : "lesson.take_cell", side, COLUMN_NAMES[this.reply]);
  }

  /** The judgement of the last move. */
  get feedbackText() {
    if (this.phase === "wrong") return t("lesson.wrong");
    if (this.phase === "right") return t(`lesson.right.${this.task.goal}`);
    return this.phase === "ask" ? "" : t("lesson.right");
  }

  render() {
    this.reason.render();
    this.renderBoard();
    replaceContent(this.feedback, createFeedback(this));
    replaceContent(this.sidebar, createLessonCard(this));
  }

  renderBoard() {
    const { position, phase } = this;
    const isDrawn = phase === "wrong" || this.reply === null;
    const options = {
      isPlayable: phase === "ask" || phase === "second" || phase === "wrong",
      ...(isDrawn ? this.reason.getBoardOptions(position) : {}),
    };
    this.board.show(position, options, { text: this.taskText, player: this.question.turn, isOver: false });
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    const { view } = this.board;
    return {
      playColumn: (column) => this.chooseColumn(column),
      keys: {
        n: () => this.phase === "right" && this.next(),
        r: () => this.tryAgain(),
        Escape: () => this.tryAgain(),
        ArrowLeft: () => view.focusOrMove(-1),
        ArrowRight: () => view.focusOrMove(1),
      },
    };
  }
}

/**
 * The columns in which the side to move completes four, else those in which it must block.
 * @param {Position} position
 */
function listForcedColumns(position) {
  /** @param {import("../model/messages.d.ts").Player} player */
  const list = (player) =>
    position
      .findThreats(player)
      .filter(([row, column]) => position.findLandingRow(column) === row)
      .map(([, column]) => column);
  const wins = list(position.turn);
  return wins.length ? wins : list(position.opponent);
}
