// The board of Play with the line above it: status, notices about full columns, the winning line.

import { COLUMN_NAMES } from "../model/position.js";
import { findWinningLines } from "../model/winning_lines.js";
import { BoardView } from "../ui/board.js";
import { shakeColumn, showWinningLines } from "../ui/board_effects.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { el, replaceContent } from "../ui/dom.js";
import { announce } from "../ui/notifications.js";
import { playSound } from "../ui/sounds.js";
import { t } from "../words/language.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { BoardOptions } from "../ui/board.js" */

const NOTICE_MS = 2500;

/**
 * `player`: whose stone stands before the text; null for none.
 * @typedef {{text: string, player: Player | null, isOver: boolean}} Status
 */

export class PlayBoard {
  /** @param {(column: number) => void} onColumn */
  constructor(onColumn) {
    this.view = new BoardView({ onColumn, getLabel: () => this.getLabel() });
    this.statusLine = el("p", { class: "status" });
    this.element = el("div", { class: "board-area" }, this.statusLine, this.view.element);
    /** @type {Status} */
    this.status = { text: "", player: null, isOver: false };
    this.notice = "";
    this.noticeTimer = 0;
  }

  /**
   * @param {Position} position
   * @param {BoardOptions} options
   * @param {Status} status
   */
  show(position, options, status) {
    this.status = status;
    const wasWon = this.view.position?.winningCells !== null && this.view.position?.notation === position.notation;
    this.view.show(position, options);
    if (!wasWon) showWinningLines(this.view, findWinningLines(position), true);
    this.drawStatus();
  }

  drawStatus() {
    const { text, player, isOver } = this.status;
    const icon = player === null ? null : createStoneIcon(player);
    replaceContent(this.statusLine, icon, this.notice || text);
    this.statusLine.classList.toggle("over", isOver && !this.notice);
    this.statusLine.classList.toggle("notice", Boolean(this.notice));
  }

  getLabel() {
    const { rows = 0, cols = 0 } = this.view.position ?? {};
    return t("board.label", rows, cols, this.status.text);
  }

  /**
   * Show that a column is full.
   * @param {number} column
   */
  refuseColumn(column) {
    this.showNotice(t("board.column_full", COLUMN_NAMES[column]));
    shakeColumn(this.view, column);
    playSound("illegal");
  }

  /**
   * Show a text instead of the status for a moment, and announce it.
   * @param {string} text
   */
  showNotice(text) {
    announce(text);
    clearTimeout(this.noticeTimer);
    this.notice = text;
    this.noticeTimer = setTimeout(() => this.clearNotice(), NOTICE_MS);
    this.drawStatus();
  }

  clearNotice() {
    clearTimeout(this.noticeTimer);
    this.notice = "";
    this.drawStatus();
  }
}
