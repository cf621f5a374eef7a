// The tools of Analyse: new board, position editor, paste, variations, threats, opening explorer.

import { Position } from "../model/position.js";
import { isTreeOf, restoreTree, storeTree } from "../model/stored_trees.js";
import { el, replaceContent } from "../ui/dom.js";
import { Explorer } from "../ui/explorer.js";
import { createButton } from "../ui/form_fields.js";
import { showError } from "../ui/notifications.js";
import { PasteField } from "../ui/paste_field.js";
import { createThreatLegend } from "../ui/threats.js";
import { VariationTree } from "../ui/variation_tree.js";
import { t } from "../words/language.js";

/** @import { StoredTree } from "../model/stored_trees.js" */
/** @import { GameInfo } from "../ui/game_viewer.js" */
/** @import { PositionEditor } from "../ui/position_editor.js" */
/** @import { AnalyseView } from "./analyse.js" */

export class Workbench {
  /** @param {AnalyseView} view */
  constructor(view) {
    this.view = view;
    this.viewer = view.viewer;
    this.isEditing = false;
    this.explorer = new Explorer(this.viewer);
    this.variations = new VariationTree(this.viewer);
    this.pasteField = new PasteField({
      getBoard: () => this.viewer.position.boardNotation,
      onGame: (position, { ply, names }) => this.openGame(position, ply, { names: names ?? undefined }),
      onLink: (fragment) => view.app.open(fragment),
    });
    /** The position editor, loaded when it is opened for the first time. @type {PositionEditor | null} */
    this.editor = null;
    this.isLoadingEditor = false;
    this.threats = el("div", { class: "row threat-controls" });
    this.tools = el("section", { class: "card" });
    document.addEventListener("paste", (event) => this.handlePaste(event));
  }

  /** Show the tools of the view below the board. */
  enter() {
    this.viewer.element.append(this.threats);
    this.explorer.reset();
  }

  leave() {
    this.threats.remove();
    this.isEditing = false;
  }

  render() {
    if (this.isEditing) this.editor?.render();
    this.pasteField.render();
    this.renderTools();
    this.renderThreats();
    this.variations.render();
    this.explorer.update();
  }

  /** Draw what depends on the selected position, and store the tree. */
  handleSelection() {
    storeTree(location.hash, this.viewer.tree, this.viewer.info);
    this.variations.render();
    this.explorer.update();
    this.renderTools();
  }

  renderTools() {
    const { viewer, view } = this;
    replaceContent(
      this.tools,
      el("h2", {}, t("tools.title")),
      el(
        "div",
        { class: "row" },
        createButton("new-board", t("tools.new_board"), () => this.openEditor(true)),
        createButton("edit", t("tools.edit"), () => this.openEditor(false)),
        createButton("play-from-here", t("game.play_from_here"), () => view.app.playFrom(viewer.position), {
          disabled: viewer.position.isOver,
        }),
      ),
      this.pasteField.element,
    );
  }

  renderThreats() {
    const players = this.view.threatPlayers;
    const pressed = { "aria-pressed": String(players.length > 0), variant: "compact" };
    replaceContent(
      this.threats,
      createButton("threats", t("threats.title"), () => this.view.toggleThreats(), pressed),
      players.length ? createThreatLegend(players) : null,
    );
  }

  /** @returns {Promise<PositionEditor | null>} null if it cannot be loaded */
  async loadEditor() {
    try {
      const { PositionEditor } = await import("../ui/position_editor.js");
      this.editor ??= new PositionEditor({
        getCurrent: () => this.viewer.position,
        onApply: (position) => this.openGame(position, null, {}),
        onCancel: () => this.closeEditor(),
      });
    } catch {
      showError({ code: "offline", message: "" });
    }
    return this.editor;
  }

  /** @param {boolean} isNew whether to begin with an empty board */
  async openEditor(isNew) {
    this.isLoadingEditor = true;
    const editor = await this.loadEditor();
    this.isLoadingEditor = false;
    if (!editor || !this.view.isActive) return;
    const { position } = this.viewer;
    this.isEditing = true;
    this.view.stop({ alsoOutdated: true });
    const { rows, cols, hole } = position;
    editor.open(isNew ? new Position(rows, cols, hole) : position, { isBoardChosen: isNew });
    this.view.render();
    const first = editor.sidebar.querySelector(isNew ? "[data-field=rows]" : "input:checked");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  closeEditor() {
    this.isEditing = false;
    this.view.render();
    this.viewer.draw();
    this.view.handleSelection();
    const button = this.tools.querySelector("[data-action=edit]");
    if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  }

  /**
   * Analyse another game. The browser's button "Back" returns to the game before, which is stored with its variations.
   * @param {Position} position
   * @param {number | null} ply
   * @param {GameInfo} info
   */
  openGame(position, ply, info) {
    this.isEditing = false;
    history.pushState(null, "", location.hash);
    this.viewer.load(position, { ply, info });
    this.view.render();
    scrollTo({ top: 0 });
  }

  /**
   * Open a game that was analysed before, with its variations.
   * @param {StoredTree} stored
   */
  async openStored(stored) {
    const { viewer } = this;
    const { app } = this.view;
    const { navigationCounter } = app;
    const { gameId, board, names } = stored;
    if (gameId) await app.loadGame(gameId, null, null);
    if (navigationCounter !== app.navigationCounter) return;
    const isOpen = isTreeOf(viewer.tree, stored) || (gameId !== null && viewer.info.gameId === gameId);
    if (!isOpen) viewer.load(Position.fromServer(board), { info: { names: names ?? undefined } });
    restoreTree(viewer.tree, stored);
    viewer.update();
  }

  /** @param {ClipboardEvent} event */
  handlePaste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    const isField = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (!this.view.isActive || this.isEditing || isField || !text.trim()) return;
    event.preventDefault();
    this.pasteField.paste(text);
  }
}
