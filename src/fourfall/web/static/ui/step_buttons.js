// The buttons that step through a game, and the note below the board while a variation is shown.

import { t } from "../words/language.js";
import { createIcon, el } from "./dom.js";
import { createButton } from "./form_fields.js";

/** @import { GameViewer } from "./game_viewer.js" */

/** @param {GameViewer} viewer */
export function createStepButtons(viewer) {
  const { ply } = viewer.current;
  const end = viewer.tree.currentLine.length - 1;
  /**
   * @param {"first" | "back" | "forward" | "last"} name
   * @param {string} word
   * @param {number} plies
   * @param {boolean} disabled
   */
  const stepButton = (name, word, plies, disabled) => {
    const attributes = { variant: "icon-button", disabled, "aria-label": t(word), title: t(word) };
    return createButton(word, createIcon(name), () => viewer.step(plies), attributes);
  };
  return [
    stepButton("first", "steps.start", -end, ply === 0),
    stepButton("back", "steps.back", -1, ply === 0),
    el("span", { class: "ply-counter" }, `${ply} / ${end}`),
    stepButton("forward", "steps.forward", 1, ply === end),
    stepButton("last", "steps.end", end, ply === end),
  ];
}

/**
 * Says that a variation is shown, with the buttons to return to the game and to delete the variation.
 * @param {GameViewer} viewer
 * @param {number} branchPly the ply at which the variation leaves the game
 */
export function createVariationNote(viewer, branchPly) {
  const deleteVariation = () => {
    viewer.tree.deleteVariation();
    viewer.update();
  };
  const variant = "secondary compact";
  return [
    el("span", {}, t("variation.note", branchPly + 1)),
    createButton("return-to-game", t("variation.return"), () => viewer.returnToGame(), { variant }),
    viewer.tree.isOnMainLine
      ? null
      : createButton("delete-variation", t("steps.delete_variation"), deleteVariation, { variant }),
  ];
}
