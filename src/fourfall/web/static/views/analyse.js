// The view Analyse: requests an analysis of the selected position and shows the results while they arrive.

import { COLUMN_NAMES } from "../model/position.js";
import { toFirstPlayer } from "../model/scores.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el, replaceContent } from "../ui/dom.js";
import { createButton, createCheckboxField } from "../ui/form_fields.js";
import { MoveReason } from "../ui/move_reason.js";
import { announce } from "../ui/notifications.js";
import { previewMoves } from "../ui/preview_stones.js";
import { createShareButtons } from "../ui/share.js";
import { t } from "../words/language.js";
import { BUDGETS, createEngineControls, createEngineOutput, createLimitNote } from "./engine_panel.js";
import { Workbench } from "./workbench.js";

/** @import { App } from "../app.js" */
/** @import { GameNode } from "../model/game_tree.js" */
/** @import { AnalysisReply, Player, QueuedReply } from "../model/messages.d.ts" */
/** @import { BoardOptions } from "../ui/board.js" */
/** @import { Shortcuts } from "../ui/shortcuts.js" */

const REQUEST_DELAY_MS = 90;
/** Number of stones drawn for a selected column; refutations are drawn to the end of the game. */
const MAX_LINE_LENGTH = 30;
/** Time of an analysis after which its best column is explained. */
const MIN_EXPLAINED_S = 0.4;
const SHOWN_BY_DEFAULT = {
  column_values: true,
  bar: true,
  pv: true,
  reason: true,
  statistics: true,
  graph: true,
  blue_threats: false,
  orange_threats: false,
};
const PARTS = /** @type {Part[]} */ (Object.keys(SHOWN_BY_DEFAULT));

/** @typedef {keyof typeof SHOWN_BY_DEFAULT} Part */
/** @typedef {{isOn: boolean, engine: string | null, budget: string, shown: Record<Part, boolean>}} AnalyseSettings */

