// The fields of the set-up that choose the opponent: a level, an engine by name, or another person at this screen.

import { el } from "../ui/dom.js";
import { createSelectField, createTimeField } from "../ui/form_fields.js";
import { t } from "../words/language.js";
import { describeLevel, getLevelName } from "../words/level_names.js";

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
  const { choice, levelCount } = setup;
  const name = el("output", { for: "level" });
  const about = el("p", { class: "small level-about" });
  const time = createMoveTimeField(setup);
  const show = () => {
    const { isStrongest, level } = choice;
    const text = isStrongest ? t("level.strongest") : t("level.text", level, getLevelName(level, levelCount));
    name.textContent = text;
    about.textContent = isStrongest ? t("level.strongest.about") : describeLevel(level, levelCount);
    slider.setAttribute("aria-valuetext", text);
    time.hidden = !isStrongest;
  };
  const input = () => {
    const value = Number(slider.value);
    choice.isStrongest = value > levelCount;
    if (!choice.isStrongest) choice.level = value;
    show();
    setup.save();
  };
  const slider = el("input", {
    type: "range",
    min: 1,
    max: levelCount + 1,
    step: 1,
    value: choice.isStrongest ? levelCount + 1 : choice.level,
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
