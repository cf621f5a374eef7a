// Owns Analyse: asks the engine about the position in front, and shows its answers while they come.

import { el, fill } from "./dom.js";
import { compact, number, t } from "./language.js";
import { positionLink } from "./link.js";
import { recall, remember } from "./memory.js";
import { notify, queuedText } from "./notice.js";
import { NAMES } from "./rules.js";
import { forFirst, verdict } from "./scores.js";
import { shareButtons } from "./share.js";
import { valueCells } from "./values.js";

const PAUSE_MS = 90;
const GHOSTS = 8;
const BUDGETS = { "1s": { time_s: 1 }, "5s": { time_s: 5 }, "20s": { time_s: 20 }, endless: { time_s: null }, "10k": { nodes: 10_000 }, "100k": { nodes: 100_000 }, "1M": { nodes: 1_000_000 } };
const PARTS = ["values", "bar", "line", "figures", "graph", "blue", "orange"];
const DEFAULTS = { values: true, bar: true, line: true, figures: true, graph: true, blue: false, orange: false };

export class Analyse {
  constructor(app) {
    this.app = app;
    this.study = app.study;
    this.settings = { on: true, engine: null, budget: "5s", show: {}, ...recall("analyse", {}) };
    this.settings.show = { ...DEFAULTS, ...this.settings.show };
    this.counter = 0;
    this.queued = null;
    this.running = false;
    this.active = false;
    this.said = el("div", { class: "said", role: "group" });
    this.controls = el("div", { class: "stack" });
    this.extras = el("div", { class: "stack" });
    this.aside = el("div", { class: "stack" });
    this.study.onChange(() => this.active && this.moved());
    app.connection.on("analysis", (message) => this.arrived(message));
    app.connection.on("queued", (message) => message.what === "analysis" && message.key === String(this.counter) && this.wait(message.place));
  }

  enter() {
    this.active = true;
    this.study.look = () => this.look();
    this.study.markOf = (node) => node.review?.mark ?? "";
    this.study.link = positionLink;
    this.render();
    this.study.draw();
    this.moved();
  }

  leave() {
    this.active = false;
    this.stop();
    this.study.board.below.replaceChildren();
  }

  /** After a break of the connection: ask again. */
  reconnected() {
    if (this.active) this.ask();
  }

  render() {
    const { show } = this.settings;
    fill(this.controls,
      el("div", { class: "row spread" }, el("h2", {}, t("engine.title")), this.switch()),
      el("div", { class: "pair" },
        el("label", { class: "field" }, t("engine.which"), this.enginePicker()),
        el("label", { class: "field" }, t("engine.budget"), this.budgetPicker())));
    fill(this.extras,
      el("details", { class: "shown", open: recall("shown", false), on: { toggle: (event) => remember("shown", event.target.open) } },
        el("summary", {}, t("show")),
        el("div", { class: "checks" }, PARTS.map((part) => el("label", { class: "check" },
          el("input", { type: "checkbox", checked: show[part], dataset: { keep: part }, on: { change: (event) => this.toggle(part, event.target.checked) } }), t(`show.${part}`))))),
      el("div", { class: "row" },
        el("button", { type: "button", class: "primary", dataset: { action: "review" }, on: { click: () => this.app.review() } }, t("review.this")),
        el("button", { type: "button", dataset: { action: "play-on" }, on: { click: () => this.app.playFrom(this.study.position) } }, t("play.here"))),
      shareButtons(() => ({ position: this.study.whole, ply: this.study.here.ply, game: this.study.game })));
    fill(this.aside,
      el("section", { class: "card" }, this.controls, this.said),
      el("section", { class: "card tight" }, el("h2", {}, this.app.studyTitle()), this.study.graph.element, this.study.moves.element, this.study.facts),
      el("section", { class: "card" }, this.extras));
    this.app.mount("analyse", this.study.element, this.aside);
    this.arrange();
    this.say();
  }

  switch() {
    const on = this.settings.on;
    return el("button", { type: "button", "aria-pressed": String(on), dataset: { keep: "switch", action: "engine" }, on: { click: () => this.flip() } }, t(on ? "engine.on" : "engine.off"));
  }

  enginePicker() {
    const names = this.app.engines().filter((engine) => !engine.foreign).map((engine) => engine.name);
    return el("select", { value: this.engine, dataset: { keep: "engine", field: "engine" }, on: { change: (event) => this.choose({ engine: event.target.value }) } }, names.map((name) => el("option", { value: name }, name)));
  }

  budgetPicker() {
    return el("select", { value: this.settings.budget, dataset: { keep: "budget", field: "budget" }, on: { change: (event) => this.choose({ budget: event.target.value }) } }, Object.keys(BUDGETS).map((name) => el("option", { value: name }, t(`budget.${name}`))));
  }

