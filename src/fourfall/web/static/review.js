// Owns Review: lets the engine go over a whole game, and puts what it finds onto the moves.

import { el, fill } from "./dom.js";
import { button } from "./fields.js";
import { t } from "./language.js";
import { positionLink } from "./link.js";
import { recall, remember } from "./memory.js";
import { announce, complain } from "./notice.js";
import { moveWords, reviewPanel } from "./review_panel.js";
import { forFirst } from "./scores.js";
import { shareButtons } from "./share.js";
import { ghosts } from "./study.js";

const STEPS = ["inaccuracy", "mistake", "blunder"];
const THRESHOLDS = { inaccuracy: 0.08, mistake: 0.16, blunder: 0.3 };

export class Review {
  constructor(app) {
    this.app = app;
    this.study = app.study;
    this.settings = { engine: null, time_s: null, thresholds: null, ...recall("review", {}) };
    this.run = null;
    this.active = false;
    this.thresholdsOpen = false;
    this.panel = el("section", { class: "card" });
    this.comment = el("div", { class: "stack comment" });
    this.aside = el("div", { class: "stack" });
    this.study.onChange(() => this.active && this.moved());
    app.connection.on("review", (message) => this.arrived(message));
    app.connection.on("queued", (message) => message.what === "review" && this.run && this.wait(message.place));
  }

  get thresholds() {
    return this.settings.thresholds ?? this.app.welcome?.defaults.thresholds ?? THRESHOLDS;
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
    const { study } = this;
    this.active = true;
    study.look = () => this.look();
    study.markOf = (node) => this.markOf(node);
    study.link = (position, ply) => {
      const at = ply === position.moves.length ? "" : `&ply=${ply}`;
      return study.game ? `#review=${study.game}${at}` : `#review=${positionLink(position, ply).slice(1)}`;
    };
    this.take(this.result);
    this.render();
    study.draw();
    this.moved();
  }

  leave() {
    this.active = false;
  }

  /** After a break of the connection: what was not finished begins again. */
  reconnected() {
    if (this.run) this.start();
  }

  render() {
    const { study, app } = this;
    study.bar.hidden = false;
    study.graph.element.hidden = false;
    study.board.below.hidden = true;
    const ways = [
      button("analyse", t("analyse.this"), () => app.analyse()),
      button("other", t("open.other"), () => app.go("games"), { kind: "quiet" }),
    ];
    const share = shareButtons(() => ({ position: study.whole, ply: study.here.ply, game: study.game }));
    fill(
      this.aside,
      this.panel,
      study.card(app.studyTitle(), this.comment),
      el("section", { class: "card" }, el("div", { class: "row" }, ways), share),
    );
    this.renderPanel();
    this.say();
    app.mount("review", study.element, this.aside);
  }

  renderPanel() {
    fill(this.panel, reviewPanel(this));
  }

  choose(change) {
    Object.assign(this.settings, change);
    remember("review", this.settings);
  }

  /** Move one threshold, and the others with it where they would get out of order. */
  setThreshold(step, value) {
    if (value > 0 && value <= 1) {
      const thresholds = { ...this.thresholds, [step]: value };
      STEPS.forEach((name, index) => {
        if (index < STEPS.indexOf(step)) thresholds[name] = Math.min(thresholds[name], value);
        else thresholds[name] = Math.max(thresholds[name], value);
      });
      thresholds[step] = value;
      this.choose({ thresholds });
    }
    this.renderPanel();
    this.study.draw();
    this.say();
  }

  /** How bad a move was, by the thresholds as they stand now. */
  markOf(node) {
    const { review } = node;
    if (!review || review.best === node.column) return "";
    return STEPS.findLast((step) => review.loss >= this.thresholds[step]) ?? "";
  }

  marked() {
    return this.study.tree.game.filter((node) => this.markOf(node));
  }

  start() {
    const { study } = this;
    const line = study.tree.isOnGame ? study.tree.game : study.tree.line;
    const what = study.game ? { game: study.game } : { position: line.at(-1).position.text };
    const how = { engine: this.engine, time_s: this.time, thresholds: this.thresholds };
    this.run = { done: 0, total: 0, place: null, line };
    const reply = (message) => message.type === "error" && this.failed(message);
    this.run.ref = this.app.connection.send({ type: "review", ...what, ...how }, { patient: true, reply });
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
    if (!this.run || message.ref !== this.run.ref) return;
    const { line } = this.run;
    Object.assign(this.run, { done: message.done, total: message.total, place: null });
    if (line[0] === this.study.tree.root) {
      this.study.about.review = message;
      this.take(message, line);
    }
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
      if (node?.column !== move.column) continue;
      node.review = move;
      node.parent.score = forFirst(move.score_before, move.player);
    }
    const last = line.at(-1);
    if (result?.final) last.score = forFirst(result.final, last.position.turn);
  }

  moved() {
    this.study.settle();
    this.say();
  }

  /** The better move as a ghost beside the one that was played. */
  look() {
    const node = this.study.here;
    if (!this.markOf(node)) return {};
    const { best, player } = node.review;
    const row = node.parent.position.landing(best);
    return node.position.isFree(row, best) ? { ghosts: [{ row, column: best, player, number: "★" }] } : {};
  }

  say() {
    fill(this.comment, moveWords(this, this.study.here));
  }

  /** Open the better line as a variation, and stand on its first move. */
  showBetter(node) {
    const { tree } = this.study;
    const { best, line } = node.review;
    tree.go(node.parent);
    for (const { column } of ghosts(node.parent.position, line?.[0] === best ? line : [best])) tree.play(column);
    tree.go(node.parent.children.find((child) => child.column === best));
    this.study.changed();
  }

  keys() {
    return this.study.keys();
  }
}
