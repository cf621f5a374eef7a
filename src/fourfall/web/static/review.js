// Owns Review: lets the engine go over a whole game, marks the mistakes, shows what was better and lets one try again.

import { ghosts } from "./analyse.js";
import { el, fill } from "./dom.js";
import { number, t } from "./language.js";
import { positionLink } from "./link.js";
import { recall, remember } from "./memory.js";
import { MARKS } from "./moves.js";
import { announce, complain, queuedText } from "./notice.js";
import { NAMES } from "./rules.js";
import { forFirst, scoreText } from "./scores.js";
import { shareButtons } from "./share.js";
import { badge } from "./stones.js";

const TIMES = [0.1, 0.2, 0.5, 1, 2];
const STEPS = ["inaccuracy", "mistake", "blunder"];

export class Review {
  constructor(app) {
    this.app = app;
    this.study = app.study;
    this.settings = { engine: null, time_s: null, thresholds: null, ...recall("review", {}) };
    this.run = null;
    this.active = false;
    this.panel = el("div", { class: "stack" });
    this.comment = el("div", { class: "stack comment" });
    this.aside = el("div", { class: "stack" });
    this.study.onChange(() => this.active && this.moved());
    app.connection.on("review", (message) => this.arrived(message));
    app.connection.on("queued", (message) => message.what === "review" && this.run && this.wait(message.place));
  }

  get thresholds() {
    return this.settings.thresholds ?? this.app.welcome?.defaults.thresholds ?? { inaccuracy: 0.08, mistake: 0.16, blunder: 0.3 };
  }

  get time() {
    return this.settings.time_s ?? this.app.welcome?.defaults.review_s ?? 0.2;
  }

  get engine() {
    return this.settings.engine ?? this.app.welcome?.defaults.engine ?? "fourfall";
  }

  get result() {
    return this.study.about.review ?? null;
  }

  enter() {
    this.active = true;
    this.study.look = () => this.look();
    this.study.markOf = (node) => this.markOf(node);
    this.study.link = (position, ply) => `#review=${this.study.about.game ?? position.text}${positionLink(position, ply).replace(/^[^&]*/, "")}`;
    this.take(this.result);
    this.render();
    this.study.draw();
    this.moved();
  }

  leave() {
    this.active = false;
    this.study.board.below.replaceChildren();
  }

  reconnected() {
    if (this.run && !this.result?.finished) this.start();
  }

  render() {
    this.study.bar.hidden = false;
    this.study.graph.element.hidden = false;
    this.study.board.below.hidden = true;
    fill(this.aside,
      el("section", { class: "card" }, this.panel),
      el("section", { class: "card tight" }, el("h2", {}, this.app.studyTitle()), this.study.graph.element, this.comment, this.study.moves.element, this.study.facts),
      el("section", { class: "card" }, el("div", { class: "row" },
        el("button", { type: "button", on: { click: () => this.app.analyse() } }, t("analyse.this")),
        el("button", { type: "button", class: "quiet", on: { click: () => this.app.go("games") } }, t("open.other"))),
      shareButtons(() => ({ position: this.study.whole, ply: this.study.here.ply, game: this.study.game }))));
    this.renderPanel();
    this.app.mount("review", this.study.element, this.aside);
  }

  renderPanel() {
    const { result, run } = this;
    const parts = [el("h2", {}, t("review.title"))];
    const empty = this.study.whole.moves.length === 0;
    const start = () => [...this.options(), el("button", { type: "button", class: "primary wide", disabled: empty, dataset: { action: "start-review", keep: "start" }, on: { click: () => this.start() } }, t("review.start"))];
    if (run) parts.push(this.progress());
    else if (!result?.finished) parts.push(start());
    if (empty) parts.push(el("p", { class: "small faint" }, t("review.empty")));
    if (result?.finished) parts.push(this.accuracy(), this.mistakes());
    if (result) parts.push(this.thresholdFields());
    if (result?.finished && !run) parts.push(el("details", {}, el("summary", {}, t("review.again")), el("div", { class: "stack" }, start())));
    fill(this.panel, parts);
  }

  options() {
    const engines = this.app.engines().filter((engine) => !engine.foreign);
    const pick = (change) => {
      Object.assign(this.settings, change);
      remember("review", this.settings);
    };
    return [el("div", { class: "pair" },
      el("label", { class: "field" }, t("engine.which"), el("select", { value: this.engine, on: { change: (event) => pick({ engine: event.target.value }) } }, engines.map(({ name }) => el("option", { value: name }, name)))),
      el("label", { class: "field" }, t("review.time"), el("select", { value: this.time, dataset: { field: "review-time" }, on: { change: (event) => pick({ time_s: Number(event.target.value) }) } }, TIMES.map((time) => el("option", { value: time }, t("seconds", time))))))];
  }

  progress() {
    const { done = 0, total = 0 } = this.run;
    return el("div", { class: "stack" },
      el("label", { class: "field" }, this.run.place ? queuedText(this.run.place) : t("review.progress", done, total || "…"), el("progress", { max: total || 1, value: done })),
      el("div", { class: "row" }, el("button", { type: "button", dataset: { keep: "start" }, on: { click: () => this.cancel() } }, t("stop"))));
  }

  accuracy() {
    const names = this.study.playerNames();
    return el("div", { class: "accuracy" }, this.result.accuracy.map((value, player) => el("div", {}, badge(player), el("span", {}, names[player]),
      el("strong", {}, value === null ? "–" : `${number(value, 1)}${t("percent")}`))), el("p", { class: "small faint" }, t("accuracy")));
  }

