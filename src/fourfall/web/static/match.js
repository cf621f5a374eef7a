// Owns the form that begins a match between two built-in agents.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { numberField, picker, timePicker } from "./fields.js";
import { t } from "./language.js";
import { recall, remember } from "./memory.js";
import { displayName } from "./names.js";
import { errorText } from "./notice.js";

const TIMES = [0.05, 0.1, 0.2, 0.5, 1, 3];
const FIRST = { a: "fourfall", b: "seed-002", games: 10, time_s: 0.2 };

/** Make the form; a match that begins is shown at once. */
export function matchForm(app) {
  const choice = { ...FIRST, ...recall("match", {}) };
  const trouble = el("p", { class: "trouble", role: "alert" });
  const choose = (name) => (value) => {
    choice[name] = value;
  };
  const begin = async (event) => {
    event.preventDefault();
    trouble.textContent = "";
    remember("match", choice);
    try {
      const started = await ask("/api/matches", { method: "POST", body: choice });
      app.go(`watch=${started.event}`);
    } catch (error) {
      trouble.textContent = errorText(error);
    }
  };
  const names = [...app.engines(), ...(app.welcome?.levels ?? [])].map(({ name }) => [name, displayName(name)]);
  const agent = (field, label) => picker({ label, value: choice[field], options: names, field, pick: choose(field) });
  const games = { value: choice.games, min: 2, max: app.welcome?.limits.match_games ?? 200, step: 2 };
  const time = { value: choice.time_s, times: TIMES };
  return el(
    "form",
    { class: "card", on: { submit: begin } },
    el("h2", {}, t("match.title")),
    el("p", { class: "small faint" }, t("match.how")),
    el("div", { class: "pair" }, agent("a", t("match.a")), agent("b", t("match.b"))),
    el(
      "div",
      { class: "pair" },
      numberField({ ...games, label: t("match.games"), field: "games", pick: choose("games") }),
      timePicker({ ...time, label: t("setup.time"), field: "match-time", pick: choose("time_s") }),
    ),
    trouble,
    el("button", { type: "submit", class: "primary", dataset: { action: "match" } }, t("match.start")),
  );
}
