// Owns the board on the screen: a picture, and a labelled grid of cells over it for pointer, keys and screen readers.

import { el, prefersStillness, svg } from "./dom.js";
import { language, t } from "./language.js";
import { NAMES } from "./rules.js";
import { block, CELL, ghost, lastMark, stone, threat, well, winningMark } from "./stones.js";

const FALL_MS_PER_ROW = 26;

export class BoardView {
  /** `onColumn(column)` answers a click, a touch or Enter; `onCell(row, column)`, where given, takes its place. */
  constructor({ onColumn = null, onCell = null, label = () => t("board") } = {}) {
    this.onColumn = onColumn;
    this.onCell = onCell;
    this.label = label;
    this.position = null;
    this.look = {};
    this.cursor = null;
    this.hovered = null;
    this.layers = Object.fromEntries(["wells", "stones", "ghosts", "marks", "hover"].map((name) => [name, svg("g")]));
    this.picture = svg("svg", { "aria-hidden": "true", focusable: "false" }, Object.values(this.layers));
    this.grid = el("div", { class: "cells", role: "grid" });
    this.names = el("div", { class: "names", "aria-hidden": "true" });
    this.below = el("div", { class: "below" });
    this.element = el(
      "div",
      { class: "board" },
      this.names,
      el("div", { class: "frame" }, this.picture, this.grid),
      this.below,
    );
    this.listen();
  }

  /**
   * `look` may hold: playable, ghosts [{row, column, player, number}], threats [players], hint (column),
   * picking (cells, not columns, are chosen), still (no falling).
   */
  show(position, look = {}) {
    const before = this.position;
    this.position = position;
    this.look = look;
    if (before?.boardText !== position.boardText) this.rebuild();
    this.drawStones(look.still ? null : before);
    this.drawMarks();
    this.labelCells();
    this.drawHover();
  }

  rebuild() {
    const { rows, cols } = this.position;
    this.element.style.setProperty("--rows", rows);
    this.element.style.setProperty("--cols", cols);
    this.picture.setAttribute("viewBox", `0 0 ${cols * CELL} ${rows * CELL}`);
    this.words = null;
    this.names.replaceChildren(...Array.from(NAMES.slice(0, cols), (name) => el("span", {}, name)));
    this.layers.stones.replaceChildren();
    const each = (count, make) => Array.from({ length: count }, (_, at) => make(at));
    this.layers.wells.replaceChildren(
      ...each(rows, (row) =>
        each(cols, (column) => (this.position.isHole(row, column) ? block(row, column) : well(row, column))),
      ).flat(),
    );
    const hadFocus = this.grid.contains(document.activeElement);
    this.grid.replaceChildren(
      ...each(rows, (row) =>
        el(
          "div",
          { role: "row" },
          each(cols, (column) => el("div", { role: "gridcell", tabindex: -1, dataset: { row, column } })),
        ),
      ),
    );
    const [row, column] = this.cursor ?? [rows - 1, Math.floor(cols / 2)];
    this.moveCursor(Math.min(row, rows - 1), Math.min(column, cols - 1), hadFocus);
  }

