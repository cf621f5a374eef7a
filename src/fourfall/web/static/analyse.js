// Owns Analyse: asks the engine about the position in front, and shows its answers while they come.

import { el, fill } from "./dom.js";
import { BUDGETS, engineControls, engineWords } from "./engine_card.js";
import { button, checkbox } from "./fields.js";
import { t } from "./language.js";
import { positionLink } from "./link.js";
import { recall, remember } from "./memory.js";
import { notify } from "./notice.js";
import { forFirst } from "./scores.js";
import { shareButtons } from "./share.js";
import { Sketch } from "./sketch.js";
import { ghosts } from "./study.js";
import { valueCells } from "./values.js";

const PAUSE_MS = 90;
const SHOWN = { values: true, bar: true, line: true, figures: true, graph: true, blue: false, orange: false };

export class Analyse {
  constructor(app) {
    this.app = app;
    this.study = app.study;
    this.settings = { on: true, engine: null, budget: "5s", ...recall("analyse", {}) };
    this.settings.show = { ...SHOWN, ...this.settings.show };
    this.counter = 0;
    this.asked = null;
    this.queued = null;
    this.running = false;
    this.active = false;
    this.said = el("div", { class: "said", role: "group" });
    this.controls = el("div", { class: "stack" });
    this.extras = el("div", { class: "stack" });
    this.aside = el("div", { class: "stack" });
    this.sketch = new Sketch(app, () => this.active && this.study.drawScores());
    this.study.onChange(() => this.active && this.moved());
    app.connection.on("analysis", (message) => this.arrived(message));
    app.connection.on("queued", (message) => this.isMine(message) && this.wait(message.place));
  }

  enter() {
    this.active = true;
    this.study.look = () => this.look();
    this.study.markOf = (node) => this.app.views.review.markOf(node);
    this.study.link = positionLink;
    this.render();
    this.study.draw();
    this.moved();
  }

  leave() {
    this.active = false;
    this.stop();
    this.sketch.stop();
    this.study.board.below.replaceChildren();
  }

  /** After a break of the connection: ask again. */
  reconnected() {
    if (this.active) this.ask();
  }

  render() {
    const { study, app } = this;
    fill(this.controls, engineControls(this));
    fill(
      this.extras,
      this.switches(),
      el(
        "div",
        { class: "row" },
        button("review", t("review.this"), () => app.review(), { kind: "primary" }),
        button("play-on", t("play.here"), () => app.playFrom(study.position), { disabled: study.position.isOver }),
      ),
      shareButtons(() => ({ position: study.whole, ply: study.here.ply, game: study.game })),
    );
    fill(
      this.aside,
      el("section", { class: "card" }, this.controls, this.said),
      study.card(app.studyTitle()),
      el("section", { class: "card" }, this.extras),
    );
    app.mount("analyse", study.element, this.aside);
    this.arrange();
    this.say();
  }

  switches() {
    const { show } = this.settings;
    const open = { open: recall("shown", false), on: { toggle: (event) => remember("shown", event.target.open) } };
    const boxes = Object.keys(SHOWN).map((part) =>
      checkbox({ label: t(`show.${part}`), checked: show[part], field: part, pick: (on) => this.toggle(part, on) }),
    );
    return el(
      "details",
      { class: "shown", ...open },
      el("summary", {}, t("show")),
      el("div", { class: "checks" }, boxes),
    );
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
    this.study.draw();
  }

  toggle(part, on) {
    this.settings.show[part] = on;
    remember("analyse", this.settings);
    this.arrange();
    this.showValues();
    this.study.draw();
    this.say();
  }

  arrange() {
    const { show, on } = this.settings;
    this.study.bar.hidden = !show.bar;
    this.study.graph.element.hidden = !show.graph;
    this.study.board.below.hidden = !show.values;
    this.said.hidden = !on;
  }

  look() {
    const { show, on } = this.settings;
    const analysis = on ? this.study.here.analysis : null;
    const threats = [show.blue ? 0 : null, show.orange ? 1 : null].filter((player) => player !== null);
    return { threats, ghosts: show.line && analysis ? ghosts(this.study.position, analysis.line) : [] };
  }

  /** The position in front changed: show what is known of it, ask for more a moment later. */
  moved() {
    this.study.settle();
    this.showValues();
    clearTimeout(this.timer);
    this.running = false;
    this.queued = null;
    this.timer = setTimeout(() => this.active && this.ask(), PAUSE_MS);
    if (this.settings.on && this.settings.show.graph) this.sketch.begin(this.study.tree);
    this.say();
  }

  ask() {
    const { position, analysis } = this.study.here;
    const { on, budget } = this.settings;
    const question = `${this.engine} ${budget}`;
    if (!on || position.isOver || (analysis?.done && analysis.question === question)) {
      this.stop(true);
      return;
    }
    this.counter += 1;
    this.question = question;
    this.asked = this.study.here;
    const limits = { time_s: null, ...BUDGETS[budget] };
    const message = { type: "analyse", position: position.text, engine: this.engine, key: String(this.counter) };
    this.running = this.app.connection.send({ ...message, ...limits }) !== null;
    this.say();
  }

  /** End the search that runs; `always` also one that a newer position has made useless. */
  stop(always = false) {
    clearTimeout(this.timer);
    if (this.running || (always && this.asked)) this.app.connection.send({ type: "stop" });
    this.asked = null;
    this.running = false;
    this.queued = null;
  }

  isMine(message) {
    return this.asked !== null && message.key === String(this.counter);
  }

  arrived(message) {
    if (!this.isMine(message)) return;
    this.queued = null;
    const node = this.asked;
    node.analysis = { ...message, question: this.question };
    if (message.columns.length || message.score.proof) node.score = forFirst(message.score, node.position.turn);
    if (message.done) this.running = false;
    if (!this.active || node !== this.study.here) return;
    this.showValues();
    this.study.redraw();
    this.say();
  }

  wait(place) {
    this.queued = place;
    this.say();
  }

  showValues() {
    const { position, analysis } = this.study.here;
    const { on, show } = this.settings;
    this.study.board.below.replaceChildren(...valueCells(on && show.values ? analysis : null, position.cols));
  }

  say() {
    const { show } = this.settings;
    this.said.setAttribute("aria-busy", String(this.running));
    fill(this.said, engineWords(this.study.here, { sides: this.study.sides(), show, queued: this.queued }));
  }

  toggleThreats() {
    const on = !(this.settings.show.blue && this.settings.show.orange);
    this.settings.show.blue = on;
    this.toggle("orange", on);
    this.render();
    notify(t(on ? "threats.on" : "threats.off"));
  }

  keys() {
    return { ...this.study.keys(), e: () => this.flip(), t: () => this.toggleThreats() };
  }
}
