// The page: creates the connection and the views, shows the view that the address names, handles reconnects.

import { requestJson } from "./model/api.js";
import { Connection } from "./model/connection.js";
import { onPerspectiveChange } from "./model/perspective.js";
import { Position } from "./model/position.js";
import { QuickReview } from "./model/quick_review.js";
import { parseFragment, VIEWS } from "./model/routes.js";
import { findTree } from "./model/stored_trees.js";
import { createIcon, el, getById, replaceContent } from "./ui/dom.js";
import { GameViewer } from "./ui/game_viewer.js";
import { showHelp } from "./ui/help.js";
import { completeInterruptedClicks } from "./ui/interrupted_clicks.js";
import { announce, hideNotification, showError, showNotification } from "./ui/notifications.js";
import { copyLink } from "./ui/share.js";
import { listenForShortcuts } from "./ui/shortcuts.js";
import { AnalyseView } from "./views/analyse.js";
import { GamesView } from "./views/games.js";
import { LearnView } from "./views/learn.js";
import { PlayView } from "./views/play.js";
import { ReviewView } from "./views/review.js";
import { WatchView } from "./views/watch.js";
import { applyLanguage, getLanguage, onLanguageChange, switchLanguage, t } from "./words/language.js";

/** @import { ApiError } from "./model/api.js" */
/** @import { EngineInfo, GameDetails, WelcomeReply } from "./model/messages.d.ts" */
/** @import { ViewName } from "./model/routes.js" */
/** @import { GameInfo } from "./ui/game_viewer.js" */
/** @import { Shortcuts } from "./ui/shortcuts.js" */

/** @typedef {{position: Position, info: GameInfo}} OpenedGame */

export class App {
  constructor() {
    /** What the server can do; null before the first connection. @type {WelcomeReply | null} */
    this.welcome = null;
    this.isConnectionLost = false;
    this.connection = new Connection((state) => this.handleConnectionState(state));
    this.connection.on("welcome", (message) => this.receiveWelcome(message));
    this.connection.on("error", showError);
    this.viewer = new GameViewer();
    this.quickReview = new QuickReview(this);
    this.views = {
      play: new PlayView(this),
      analyse: new AnalyseView(this),
      review: new ReviewView(this),
      learn: new LearnView(this),
      watch: new WatchView(this),
      games: new GamesView(this),
    };
    /** @type {ViewName | null} */
    this.currentView = null;
    /** Number of changes of address and view; what was loaded for an earlier one is not shown. */
    this.navigationCounter = 0;
    addEventListener("hashchange", () => this.followAddress());
    listenForShortcuts(
      () => this.getShortcuts(),
      (view) => this.open(view),
    );
    completeInterruptedClicks();
    getById("language").addEventListener("click", switchLanguage);
    getById("theme").addEventListener("click", () => {
      window.switchTheme();
      this.renderHeader();
    });
    getById("shortcuts").addEventListener("click", showHelp);
    onLanguageChange(() => this.handleLanguageChange());
    onPerspectiveChange(() => this.renderView());
    applyLanguage();
    this.followAddress();
  }

  /** Show what the fragment of the address names. */
  async followAddress() {
    if (location.hash === "#main") return; // the skip link
    const { view, position, argument = null, line = null, ply, isBroken } = parseFragment(location.hash);
    this.navigationCounter += 1;
    const { navigationCounter } = this;
    if (isBroken) showNotification(t("link.invalid"));
    const stored = findTree(location.hash);
    if (position && view === "play") {
      if (!(await this.views.play.setUpFrom(position))) return;
    } else if (stored) {
      await this.views.analyse.workbench.openStored(stored);
    } else if (position) {
      const shown = this.getShownGame();
      const info = shown?.position.notation === position.notation ? shown.info : {};
      if (!this.viewer.selectIfKnown(position, ply)) this.viewer.load(position, { ply, info });
    } else if (view === "analyse" || view === "review") {
      if (argument) await this.loadGame(argument, line, ply);
      else this.loadShownGame();
    }
    if (navigationCounter === this.navigationCounter) this.showView(view, argument);
  }

  /**
   * @param {ViewName} view
   * @param {string | null} [argument]
   */
  showView(view, argument = null) {
    if (this.currentView) this.views[this.currentView].leave();
    this.currentView = view;
    this.renderHeader();
    this.views[view].enter(argument);
  }

  /**
   * Show what a fragment names. The event `hashchange` would come later: until then the old view could change the address.
   * @param {string} fragment without `#`
   */
  open(fragment) {
    if (location.hash !== `#${fragment}`) history.pushState(null, "", `#${fragment}`);
    this.followAddress();
  }

  /**
   * Load a stored game from the server into the viewer and select a position of it. Nothing changes if the user has
   * opened something else meanwhile.
   * @param {string} gameId
   * @param {string | null} line the moves of a variation
   * @param {number | null} ply
   */
  async loadGame(gameId, line, ply) {
    const { viewer, navigationCounter } = this;
    const isLoaded = viewer.info.gameId === gameId;
    if (isLoaded && line === null && ply === null) return;
    try {
      if (!isLoaded || !gameId.startsWith("a")) {
        /** @type {GameDetails} */
        const game = await requestJson(`/api/games/${encodeURIComponent(gameId)}`);
        if (navigationCounter !== this.navigationCounter) return;
        const { names, scores, review, times_ms, outcome, event, event_name } = game;
        const info = { gameId, names, scores, review, times_ms, outcome, event, event_name };
        viewer.load(Position.fromServer(game.position), { info });
      }
      if (line !== null || ply !== null) viewer.selectLine(line, ply);
    } catch (error) {
      showError(/** @type {ApiError} */ (error));
    }
  }

