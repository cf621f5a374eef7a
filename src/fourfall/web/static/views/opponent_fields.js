// The fields of the set-up that choose the opponent: a level, an engine by name, or another person at this screen.

import { el } from "../ui/dom.js";
import { createSelectField, createTimeField } from "../ui/form_fields.js";
import { t } from "../words/language.js";
import { describeLevel, getLevelName, LEVEL_STEP, MAX_LEVEL } from "../words/level_names.js";

/** @import { GameSetup } from "./game_setup.js" */

const MOVE_TIMES_S = [0.5, 1, 2, 5, 10, 30];

/** @param {GameSetup} setup */
export function createOpponentFields(setup) {
  const kinds = [
    ["level", t("setup.by_level")],
    ["engine", t("setup.by_engine")],
    ["person", t("setup.by_person")],
  ];
  const { by } = setup.choice;
  const fields =
    by === "level"
      ? createLevelField(setup)
      : by === "engine"
        ? createEngineFields(setup)
        : el("p", { class: "small muted" }, t("setup.person.help"));
  return el("div", { class: "stack" }, setup.createRadioButtons("by", t("setup.opponent"), kinds), fields);
}

/**
 * A slider over all levels; the entry after the last level is the strongest engine with a chosen time.
 * @param {GameSetup} setup
 */
function createLevelField(setup) {
  const { choice } = setup;
  const name = el("output", { for: "level" });
  const about = el("p", { class: "small level-about" });
  const time = createMoveTimeField(setup);
  const show = () => {
    const { isStrongest, levelNumber } = choice;
    const text = isStrongest ? t("level.strongest") : t("level.text", levelNumber, getLevelName(levelNumber));
    name.textContent = text;
    about.textContent = isStrongest ? t("level.strongest.about") : describeLevel(levelNumber);
    slider.setAttribute("aria-valuetext", text);
    time.hidden = !isStrongest;
  };
  const input = () => {
    const value = Number(slider.value);
    choice.isStrongest = value > MAX_LEVEL;
    if (!choice.isStrongest) choice.levelNumber = value;
    show();
    setup.save();
  };
  const slider = el("input", {
    type: "range",
    min: LEVEL_STEP,
    max: MAX_LEVEL + LEVEL_STEP,
    step: LEVEL_STEP,
    value: choice.isStrongest ? MAX_LEVEL + LEVEL_STEP : choice.levelNumber,
    id: "level",
    dataset: { focusKey: "level" },
    on: { input },
  });
  show();
  return el(
    "div",
    { class: "level-field" },
    el("div", { class: "row spread" }, el("label", { for: "level" }, t("setup.level")), name),
    slider,
    el(
      "div",
      { class: "row spread small muted", "aria-hidden": "true" },
      el("span", {}, t("level.1")),
      el("span", {}, t("level.strongest")),
    ),
    about,
    time,
  );
}

/** @param {GameSetup} setup */
function createEngineFields(setup) {
  return el(
    "div",
    { class: "two-columns" },
    createSelectField({
      label: t("engine.name"),
      value: setup.choice.engine,
      options: setup.app.engines.map(({ name }) => [name, name]),
      field: "opponent",
      onChange: (name) => setup.change({ engine: name }),
    }),
    createMoveTimeField(setup),
  );
}

/** @param {GameSetup} setup */
function createMoveTimeField(setup) {
  return createTimeField({
    label: t("setup.move_time"),
    value: setup.choice.move_time_s,
    times: MOVE_TIMES_S,
    field: "time",
    onChange: (seconds) => setup.change({ move_time_s: seconds }),
  });
}
