// The card with the moves of a game and its variations, and the buttons that change the variations.

import { t } from "../words/language.js";
import { el, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";
import { announce } from "./notifications.js";

/** @import { DeletedBranch, GameTree } from "../model/game_tree.js" */
/** @import { GameViewer } from "./game_viewer.js" */

export class VariationTree {
  /** @param {GameViewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** The branch that was deleted last, and its tree. @type {{tree: GameTree, branch: DeletedBranch} | null} */
    this.deleted = null;
    this.buttons = el("div", { class: "row variation-buttons", role: "group" });
    this.help = el("p", { class: "small muted" });
  }

  /** Draw the buttons for the selected position. */
  render() {
    const { tree } = this.viewer;
    const canRestore = this.deleted?.tree === tree;
    this.buttons.setAttribute("aria-label", t("tree.label"));
    /**
     * @param {string} action
     * @param {() => void} onClick
     * @param {boolean} disabled
     */
    const button = (action, onClick, disabled) =>
      createButton(`tree-${action}`, t(`tree.${action}`), onClick, { variant: "compact", disabled });
    replaceContent(
      this.buttons,
      button("promote", () => this.promote(), tree.variationStart === null),
      button("delete", () => this.deleteMove(), tree.current.parent === null),
      canRestore ? button("restore", () => this.restore(), false) : null,
    );
    this.help.textContent = t("tree.help");
    this.help.hidden = !tree.hasVariations;
  }

  promote() {
    this.viewer.tree.promote();
    announce(t("tree.promoted"));
    this.viewer.update();
  }

  deleteMove() {
    const { tree } = this.viewer;
    const branch = tree.deleteCurrent();
    if (!branch) return;
    this.deleted = { tree, branch };
    announce(t("tree.deleted"));
    this.viewer.update();
  }

  restore() {
    if (!this.deleted) return;
    this.viewer.tree.restore(this.deleted.branch);
    this.deleted = null;
    this.viewer.update();
  }

  /**
   * Select another alternative of the closest move that has alternatives.
   * @param {number} step
   */
  selectAlternative(step) {
    if (this.viewer.tree.selectAlternative(step)) this.viewer.update();
    else announce(t("tree.no_alternative"));
  }
}