  drawStones(before) {
    const { rows, cols } = this.position;
    const drawn = new Map(Array.from(this.layers.stones.children, (group) => [group.dataset.cell, group]));
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < cols; column += 1) {
        const player = this.position.stone(row, column);
        const key = `${row},${column},${player}`;
        if (player !== 0 && player !== 1) continue;
        if (drawn.delete(key)) continue;
        const group = stone(row, column, player);
        group.dataset.cell = key;
        this.layers.stones.append(group);
        if (before && String(this.position.last) === `${row},${column}`) this.fall(group, row);
      }
    }
    for (const group of drawn.values()) group.remove();
  }

  fall(group, row) {
    if (prefersStillness()) return;
    const from = `translate(0, ${-(row + 1) * CELL}px)`;
    const fall = { duration: 90 + FALL_MS_PER_ROW * (row + 1), easing: "cubic-bezier(.5, 0, .9, .6)" };
    group.firstChild.animate([{ transform: from }, { transform: "none" }], fall);
  }

  drawMarks() {
    const { position, look } = this;
    const marks = (position.four ?? []).map(([row, column]) => winningMark(row, column));
    if (position.last) marks.push(lastMark(...position.last));
    for (const player of look.threats ?? []) {
      marks.push(...position.threats(player).map(([row, column]) => threat(row, column, player)));
    }
    this.layers.marks.replaceChildren(...marks);
    const ghosts = (look.ghosts ?? []).map((one) => ghost(one.row, one.column, one.player, one.number));
    if (look.hint !== undefined && look.hint !== null && position.isLegal(look.hint)) {
      ghosts.push(stone(position.landing(look.hint), look.hint, position.turn, "hint"));
    }
    this.layers.ghosts.replaceChildren(...ghosts);
  }

  /** Put words on the grid and its cells; an analysis redraws often, so only where they differ from before. */
  labelCells() {
    const { position } = this;
    const words = [position.text, language(), this.label(), this.look.picking, this.look.playable].join();
    if (this.words === words) return;
    this.words = words;
    this.grid.setAttribute("aria-label", this.label());
    this.grid.setAttribute("aria-description", t(this.look.picking ? "board.pick" : "board.how"));
    this.element.classList.toggle("playable", Boolean(this.look.playable || this.look.picking));
    const four = new Set((position.four ?? []).map(String));
    for (const cell of this.grid.querySelectorAll("[role=gridcell]")) {
      const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
      const what = { "-1": "cell.free", 0: "cell.first", 1: "cell.second", 2: "cell.hole" }[
        position.stone(row, column)
      ];
      const last = String(position.last) === `${row},${column}` ? t("cell.last") : "";
      const won = four.has(`${row},${column}`) ? t("cell.four") : "";
      cell.setAttribute("aria-label", t("cell", NAMES[column], position.rows - row, t(what), last + won));
    }
  }

  drawHover() {
    const { position, look, hovered } = this;
    this.layers.hover.replaceChildren();
    if (look.picking || !look.playable || hovered === null || !position.isLegal(hovered)) return;
    this.layers.hover.append(stone(position.landing(hovered), hovered, position.turn, "aim"));
  }

  hover(column) {
    if (this.hovered === column) return;
    this.hovered = column;
    if (this.position) this.drawHover();
  }

  listen() {
    const place = (event) => {
      const cell = event.target.closest("[role=gridcell]");
      return cell && [Number(cell.dataset.row), Number(cell.dataset.column)];
    };
    this.grid.addEventListener("click", (event) => place(event) && this.choose(...place(event)));
    this.grid.addEventListener(
      "pointermove",
      (event) => event.pointerType === "mouse" && this.hover(place(event)?.[1] ?? null),
    );
    this.grid.addEventListener("pointerleave", () => this.hover(null));
    this.grid.addEventListener("focusin", (event) => {
      if (!place(event)) return;
      this.cursor = place(event);
      if (event.target.matches(":focus-visible")) this.hover(this.cursor[1]);
    });
    this.grid.addEventListener("focusout", () => this.hover(null));
    this.grid.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { rows, cols } = this.position;
    const [row, column] = this.cursor;
    const target = {
      ArrowLeft: [row, Math.max(column - 1, 0)],
      ArrowRight: [row, Math.min(column + 1, cols - 1)],
      ArrowUp: [Math.max(row - 1, 0), column],
      ArrowDown: [Math.min(row + 1, rows - 1), column],
      Home: [row, 0],
      End: [row, cols - 1],
      PageUp: [0, column],
      PageDown: [rows - 1, column],
    }[event.key];
    if (target) this.moveCursor(...target, true);
    else if (event.key === "Enter" || event.key === " ") this.choose(row, column);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Take the keyboard to the board, or one column on where it is there already. */
  aim(by) {
    const [row, column] = this.cursor;
    const there = this.grid.contains(document.activeElement);
    this.moveCursor(row, Math.min(Math.max(column + (there ? by : 0), 0), this.position.cols - 1), true);
  }

  choose(row, column) {
    this.moveCursor(row, column, false);
    if (this.onCell) this.onCell(row, column);
    else this.onColumn?.(column);
  }

  moveCursor(row, column, focus) {
    this.grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    this.cursor = [row, column];
    const cell = this.grid.children[row].children[column];
    cell.setAttribute("tabindex", 0);
    if (focus) cell.focus({ preventScroll: true });
  }
}