  mistakes() {
    const found = this.marked();
    if (!found.length) return el("p", {}, t("review.clean"));
    return el("ul", { class: "mistakes", "aria-label": t("mistakes") }, found.map((node) => el("li", {}, el("button", { type: "button", class: "quiet", dataset: { ply: node.review.ply, mark: this.markOf(node) }, on: { click: () => this.study.go(node) } },
      badge(node.review.player), el("span", {}, t("mistake.line", node.ply, NAMES[node.column])), el("b", { class: this.markOf(node) }, `${MARKS[this.markOf(node)]} ${t(`mark.${this.markOf(node)}`)}`),
      el("span", { class: "faint" }, `−${number(100 * node.review.loss)}${t("percent")}`)))));
  }

  thresholdFields() {
    const field = (step) => el("label", { class: "field" }, `${MARKS[step]} ${t(`mark.${step}`)}`, el("input", { type: "number", min: 1, max: 100, step: 1, value: Math.round(100 * this.thresholds[step]), dataset: { keep: step, threshold: step }, on: { change: (event) => this.setThreshold(step, Number(event.target.value) / 100) } }));
    return el("details", { open: this.thresholdsOpen, on: { toggle: (event) => { this.thresholdsOpen = event.target.open; } } }, el("summary", {}, t("thresholds")), el("p", { class: "small faint" }, t("thresholds.how")), el("div", { class: "row thresholds" }, STEPS.map(field)));
  }

  setThreshold(step, value) {
    if (!(value > 0 && value <= 1)) return this.renderPanel();
    const next = { ...this.thresholds, [step]: value };
    const at = STEPS.indexOf(step);
    STEPS.forEach((name, index) => {
      if (index < at) next[name] = Math.min(next[name], value);
      if (index > at) next[name] = Math.max(next[name], value);
    });
    this.settings.thresholds = next;
    remember("review", this.settings);
    this.renderPanel();
    this.study.draw();
    return this.moved();
  }

  markOf(node) {
    const loss = node.review?.loss;
    if (loss === undefined || node.review.best === node.column) return "";
    return STEPS.findLast((step) => loss >= this.thresholds[step]) ?? "";
  }

  marked() {
    return this.study.tree.game.filter((node) => this.markOf(node));
  }

  start() {
    const { study } = this;
    const line = study.tree.isOnGame ? study.tree.game : study.tree.line;
    const what = study.about.game && study.tree.isOnGame ? { game: study.about.game } : { position: line.at(-1).position.text };
    this.run = { done: 0, total: 0, line };
    this.app.connection.send({ type: "review", ...what, engine: this.engine, time_s: this.time, thresholds: this.thresholds }, {
      patient: true,
      reply: (message) => message.type === "error" && this.failed(message),
    });
    if (this.active) this.renderPanel();
  }

  cancel() {
    this.app.connection.send({ type: "stop_review" });
    this.failed(null);
  }

  failed(error) {
    this.run = null;
    if (error) complain(error);
    if (this.active) this.renderPanel();
  }

  wait(place) {
    this.run.place = place;
    if (this.active) this.renderPanel();
  }

  arrived(message) {
    if (!this.run) return;
    Object.assign(this.run, { done: message.done, total: message.total, place: null });
    this.study.about.review = message;
    this.take(message, this.run.line);
    if (message.finished || message.stopped) {
      this.run = null;
      if (message.finished) announce(t("review.done", this.marked().length));
    }
    if (!this.active) return;
    this.renderPanel();
    this.study.draw();
    this.say();
  }

  /** Put what a review found onto the positions of the game. */
  take(result, line = this.study.tree.game) {
    for (const move of result?.moves ?? []) {
      const node = line[move.ply + 1];
      if (!node || node.column !== move.column) continue;
      node.review = move;
      node.parent.score = forFirst(move.score_before, move.player);
    }
    if (result?.final && line.at(-1)) line.at(-1).score = forFirst(result.final, line.at(-1).position.turn);
  }

  moved() {
    this.study.settle();
    this.say();
  }

  look() {
    const node = this.study.here;
    const better = node.review && this.markOf(node) ? node.review.best : null;
    if (better === null || better === undefined) return {};
    const row = node.parent.position.landing(better);
    return { ghosts: node.position.isFree(row, better) ? [{ row, column: better, player: node.review.player, number: "★" }] : [] };
  }

  /** What the review says of the move that led here. */
  say() {
    const node = this.study.here;
    const found = node.review;
    if (!found) return fill(this.comment);
    const mark = this.markOf(node);
    const name = this.study.playerNames()[found.player];
    const lines = [el("p", {}, badge(found.player), " ", el("b", {}, t("comment.move", name, NAMES[node.column])), " ", mark ? el("b", { class: mark }, `${MARKS[mark]} ${t(`mark.${mark}`)}`) : el("span", { class: "faint" }, t(found.best === found.column ? "comment.best" : "comment.fine")))];
    if (found.best !== found.column) {
      lines.push(el("p", { class: "small" }, t("comment.better", NAMES[found.best], scoreText(found.score_before), scoreText(found.score_after))));
      lines.push(el("div", { class: "row" },
        el("button", { type: "button", dataset: { action: "better" }, on: { click: () => this.showBetter(node) } }, t("better.show")),
        el("button", { type: "button", class: mark ? "primary" : "", dataset: { action: "retry" }, on: { click: () => this.app.playFrom(node.parent.position) } }, t("retry"))));
    }
    return fill(this.comment, lines);
  }

  /** Open the better line as a variation, and stand on its first move. */
  showBetter(node) {
    const { tree } = this.study;
    tree.go(node.parent);
    const line = node.review.line?.length ? node.review.line : [node.review.best];
    for (const { column } of ghosts(node.parent.position, line)) tree.play(column);
    tree.go(node.parent.children.find((child) => child.column === node.review.best));
    this.study.changed();
  }

  keys() {
    return this.study.keys();
  }
}
