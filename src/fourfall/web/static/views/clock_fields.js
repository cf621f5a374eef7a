// The fields of the set-up for the clock: minutes per player and the increment of each move.

import { el } from "../ui/dom.js";
import { createSelectField } from "../ui/form_fields.js";
import { t } from "../words/language.js";

/** @import { GameSetup } from "./game_setup.js" */

const MINUTES = [0, 1, 2, 3, 5, 10, 15, 30, 60];
const INCREMENTS_S = [0, 1, 2, 3, 5, 10, 15, 30];

/** @param {GameSetup} setup */
export function createClockFields(setup) {
  const { clock_minutes, increment_s } = setup.choice;
  const minutes = createSelectField({
    label: t("setup.clock"),
    value: clock_minutes,
    options: MINUTES.map((count) => [count, count ? t("clock.minutes", count) : t("clock.off")]),
    field: "clock",
    onChange: (text) => setup.change({ clock_minutes: Number(text) }),
  });
  if (!clock_minutes) return minutes;
  const increment = createSelectField({
    label: t("setup.increment"),
    value: increment_s,
    options: INCREMENTS_S.map((seconds) => [seconds, t("time.seconds", seconds)]),
    field: "increment",
    onChange: (text) => setup.change({ increment_s: Number(text) }),
  });
  return el(
    "div",
    { class: "stack" },
    el("div", { class: "two-columns" }, minutes, increment),
    el("p", { class: "small muted" }, t("setup.clock.help")),
  );
}