  /** The game that the current view shows, if it is not the one in the viewer. @returns {OpenedGame | null} */
  getShownGame() {
    const view = this.currentView && this.views[this.currentView];
    return view && "getOpenedGame" in view ? view.getOpenedGame() : null;
  }

  /** Load the game that the current view shows into the viewer; the same game keeps its variations. */
  loadShownGame() {
    const { viewer } = this;
    const game = this.getShownGame();
    if (!game) {
      if (viewer.isEmpty) this.loadIntoViewer(this.views.play.getOpenedGame());
    } else if (viewer.info.gameId !== game.info.gameId || !viewer.selectIfKnown(game.position, null)) {
      this.loadIntoViewer(game);
    }
  }

  /** @param {OpenedGame | null} game */
  loadIntoViewer(game) {
    if (game) this.viewer.load(game.position, { info: game.info });
  }

  /** @param {OpenedGame | null} [game] null opens the game that the viewer shows */
  openAnalyse(game = null) {
    this.loadIntoViewer(game);
    this.switchView("analyse");
  }

  /**
   * Open Review and start a review unless there is a finished one.
   * @param {OpenedGame | null} [game] null opens the game that the viewer shows
   */
  openReview(game = null) {
    this.loadIntoViewer(game);
    this.switchView("review");
    const hasMoves = this.viewer.lastPosition.moves.length > 0;
    if (hasMoves && !this.viewer.info.review?.finished) this.views.review.start();
  }

  /**
   * Open the set-up of a game that continues from a position. If a game is running, the user may choose to keep it.
   * @param {Position} position
   */
  async playFrom(position) {
    const opponent = this.viewer.info.names?.[position.opponent];
    if (await this.views.play.setUpFrom(position, opponent)) this.switchView("play");
  }

  /**
   * Change the view without following the address: the viewer has the game already.
   * @param {ViewName} view
   */
  switchView(view) {
    this.navigationCounter += 1;
    history.pushState(null, "", `#${view}`);
    this.showView(view);
    getById("main").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  getViewerTitle() {
    return this.viewer.info.names ? this.viewer.getPlayerNames().join(" – ") : t("move.list");
  }

  /** @returns {EngineInfo[]} */
  get engines() {
    return this.welcome?.engines ?? [{ name: "fourfall" }];
  }

  /**
   * Show the two parts of a view in the page.
   * @param {ViewName} view
   * @param {HTMLElement} main
   * @param {HTMLElement} sidebar
   */
  mount(view, main, sidebar) {
    const container = getById("main");
    const heading = el("h1", { class: "visually-hidden" }, t(`view.${view}`));
    const [oldHeading, oldMain, oldSidebar] = container.children;
    if (oldHeading && oldMain === main && oldSidebar === sidebar) oldHeading.replaceWith(heading);
    else container.replaceChildren(heading, main, sidebar);
    container.dataset.view = view;
    sidebar.classList.add("sidebar");
  }

  renderHeader() {
    const links = VIEWS.map((view) => {
      const current = view === this.currentView ? "page" : null;
      return el("a", { href: `#${view}`, "aria-current": current, dataset: { focusKey: view } }, t(`view.${view}`));
    });
    replaceContent(getById("nav"), links);
    getById("nav").setAttribute("aria-label", t("view.list"));
    document.title = `${t(`view.${this.currentView}`)} · Fourfall`;
    const isEnglish = getLanguage() === "en";
    getById("language").textContent = isEnglish ? "中文" : "English";
    getById("language").lang = isEnglish ? "zh-Hans" : "en";
    const isDark = document.documentElement.dataset.theme === "dark";
    replaceContent(getById("theme"), createIcon(isDark ? "sun" : "moon"));
    setLabel(getById("theme"), t(isDark ? "theme.light" : "theme.dark"));
    setLabel(getById("shortcuts"), t("help.title"));
  }

  handleLanguageChange() {
    getById("announcements").replaceChildren();
    hideNotification();
    this.renderHeader();
    this.renderView();
  }

  /** Draw the current view again, in another language or for another perspective. */
  renderView() {
    if (!this.currentView) return;
    this.views[this.currentView].render();
    if (this.currentView === "analyse" || this.currentView === "review") this.viewer.draw();
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    const { playColumn, keys } = this.views[this.currentView ?? "play"].getShortcuts();
    return { playColumn, keys: { ...keys, l: () => this.copyCurrentLink() } };
  }

  copyCurrentLink() {
    const { shownPosition } = this.views.play;
    if (this.currentView === "play") copyLink({ position: shownPosition, ply: shownPosition.moves.length });
    else copyLink({ position: this.viewer.sharedPosition, ply: this.viewer.current.ply });
  }

  /** @param {"open" | "lost"} state */
  handleConnectionState(state) {
    if (state === "lost") {
      delete document.body.dataset.connected;
      if (!this.isConnectionLost) showNotification(t("connection.lost"), { permanent: true });
      this.isConnectionLost = true;
    } else if (this.isConnectionLost) {
      this.isConnectionLost = false;
      showNotification(t("connection.restored"));
      announce(t("connection.restored"));
      for (const view of Object.values(this.views)) view.handleReconnect();
    }
  }

  /** @param {WelcomeReply} message */
  receiveWelcome(message) {
    const isFirst = this.welcome === null;
    this.welcome = message;
    if (isFirst && this.currentView) this.views[this.currentView].render();
    if (isFirst && this.currentView === "analyse") this.views.analyse.request();
    document.body.dataset.connected = "";
  }
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function setLabel(element, text) {
  element.setAttribute("aria-label", text);
  element.title = text;
}
