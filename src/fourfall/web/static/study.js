// Owns what Analyse and Review share: the game under study, its board, bar, graph and list of moves, and walking in it.

import { BoardView } from "./board.js";
import { el, fill, icon } from "./dom.js";
import { button } from "./fields.js";
import { Graph } from "./graph.js";
import { number, t } from "./language.js";
import { positionLink, settle } from "./link.js";
import { MoveList } from "./moves.js";
import { displayName } from "./names.js";
import { announce } from "./notice.js";
import { NAMES, Position } from "./rules.js";
import { forFirst, verdict } from "./scores.js";
import { Tree } from "./tree.js";

const GHOSTS = 8;

export class Study {
  constructor() {
    this.listeners = new Set();
    this.look = () => ({});
    this.markOf = () => "";
    this.link = positionLink;
    this.board = new BoardView({ onColumn: (column) => this.play(column), label: () => this.describe() });
    this.graph = new Graph((ply) => this.goPly(ply));
    this.facts = el("p", { class: "small faint facts" });
    this.moves = new MoveList(
      (node) => this.go(node),
      (node) => this.markOf(node),
    );
    this.bar = el(
      "div",
      { class: "bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 },
      el("div", { class: "part" }),
      el("div", { class: "mid" }),
    );
    this.steps = el("div", { class: "row steps", role: "group" });
    this.element = el(
      "div",
      { class: "place" },
      el("div", { class: "table" }, this.bar, this.board.element),
      this.steps,
    );
    this.load(new Position(6, 7));
  }

  /** Take up a game: `about` may hold game (its id), names, scores and review, as the server gave them. */
  load(position, { ply = null, about = {} } = {}) {
    this.tree = new Tree(position);
    this.about = about;
    const opening = position.moves.length - (about.scores?.length ?? 0);
    this.tree.game.forEach((node, at) => {
      const score = about.scores?.[at - opening];
      if (score) node.score = forFirst(score, node.position.turn);
      node.time_ms = about.times_ms?.[at - opening - 1] ?? null;
    });
    if (ply !== null) this.tree.go(this.tree.game[Math.min(ply, position.moves.length)]);
    this.changed();
  }

  /** Go to the end of a variation that is known already; false where it is not. */
  find(position, ply) {
    const { tree } = this;
    let node = position.boardText === tree.root.position.boardText ? tree.root : null;
    for (const column of position.moves) node = node?.children.find((child) => child.column === column);
    if (!node || node.next) return false;
    tree.go(node);
    if (ply !== null) tree.go(tree.line[Math.min(ply, node.ply)]);
    this.changed();
    return true;
  }

  get isUntouched() {
    return !this.tree.root.next && !this.about.game;
  }

  /** The stored game's id while one stands in the game itself, not in a variation of it. */
  get game() {
    return this.tree.isOnGame ? this.about.game : null;
  }

  onChange(listener) {
    this.listeners.add(listener);
  }

  changed() {
    this.draw();
    for (const listener of this.listeners) listener();
  }

  get here() {
    return this.tree.here;
  }

  get position() {
    return this.tree.here.position;
  }

  /** The moves of this variation, for links: the way here and what follows. */
  get whole() {
    return this.tree.line.at(-1).position;
  }

  /** The sides by colour, for sentences about the position; the players' names are for sentences about people. */
  sides() {
    return [t("blue"), t("orange")];
  }

  playerNames() {
    return this.about.names?.map(displayName) ?? this.sides();
  }

  play(column) {
    if (!this.position.isLegal(column)) {
      announce(this.position.isOver ? t("over") : t("error.column_full"));
      return;
    }
    this.tree.play(column);
    announce(t("played", t(this.position.turn ? "blue" : "orange"), NAMES[column]));
    this.changed();
  }

  go(node) {
    this.tree.go(node);
    this.changed();
  }

  goPly(ply) {
    if (ply !== this.here.ply) this.go(this.tree.line[Math.min(ply, this.tree.line.length - 1)]);
  }

  step(by) {
    const line = this.tree.line;
    const target = line[Math.min(Math.max(this.here.ply + by, 0), line.length - 1)];
    if (target === this.here) return;
    this.go(target);
    announce(target.parent ? t("at.move", target.ply, NAMES[target.column]) : t("start"));
  }

  draw() {
    this.board.show(this.position, { playable: !this.position.isOver, ...this.look() });
    this.drawSteps();
    this.moves.show(this.tree);
    this.facts.textContent = this.factsText();
    this.drawScores();
  }

  /** New evaluations of the same position: draw them without moving anything. */
  redraw() {
    this.board.show(this.position, { playable: !this.position.isOver, ...this.look(), still: true });
    this.drawScores();
  }

  /** The card with graph and moves; `words` stand between them. */
  card(title, words = null) {
    const parts = [this.graph.element, words, this.moves.element, this.facts];
    return el("section", { class: "card tight" }, el("h2", {}, title), parts);
  }

  drawScores() {
    const points = this.tree.line.map((node) => ({ score: node.score, mark: this.markOf(node) }));
    this.graph.show(points, this.here.ply, this.sides());
    const score = this.here.score;
    const chance = score ? score.win_chance : 0.5;
    this.bar.querySelector(".part").style.height = `${100 * chance}%`;
    this.bar.setAttribute("aria-label", t("bar"));
    this.bar.setAttribute("aria-valuenow", Math.round(100 * chance));
    this.bar.setAttribute("aria-valuetext", score ? verdict(score, this.sides()) : t("unknown"));
    this.bar.title = score ? verdict(score, this.sides()) : "";
  }

  drawSteps() {
    const { ply } = this.here;
    const end = this.tree.line.length - 1;
    const step = (picture, words, by, disabled) =>
      button(words, icon(picture), () => this.step(by), {
        kind: "icon",
        disabled,
        "aria-label": t(words),
        title: t(words),
      });
    const drop = () => {
      this.tree.dropVariation();
      this.changed();
    };
    const focused = this.steps.contains(document.activeElement);
    this.steps.setAttribute("aria-label", t("steps"));
    fill(
      this.steps,
      step("first", "to.start", -end, ply === 0),
      step("back", "back", -1, ply === 0),
      el("span", { class: "ply" }, `${ply} / ${end}`),
      step("forward", "forward", 1, ply === end),
      step("last", "to.end", end, ply === end),
      this.tree.isOnGame ? null : button("drop", t("drop.variation"), drop, { kind: "quiet" }),
    );
    if (focused && !this.steps.contains(document.activeElement)) this.steps.querySelector("button:enabled")?.focus();
  }

  describe() {
    const { position } = this;
    const state = position.four
      ? t("won", this.sides()[1 - position.turn])
      : position.isOver
        ? t("draw")
        : t("to.move", this.sides()[position.turn]);
    return t("board.label", position.rows, position.cols, state);
  }

  /** How the game ended, and how long the move in front took. */
  factsText() {
    const { outcome } = this.about;
    const facts = [];
    if (outcome && outcome.ending !== "win") {
      const winner = outcome.winner === null ? "" : t("won", this.playerNames()[outcome.winner]);
      facts.push(
        [winner, [t(`ending.${outcome.ending}`), outcome.detail].filter(Boolean).join(": ")]
          .filter(Boolean)
          .join(" · "),
      );
    }
    if (this.here.time_ms !== null && this.here.time_ms !== undefined)
      facts.push(t("took", this.here.ply, number(this.here.time_ms / 1000, 3)));
    return facts.join(" · ");
  }

  settle() {
    settle(this.link(this.whole, this.here.ply));
  }

  /** The keys that Analyse and Review have in common. */
  keys() {
    return {
      column: (column) => this.play(column),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      "<": () => this.step(-999),
      ">": () => this.step(999),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-999),
      End: () => this.step(999),
    };
  }
}

/** An expected line as stones that are not there yet, numbered from 1. */
export function ghosts(position, line) {
  const stones = [];
  let at = position;
  for (const column of (line ?? []).slice(0, GHOSTS)) {
    if (!at.isLegal(column)) break;
    stones.push({ row: at.landing(column), column, player: at.turn, number: stones.length + 1 });
    at = at.play(column);
  }
  return stones;
}
