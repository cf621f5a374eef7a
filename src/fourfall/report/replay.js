// The replayable board of the report: one board, buttons, a slider and keys. Inlined by replay.py.

import {
  CELL,
  COLUMN_NAMES,
  center,
  drawHole,
  drawStone,
  el,
  findWinningCells,
  MARGIN,
  Position,
  svg,
} from "./replay_board.js";
import { games, t } from "./replay_data.js";
import { describeGame, GameList } from "./replay_list.js";

/** @import { Stone } from "./replay_board.js" */
/** @import { Game, TurningPoint } from "./replay_data.js" */

const ICONS = {
  first: "M6 5v14M18 5l-9 7 9 7",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l9 7-9 7",
};

const root = document.getElementById("replay");

/** @param {number} ms */
function formatTime(ms) {
  return ms < 100 ? t("state.ms", { ms }) : t("state.time", { seconds: (ms / 1000).toFixed(2) });
}

class Replay {
  /**
   * @param {HTMLElement} element
   * @param {Game[]} allGames
   */
  constructor(element, allGames) {
    this.allGames = allGames;
    this.game = allGames[0];
    this.position = new Position(this.game.board);
    this.ply = 0;
    /** Number of moves of the better line on the board, or null while the game itself is shown. @type {number | null} */
    this.lineMoves = null;
    this.gameList = new GameList(allGames, (game) => this.open(game));
    this.title = el("h3", { tabindex: -1 });
    this.image = svg("svg", { role: "img", class: "replay-image" });
    this.slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", "aria-label": t("slider") }));
    this.buttons = {
      first: this.createStepButton("first", () => this.show(this.opening)),
      back: this.createStepButton("back", () => this.step(-1)),
      forward: this.createStepButton("forward", () => this.step(1)),
      last: this.createStepButton("last", () => this.show(this.total)),
    };
    this.state = el("p", { class: "replay-state", "aria-live": "polite" });
    this.text = el("div", { class: "replay-text" });
    const { first, back, forward, last } = this.buttons;
    element.append(
      this.gameList.element,
      el(
        "div",
        { class: "replay-board" },
        this.title,
        this.image,
        el("div", { class: "replay-steps" }, first, back, this.slider, forward, last),
        this.state,
        this.text,
        el("p", { class: "replay-keys" }, t("keys")),
      ),
    );
    this.addListeners(element);
    if (!this.openLinkedGame()) this.open(this.game);
  }

  get opening() {
    return this.position.moves.length;
  }

  /** The columns of the game, with its opening. */
  get moves() {
    return this.position.moves + this.game.moves;
  }

  get total() {
    return this.lineMoves === null ? this.moves.length : this.lineStart + this.line.length;
  }

  get line() {
    return this.game.point?.line ?? "";
  }

  get lineStart() {
    return this.game.point?.ply ?? 0;
  }

  /**
   * @param {"first" | "back" | "forward" | "last"} name
   * @param {() => void} onClick
   */
  createStepButton(name, onClick) {
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
    const label = t(`step.${name}`);
    const button = /** @type {HTMLButtonElement} */ (
      el("button", { type: "button", title: label, "aria-label": label }, icon)
    );
    button.addEventListener("click", onClick);
    return button;
  }

