// The control below the board that says for which side the page shows values, and changes it.

import { getPerspective, getShownSide, PERSPECTIVES, setPerspective } from "../model/perspective.js";
import { t } from "../words/language.js";
import { getSideNames } from "../words/player_names.js";
import { createStoneIcon } from "./board_shapes.js";
import { el } from "./dom.js";

/** @import { Player } from "../model/messages.d.ts" */
/** @import { Perspective } from "../model/perspective.js" */

/** @param {Player} turn the side to move in the selected position */
export function createPerspectiveField(turn) {
  const sides = getSideNames();
  /** @type {Record<Perspective, string>} */
  const texts = { first: sides[0], second: sides[1], mover: t("perspective.mover") };
  const change = () => {
    setPerspective(/** @type {Perspective} */ (list.value));
  };
  const list = el(
    "select",
    { value: getPerspective(), dataset: { focusKey: "perspective", field: "perspective" }, on: { change } },
    PERSPECTIVES.map((perspective) => el("option", { value: perspective }, texts[perspective])),
  );
  return el("label", { class: "perspective" }, t("perspective.label"), createStoneIcon(getShownSide(turn)), list);
}
