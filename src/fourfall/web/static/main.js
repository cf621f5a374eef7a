// Owns the page as a whole: starts the parts, follows the address, and carries on after a break of the connection.

import { Analyse } from "./analyse.js";
import { ask } from "./api.js";
import { Connection } from "./connection.js";
import { el, fill, icon } from "./dom.js";
import { Games } from "./games.js";
import { listenToKeys, showKeys } from "./keys.js";
import { apply, language, onLanguage, setLanguage, t } from "./language.js";
import { readLink, VIEWS } from "./link.js";
import { announce, complain, notify } from "./notice.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { Position } from "./rules.js";
import { copyLink } from "./share.js";
import { Study } from "./study.js";
import { Watch } from "./watch.js";

class App {
  constructor() {
    this.welcome = null;
    this.lost = false;
    this.connection = new Connection((state) => this.connected(state));
    this.connection.on("welcome", (message) => this.welcomed(message));
    this.connection.on("error", complain);
    this.study = new Study();
    this.views = {
      play: new Play(this),
      analyse: new Analyse(this),
      review: new Review(this),
      watch: new Watch(this),
      games: new Games(this),
    };
    this.current = null;
    addEventListener("hashchange", () => this.follow());
    listenToKeys(
      () => ({ ...this.views[this.current].keys(), l: () => this.copy() }),
      (view) => this.go(view),
    );
    document.getElementById("language").addEventListener("click", () => setLanguage(language() === "en" ? "zh" : "en"));
    document.getElementById("theme").addEventListener("click", () => {
      window.switchTheme();
      this.chrome();
    });
    document.getElementById("keys").addEventListener("click", showKeys);
    onLanguage(() => this.reworded());
    apply();
    this.follow();
  }

  /** Bring the view in front that the address names. */
  async follow() {
    const link = readLink(location.hash);
    if (location.hash === "#main") return;
    if (link.broken) notify(t("broken.link"));
    if (link.position) this.study.find(link.position, link.ply) || this.study.load(link.position, { ply: link.ply });
    else if ((link.view === "analyse" || link.view === "review") && link.what) await this.fetch(link.what, link.ply);
    else if (link.view === "analyse" || link.view === "review") this.takeUpGame();
    this.enter(link.view, link.what);
  }

  /** Where nothing is under study yet, take the game that is being played. */
  takeUpGame() {
    const { play } = this.views;
    if (this.study.isUntouched && play.game) this.study.load(play.about().position, { about: play.about().about });
  }

  enter(view, what = null) {
    if (this.current) this.views[this.current].leave();
    this.current = view;
    this.chrome();
    this.views[view].enter(what);
  }

  go(fragment) {
    if (location.hash === `#${fragment}`) this.follow();
    else location.hash = `#${fragment}`;
  }

  /** Take up a stored game in the study. */
  async fetch(id, ply) {
    if (this.study.about.game === id && ply === null) return;
    try {
      const game = await ask(`/api/games/${encodeURIComponent(id)}`);
      const { names, scores, review, times_ms, outcome } = game;
      const about = { game: id, names, scores, review, times_ms, outcome };
      this.study.load(Position.parse(game.position), { ply, about });
    } catch (error) {
      complain(error);
    }
  }

  /** Open a game in Analyse, or what is under study already. */
  analyse(what = null) {
    if (what) this.study.load(what.position, { about: what.about });
    this.move("analyse");
  }

  /** Open a game in Review and begin at once. */
  review(what = null) {
    if (what) this.study.load(what.position, { about: what.about });
    this.move("review");
    if (!this.study.about.review?.finished && this.study.whole.moves.length) this.views.review.start();
  }

  playFrom(position) {
    const { names } = this.study.about;
    this.views.play.from(position, names?.[1 - position.turn]);
    this.move("play");
  }

  /** Change the view without reading the address: what is shown is here already. */
  move(view) {
    history.pushState(null, "", `#${view}`);
    this.enter(view);
    document.getElementById("main").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  studyTitle() {
    return this.study.about.names ? this.study.playerNames().join(" – ") : t("moves");
  }

  engines() {
    return this.welcome?.engines ?? [{ name: "fourfall" }];
  }

  mount(view, left, aside) {
    const main = document.getElementById("main");
    const heading = el("h1", { class: "unseen" }, t(view));
    if (main.dataset.view === view && main.children[1] === left && main.children[2] === aside)
      main.firstElementChild.replaceWith(heading);
    else main.replaceChildren(heading, left, aside);
    main.dataset.view = view;
    aside.classList.add("aside");
  }

  /** Header, title and what else stands outside the views. */
  chrome() {
    fill(
      document.getElementById("nav"),
      VIEWS.map((view) =>
        el(
          "a",
          { href: `#${view}`, "aria-current": view === this.current ? "page" : null, dataset: { keep: view } },
          t(view),
        ),
      ),
    );
    document.getElementById("nav").setAttribute("aria-label", t("views"));
    document.title = `${t(this.current)} · Fourfall`;
    const other = document.getElementById("language");
    fill(other, language() === "en" ? "中文" : "English");
    other.lang = language() === "en" ? "zh-Hans" : "en";
    const dark = document.documentElement.dataset.theme === "dark";
    const theme = document.getElementById("theme");
    fill(theme, icon(dark ? "sun" : "moon"));
    for (const [id, words] of [
      ["theme", dark ? "theme.light" : "theme.dark"],
      ["keys", "keys.title"],
    ]) {
      document.getElementById(id).setAttribute("aria-label", t(words));
      document.getElementById(id).title = t(words);
    }
  }

  reworded() {
    document.getElementById("announcer").replaceChildren();
    notify("");
    this.chrome();
    const view = this.views[this.current];
    view.render();
    if (view.study) this.study.draw();
  }

  copy() {
    const play = this.views.play;
    if (this.current === "play")
      copyLink({
        position: play.position ?? play.setup.position,
        ply: (play.position ?? play.setup.position).moves.length,
      });
    else copyLink({ position: this.study.whole, ply: this.study.here.ply });
  }

  connected(state) {
    if (state === "lost") {
      delete document.body.dataset.connected;
      if (!this.lost) notify(t("lost"), { lasting: true });
      this.lost = true;
    } else if (this.lost) {
      this.lost = false;
      notify(t("back.again"));
      announce(t("back.again"));
      for (const view of Object.values(this.views)) view.reconnected();
    }
  }

  /** The server said what it can do; what needed to know is drawn again. */
  welcomed(message) {
    const first = this.welcome === null;
    this.welcome = message;
    if (first && this.current) this.views[this.current].render();
    if (first && this.current === "analyse") this.views.analyse.ask();
    document.body.dataset.connected = "";
  }
}

window.fourfall = new App();
