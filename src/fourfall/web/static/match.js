// Owns the form that begins a match between two built-in agents.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { t } from "./language.js";
import { errorText } from "./notice.js";
import { displayName } from "./names.js";
import { recall, remember } from "./memory.js";

const TIMES = [0.05, 0.1, 0.2, 0.5, 1, 3];

/** Make the form; a match that begins is shown at once. */
export function matchForm(app) {
  const choice = { a: "fourfall", b: "seed-002", games: 10, time_s: 0.2, ...recall("match", {}) };
  const names = [...app.engines().map((engine) => engine.name), ...(app.welcome?.levels ?? []).map((level) => level.name)];
  const trouble = el("p", { class: "trouble", role: "alert" });
  const pick = (name, words) => el("label", { class: "field" }, t(words), el("select", { value: choice[name], dataset: { field: name }, on: { change: (event) => { choice[name] = event.target.value; } } }, names.map((value) => el("option", { value }, displayName(value)))));
  const begin = async (event) => {
    event.preventDefault();
    trouble.textContent = "";
    remember("match", choice);
    try {
      const { event: id } = await ask("/api/matches", { method: "POST", body: { a: choice.a, b: choice.b, games: choice.games, time_s: choice.time_s } });
      app.go(`watch=${id}`);
    } catch (error) {
      trouble.textContent = errorText(error);
    }
  };
  return el("form", { class: "card", on: { submit: begin } }, el("h2", {}, t("match.title")), el("p", { class: "small faint" }, t("match.how")),
    el("div", { class: "pair" }, pick("a", "match.a"), pick("b", "match.b")),
    el("div", { class: "pair" },
      el("label", { class: "field" }, t("match.games"), el("input", { type: "number", min: 2, max: app.welcome?.limits.match_games ?? 200, step: 2, value: choice.games, dataset: { field: "games" }, on: { change: (event) => { choice.games = Number(event.target.value); } } })),
      el("label", { class: "field" }, t("setup.time"), el("select", { value: choice.time_s, dataset: { field: "match-time" }, on: { change: (event) => { choice.time_s = Number(event.target.value); } } }, TIMES.map((time) => el("option", { value: time }, t("seconds", time)))))),
    trouble, el("button", { type: "submit", class: "primary", dataset: { action: "match" } }, t("match.start")));
}