  /** @param {HTMLElement} element */
  addListeners(element) {
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    element.addEventListener("keydown", (event) => this.handleKey(event));
    window.addEventListener("hashchange", () => this.openLinkedGame());
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === this.gameList.filter)
      return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.show(this.opening),
      End: () => this.show(this.total),
      ArrowUp: () => this.gameList.openNeighbour(-1),
      ArrowDown: () => this.gameList.openNeighbour(1),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }

  /** Open the game of the address "#game-N"; returns whether there is one. */
  openLinkedGame() {
    const number = /^#game-(\d+)$/.exec(location.hash)?.[1];
    const game = this.allGames.find(({ id }) => String(id) === number);
    if (!game) return false;
    this.gameList.open(game);
    this.title.scrollIntoView({ block: "start" });
    this.title.focus({ preventScroll: true });
    return true;
  }

  /**
   * Show a game at its turning point, or at its end.
   * @param {Game} game
   */
  open(game) {
    this.game = game;
    this.position = new Position(game.board);
    this.lineMoves = null;
    this.title.replaceChildren(el("bdi", {}, describeGame(game)));
    this.fillText();
    this.gameList.mark(game);
    this.show(game.point ? game.point.ply + 1 : this.total);
  }

  fillText() {
    const { game } = this;
    const parts = [this.createLegend(), ...[game.result, ...game.text].map((text) => el("p", {}, el("bdi", {}, text)))];
    if (game.point) {
      const { ply } = game.point;
      parts.push(
        el(
          "p",
          { class: "replay-actions" },
          this.createAction("point.show", () => this.leaveLine(ply + 1)),
          this.createAction("point.line", () => this.enterLine()),
          this.createAction("point.game", () => this.leaveLine(ply)),
        ),
      );
    }
    this.text.replaceChildren(...parts);
  }

  createLegend() {
    const icon = (/** @type {number} */ player) =>
      svg(
        "svg",
        { class: "replay-icon", viewBox: `${MARGIN} ${MARGIN} ${CELL} ${CELL}`, "aria-hidden": "true" },
        drawStone({ row: 0, column: 0, player }, "stone"),
      );
    const entry = (/** @type {number} */ player, /** @type {string} */ word) =>
      el("span", {}, icon(player), " ", el("bdi", {}, this.game.names[player]), ` (${t(word)})`);
    return el("p", { class: "replay-legend" }, entry(0, "legend.first"), entry(1, "legend.second"));
  }

  /**
   * @param {string} word
   * @param {() => void} onClick
   */
  createAction(word, onClick) {
    const button = el("button", { type: "button", "data-action": word }, t(word));
    button.addEventListener("click", onClick);
    return button;
  }

  enterLine() {
    this.lineMoves = 1;
    this.show(this.lineStart + 1);
    this.focusAction("point.game");
  }

  /** @param {number} ply */
  leaveLine(ply) {
    const wasInLine = this.lineMoves !== null;
    this.lineMoves = null;
    this.show(ply);
    if (wasInLine) this.focusAction("point.line");
  }

  /**
   * Focus a button in place of the one that was pressed and is hidden now, so that the arrow keys still work.
   * @param {string} action
   */
  focusAction(action) {
    for (const button of this.text.querySelectorAll("button")) {
      if (button.dataset.action === action) button.focus({ preventScroll: true });
    }
  }

  /** @param {number} plies */
  step(plies) {
    this.show(this.ply + plies);
  }

  /**
   * Show the board after `ply` stones, of the game or of the better line.
   * @param {number} ply
   */
  show(ply) {
    this.ply = Math.min(Math.max(ply, this.opening), this.total);
    if (this.lineMoves !== null) this.lineMoves = Math.max(0, this.ply - this.lineStart);
    const moves = this.lineMoves === null ? this.moves : this.moves.slice(0, this.lineStart) + this.line;
    const stones = this.position.listStones(moves.slice(0, this.ply));
    this.drawBoard(stones);
    this.updateControls();
    this.state.replaceChildren(el("bdi", {}, this.describeState(stones)));
  }

  updateControls() {
    const { ply, opening, total } = this;
    const { first, back, forward, last } = this.buttons;
    this.slider.min = String(opening);
    this.slider.max = String(total);
    this.slider.value = String(ply);
    this.slider.disabled = opening === total;
    this.slider.setAttribute("aria-valuetext", t("slider.text", { stones: ply, total }));
    // A disabled button loses the focus, and the arrow keys with it; so the buttons only say that they do nothing.
    for (const button of [first, back]) button.setAttribute("aria-disabled", String(ply === opening));
    for (const button of [forward, last]) button.setAttribute("aria-disabled", String(ply === total));
    const inLine = this.lineMoves !== null;
    for (const button of this.text.querySelectorAll("button")) {
      if (button.dataset.action === "point.game") button.hidden = !inLine;
      if (button.dataset.action === "point.line") button.hidden = inLine;
    }
  }

  /** @param {Stone[]} stones */
  describeState(stones) {
    const last = stones.at(-1);
    if (!last || this.ply === this.opening) {
      return this.opening ? t("state.opening", { count: this.opening }) : t("state.start");
    }
    const isLine = this.lineMoves !== null && this.ply > this.lineStart;
    const values = { stones: this.ply, name: this.game.names[last.player], column: COLUMN_NAMES[last.column] };
    const parts = [t(isLine ? "state.line" : "state.move", values)];
    const at = this.ply - this.opening - 1;
    if (!isLine) {
      if (at < this.game.times.length) parts.push(formatTime(this.game.times[at]));
      const score = this.game.scores[at] ?? null;
      if (score !== null) parts.push(t("state.score", { chance: `${Math.round(100 * score)} %` }));
      if (this.game.point && this.ply === this.lineStart + 1) {
        parts.push(t("state.turning"), t("better", { column: this.game.point.better }));
      }
    }
    if (findWinningCells(stones).length) parts.push(t("state.won"));
    return parts.join(t("separator"));
  }

  /** @param {Stone[]} stones */
  drawBoard(stones) {
    const { rows, cols, hole } = this.position;
    const [width, height] = [cols * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN];
    const occupied = new Set(stones.map(({ row, column }) => `${row},${column}`));
    const parts = [
      svg("title", {}, this.describeBoard(stones)),
      svg("rect", {
        class: "frame",
        x: MARGIN - 6,
        y: MARGIN - 6,
        width: cols * CELL + 12,
        height: rows * CELL + 12,
        rx: 10,
      }),
      ...this.drawCoordinates(),
    ];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < cols; column += 1) {
        if (occupied.has(`${row},${column}`)) continue;
        if (this.position.isHole(row, column)) parts.push(drawHole(row, column));
        else parts.push(svg("circle", { class: "empty", cx: center(column), cy: center(row), r: 18 }));
      }
    }
    parts.push(...stones.map((stone, at) => this.drawNumberedStone(stone, at)));
    parts.push(...this.drawMarks(stones));
    this.image.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.image.classList.toggle("has-hole", hole !== null);
    this.image.replaceChildren(...parts);
  }

  /**
   * A stone of the game; a stone of the better line is an outline with its number.
   * @param {Stone} stone
   * @param {number} at
   */
  drawNumberedStone(stone, at) {
    if (this.lineMoves === null || at < this.lineStart) return drawStone(stone, "stone");
    const drawn = drawStone(stone, "line-stone");
    drawn.append(svg("text", { dy: "0.35em" }, String(at - this.lineStart + 1)));
    return drawn;
  }

  drawCoordinates() {
    const { rows, cols } = this.position;
    const columns = Array.from({ length: cols }, (_, column) =>
      svg("text", { class: "coordinate", x: center(column), y: MARGIN - 11 }, COLUMN_NAMES[column]),
    );
    const numbers = Array.from({ length: rows }, (_, row) =>
      svg("text", { class: "coordinate", x: MARGIN / 2 - 2, y: center(row) + 4 }, String(rows - row)),
    );
    return [...columns, ...numbers];
  }

  /** @param {Stone[]} stones */
  drawMarks(stones) {
    const marks = findWinningCells(stones).map(([row, column]) =>
      svg("circle", { class: "winning", cx: center(column), cy: center(row), r: 19.5 }),
    );
    const last = stones.at(-1);
    const isLine = this.lineMoves !== null && this.ply > this.lineStart;
    if (last && !isLine)
      marks.push(svg("circle", { class: "last", cx: center(last.column), cy: center(last.row), r: 5 }));
    const { point } = this.game;
    if (point && !isLine && (this.ply === point.ply || this.ply === point.ply + 1))
      marks.push(...this.drawPoint(point));
    return marks;
  }

  /**
   * At the turning point: a square around the played stone, and the outline of the better stone.
   * @param {TurningPoint} point
   */
  drawPoint(point) {
    const before = this.moves.slice(0, point.ply);
    const better = this.position.listStones(before + point.better).at(-1);
    const played = this.position.listStones(before + point.played).at(-1);
    const marks = [];
    if (better) {
      const drawn = drawStone(better, "line-stone");
      drawn.append(svg("text", { dy: "0.35em" }, "✓"), svg("title", {}, t("better", { column: point.better })));
      marks.push(drawn);
    }
    if (played && this.ply > point.ply) {
      const [x, y] = [center(played.column), center(played.row)];
      marks.push(svg("rect", { class: "turning", x: x - 21, y: y - 21, width: 42, height: 42, rx: 6 }));
    }
    return marks;
  }

  /** @param {Stone[]} stones */
  describeBoard(stones) {
    const { rows, cols, hole } = this.position;
    const values = { rows, cols, count: stones.length };
    if (!hole) return t("board.label.no_hole", values);
    return t("board.label", { ...values, column: COLUMN_NAMES[hole[1]], row: rows - hole[0] });
  }
}

if (root && games) {
  root.hidden = false;
  root.classList.add("is-active");
  new Replay(root, games);
}