  get engine() {
    return this.settings.engine ?? this.app.welcome?.defaults.engine ?? "fourfall";
  }

  choose(change) {
    Object.assign(this.settings, change);
    remember("analyse", this.settings);
    this.study.here.analysis = null;
    this.moved();
  }

  flip() {
    this.choose({ on: !this.settings.on });
    if (!this.settings.on) this.stop();
    this.render();
  }

  toggle(part, on) {
    this.settings.show[part] = on;
    remember("analyse", this.settings);
    this.arrange();
    this.study.draw();
    this.say();
  }

  arrange() {
    const { show, on } = this.settings;
    this.study.bar.hidden = !show.bar;
    this.study.graph.element.hidden = !show.graph;
    this.said.hidden = !on;
    this.study.board.below.hidden = !show.values;
  }

  look() {
    const { show, on } = this.settings;
    const analysis = on ? this.study.here.analysis : null;
    return { threats: [show.blue && 0, show.orange && 1].filter((player) => player !== false), ghosts: show.line && analysis ? ghosts(this.study.position, analysis.line) : [] };
  }

  /** The position in front changed: show what is known of it, ask for more a moment later. */
  moved() {
    this.study.settle();
    this.showAnalysis();
    clearTimeout(this.timer);
    this.running = false;
    this.queued = null;
    this.timer = setTimeout(() => this.active && this.ask(), PAUSE_MS);
    this.say();
  }

  ask() {
    const { position, analysis } = this.study.here;
    const question = `${this.engine} ${this.settings.budget}`;
    if (!this.settings.on || position.isOver || (analysis?.done && analysis.question === question)) return this.stop();
    this.counter += 1;
    this.question = question;
    this.asked = this.study.here;
    const budget = { time_s: null, ...BUDGETS[this.settings.budget] };
    this.running = this.app.connection.send({ type: "analyse", position: position.text, engine: this.engine, key: String(this.counter), ...budget });
    return this.running;
  }

  stop() {
    clearTimeout(this.timer);
    if (this.running) this.app.connection.send({ type: "stop" });
    this.running = false;
    this.queued = null;
  }

  arrived(message) {
    if (message.key !== String(this.counter) || !this.asked) return;
    this.queued = null;
    const node = this.asked;
    node.analysis = { ...message, question: this.question };
    if (message.columns.length || message.score.proof) node.score = forFirst(message.score, node.position.turn);
    if (message.done) this.running = false;
    if (!this.active || node !== this.study.here) return;
    this.showAnalysis();
    this.study.board.show(this.study.position, { playable: !this.study.position.isOver, ...this.look(), still: true });
    this.study.drawScores();
    this.say();
  }

  wait(place) {
    this.queued = place;
    this.say();
  }

  showAnalysis() {
    const { position, analysis } = this.study.here;
    const shown = this.settings.on && this.settings.show.values ? analysis : null;
    this.study.board.below.replaceChildren(...valueCells(shown, position.cols));
  }

  /** The words beside the board: verdict, expected line, what it cost. */
  say() {
    const { analysis, position } = this.study.here;
    const { show } = this.settings;
    const names = this.study.sides();
    const lines = [];
    if (position.isOver) lines.push(el("p", { class: "verdict" }, position.four ? t("won", names[1 - position.turn]) : t("draw")));
    else if (analysis) lines.push(el("p", { class: "verdict" }, verdict(forFirst(analysis.score, position.turn), names)));
    else lines.push(el("p", { class: "verdict faint" }, this.queued ? "" : t("engine.waiting")));
    if (this.queued) lines.push(el("p", { class: "small" }, queuedText(this.queued)));
    if (analysis && show.line && analysis.line?.length) lines.push(el("p", { class: "small code" }, el("span", { class: "faint" }, `${t("line")} `), analysis.line.map((column) => NAMES[column]).join(" ")));
    if (analysis && show.figures) lines.push(el("p", { class: "small faint figures" }, t("figures", compact(analysis.nodes), compact(analysis.speed), analysis.depth, number(analysis.seconds, 1))));
    this.said.setAttribute("aria-busy", String(this.running));
    fill(this.said, lines);
  }

  keys() {
    const threats = () => {
      const on = !(this.settings.show.blue && this.settings.show.orange);
      this.settings.show.blue = on;
      this.toggle("orange", on);
      this.render();
      notify(t(on ? "threats.on" : "threats.off"));
    };
    return { ...this.study.keys(), e: () => this.flip(), t: threats };
  }
}

/** The expected line as stones that are not there yet, numbered from 1. */
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