export class AnalyseView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.viewer = app.viewer;
    /** @type {Partial<AnalyseSettings>} */
    const stored = loadSetting("analyse", {});
    /** @type {AnalyseSettings} */
    this.settings = {
      isOn: true,
      engine: null,
      budget: "5s",
      ...stored,
      shown: { ...SHOWN_BY_DEFAULT, ...stored.shown },
    };
    this.requestCounter = 0;
    this.requestSettings = "";
    /** @type {GameNode | null} */
    this.requestedNode = null;
    /** @type {number | null} */
    this.queuePlace = null;
    this.isRunning = false;
    this.isActive = false;
    this.timer = 0;
    this.output = el("div", { class: "engine-output", role: "group" });
    this.reason = new MoveReason(app.connection, () => this.viewer.drawEvaluation());
    this.controls = el("div", { class: "stack" });
    this.actions = el("div", { class: "stack" });
    this.sidebar = el("div", { class: "stack" });
    this.workbench = new Workbench(this);
    this.viewer.onChange(() => this.isActive && this.handleSelection());
    app.connection.on("analysis", (message) => this.receive(message));
    app.connection.on("queued", (message) => this.receiveQueued(message));
  }

  enter() {
    this.isActive = true;
    this.viewer.getBoardOptions = () => this.getBoardOptions();
    this.viewer.getMark = (node) => this.app.views.review.getMark(node);
    this.viewer.view = "analyse";
    this.workbench.enter();
    this.render();
    this.viewer.draw();
    this.handleSelection();
  }

  leave() {
    this.isActive = false;
    this.stop();
    this.app.quickReview.stop();
    this.workbench.leave();
    this.viewer.columnValues.clear();
  }

  handleReconnect() {
    if (this.isActive) this.request();
  }

  render() {
    const { viewer, app, workbench } = this;
    workbench.render();
    if (workbench.isEditing && workbench.editor) {
      app.mount("analyse", workbench.editor.element, workbench.editor.sidebar);
      return;
    }
    replaceContent(this.controls, createEngineControls(this));
    replaceContent(
      this.actions,
      this.createDisplayOptions(),
      el(
        "div",
        { class: "row" },
        createButton("review", t("game.review"), () => app.openReview(), { variant: "primary" }),
      ),
      createShareButtons(() => ({ position: viewer.sharedPosition, ply: viewer.current.ply, gameId: viewer.gameId })),
    );
    const moves = viewer.createCard(app.getViewerTitle());
    moves.append(workbench.variations.buttons, workbench.variations.help);
    replaceContent(
      this.sidebar,
      el("section", { class: "card" }, this.controls, this.output, this.reason.element),
      moves,
      workbench.tools,
      workbench.explorer.element,
      el("section", { class: "card" }, this.actions),
    );
    app.mount("analyse", viewer.element, this.sidebar);
    this.updateVisibility();
    this.renderColumnValues();
    this.renderOutput();
  }

  createDisplayOptions() {
    const { shown } = this.settings;
    const toggle = () => {
      saveSetting("display_options_open", details.open);
    };
    const boxes = PARTS.map((part) =>
      createCheckboxField({
        label: t(`show.${part}`),
        checked: shown[part],
        field: part,
        onChange: (isShown) => this.setShown(part, isShown),
      }),
    );
    const details = el(
      "details",
      { class: "display-options", open: loadSetting("display_options_open", false), on: { toggle } },
      el("summary", {}, t("show.title")),
      el("div", { class: "checkbox-list" }, boxes),
    );
    return details;
  }

  get engine() {
    return this.settings.engine ?? this.app.welcome?.defaults.engine ?? "fourfall";
  }

  /** @param {Partial<AnalyseSettings>} change */
  changeSettings(change) {
    Object.assign(this.settings, change);
    saveSetting("analyse", this.settings);
    this.viewer.current.analysis = null;
    this.handleSelection();
  }

  toggleEngine() {
    this.changeSettings({ isOn: !this.settings.isOn });
    if (!this.settings.isOn) this.stop();
    this.render();
    this.viewer.draw();
  }

  /**
   * @param {Part} part
   * @param {boolean} isShown
   */
  setShown(part, isShown) {
    this.settings.shown[part] = isShown;
    saveSetting("analyse", this.settings);
    this.updateVisibility();
    this.renderColumnValues();
    this.workbench.renderThreats();
    this.viewer.draw();
    this.renderOutput();
  }

  updateVisibility() {
    const { shown, isOn } = this.settings;
    this.viewer.bar.element.hidden = !shown.bar;
    this.viewer.graph.element.hidden = !shown.graph;
    this.viewer.board.columnValues.hidden = !shown.column_values;
    this.output.hidden = !isOn;
  }

  /** The players whose threats are shown. @returns {Player[]} */
  get threatPlayers() {
    const { blue_threats, orange_threats } = this.settings.shown;
    return [
      ...(blue_threats ? [/** @type {Player} */ (0)] : []),
      ...(orange_threats ? [/** @type {Player} */ (1)] : []),
    ];
  }

  /** @returns {BoardOptions} */
  getBoardOptions() {
    const { shown, isOn } = this.settings;
    const { analysis } = this.viewer.current;
    const threatsOf = this.threatPlayers;
    const { position, columnValues } = this.viewer;
    this.explain();
    const reason = this.reason.getBoardOptions(position);
    if (columnValues.previewed) {
      const previewStones = previewMoves(position, columnValues.previewed.pv, MAX_LINE_LENGTH);
      return { threatsOf, previewStones, ...reason };
    }
    const pv = isOn && shown.pv && analysis ? analysis.pv : [];
    return { threatsOf, previewStones: previewMoves(position, pv), ...reason };
  }

  /** Explain the selected column, else the best one, when the search has lasted a moment and again when it is done. */
  explain() {
    const { shown, isOn } = this.settings;
    const { columnValues, position, current } = this.viewer;
    const { analysis } = current;
    const column = columnValues.previewed?.column ?? analysis?.move ?? null;
    const isKnown = analysis !== null && (analysis.done || analysis.seconds >= MIN_EXPLAINED_S);
    if (!isOn || !shown.reason || !isKnown || column === null || position.isOver) {
      this.reason.show(null);
      return;
    }
    const { previewed, hovered, pinned } = columnValues;
    const isSelected = previewed !== null;
    const options = {
      version: analysis.done ? `${analysis.settings} ${analysis.seconds}` : "",
      isDrawn: isSelected || !shown.pv,
      isAnnounced: isSelected && (hovered === null || hovered === pinned),
    };
    this.reason.show({ position, column, ...options }, t("reason.title", COLUMN_NAMES[column]));
  }

  /** Show what is known about the selected position, then request an analysis after a short delay. */
  handleSelection() {
    if (this.workbench.isEditing) return;
    this.viewer.updateAddress();
    this.workbench.handleSelection();
    this.renderColumnValues();
    clearTimeout(this.timer);
    this.isRunning = false;
    this.queuePlace = null;
    this.timer = setTimeout(() => this.isActive && this.request(), REQUEST_DELAY_MS);
    if (this.settings.isOn && this.settings.shown.graph) this.app.quickReview.schedule(this.viewer.tree);
    this.renderOutput();
  }

  /** @param {{resume?: boolean}} [options] `resume` continues an analysis that reached the server's limit of time */
  request({ resume = false } = {}) {
    const { position, analysis } = this.viewer.current;
    const { isOn, budget } = this.settings;
    const settings = `${this.engine} ${budget}`;
    if (
      !isOn ||
      this.workbench.isEditing ||
      position.isOver ||
      (!resume && analysis?.done && analysis.settings === settings)
    ) {
      this.stop({ alsoOutdated: true });
      return;
    }
    this.requestCounter += 1;
    this.requestSettings = settings;
    this.requestedNode = this.viewer.current;
    const key = String(this.requestCounter);
    const limits = BUDGETS[budget] ?? BUDGETS["5s"];
    const ref = this.app.connection.send({
      type: "analyse",
      position: position.notation,
      engine: this.engine,
      key,
      resume,
      ...limits,
    });
    this.isRunning = ref !== null;
    this.renderOutput();
  }

  /**
   * Stop the running analysis; with `alsoOutdated` also one that was requested for another position.
   * @param {{alsoOutdated?: boolean}} [options]
   */
  stop({ alsoOutdated = false } = {}) {
    clearTimeout(this.timer);
    if (this.isRunning || (alsoOutdated && this.requestedNode)) this.app.connection.send({ type: "stop" });
    this.requestedNode = null;
    this.isRunning = false;
    this.queuePlace = null;
  }

  /** @param {{key?: string | null}} message */
  isCurrentRequest(message) {
    return this.requestedNode !== null && message.key === String(this.requestCounter);
  }

  /** @param {AnalysisReply} message */
  receive(message) {
    const node = this.requestedNode;
    if (!node || !this.isCurrentRequest(message)) return;
    this.queuePlace = null;
    node.analysis = { ...message, settings: this.requestSettings };
    if (message.columns.length || message.score.proof) node.score = toFirstPlayer(message.score, node.position.turn);
    if (message.done) this.isRunning = false;
    if (!this.isActive || node !== this.viewer.current) return;
    this.renderColumnValues();
    this.viewer.drawEvaluation();
    this.workbench.explorer.render();
    this.renderOutput();
  }

  /** @param {QueuedReply} message */
  receiveQueued(message) {
    if (!this.isCurrentRequest(message)) return;
    this.queuePlace = message.place;
    this.renderOutput();
  }

  renderColumnValues() {
    const { position, analysis } = this.viewer.current;
    const { isOn, shown } = this.settings;
    if (isOn && shown.column_values) this.viewer.columnValues.show(analysis, position);
    else this.viewer.columnValues.clear();
  }

  renderOutput() {
    const { pv, statistics } = this.settings.shown;
    const options = { showPv: pv, showStatistics: statistics, queuePlace: this.queuePlace };
    this.output.setAttribute("aria-busy", String(this.isRunning));
    const note = this.isRunning
      ? null
      : createLimitNote(this.viewer.current.analysis, () => this.request({ resume: true }));
    replaceContent(this.output, createEngineOutput(this.viewer.current, options), note);
  }

  toggleThreats() {
    const { shown } = this.settings;
    const isShown = !(shown.blue_threats || shown.orange_threats);
    shown.blue_threats = isShown;
    this.setShown("orange_threats", isShown);
    this.render();
    announce(t(isShown ? "show.threats.on" : "show.threats.off"));
  }

  /** @returns {Shortcuts} */
  getShortcuts() {
    const { editor, isEditing, isLoadingEditor, variations } = this.workbench;
    // Keys pressed before the editor is there were meant for it.
    if (isLoadingEditor) return { playColumn: () => {}, keys: {} };
    if (isEditing && editor) {
      return { playColumn: (column) => editor.place(column), keys: { Escape: () => editor.onCancel() } };
    }
    const { columnValues } = this.viewer;
    const { playColumn, keys } = this.viewer.getShortcuts();
    return {
      playColumn,
      keys: {
        ...keys,
        e: () => this.toggleEngine(),
        t: () => this.toggleThreats(),
        ArrowUp: () => variations.selectAlternative(-1),
        ArrowDown: () => variations.selectAlternative(1),
        Escape: () => (columnValues.previewed ? columnValues.removePreview() : keys.Escape?.()),
      },
    };
  }
}
