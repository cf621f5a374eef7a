// The form that starts a match between two agents.

import { requestJson } from "../model/api.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { el } from "../ui/dom.js";
import { createNumberField, createSelectField, createTimeField } from "../ui/form_fields.js";
import { formatError } from "../words/error_text.js";
import { t } from "../words/language.js";
import { translatePlayerName } from "../words/player_names.js";

/** @import { App } from "../app.js" */
/** @import { ApiError } from "../model/api.js" */

const MOVE_TIMES_S = [0.05, 0.1, 0.2, 0.5, 1, 3];
const DEFAULT_CHOICE = { a: "fourfall", b: "seed-002", games: 10, move_time_s: 0.2 };
const MAX_GAMES = 200;

/** @param {App} app */
export function createMatchForm(app) {
  const choice = { ...DEFAULT_CHOICE, ...loadSetting("match", {}) };
  const errorLine = el("p", { class: "error-text", role: "alert" });
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    errorLine.textContent = "";
    saveSetting("match", choice);
    try {
      const started = await requestJson("/api/matches", { method: "POST", body: choice });
      app.open(`watch=${started.event}`);
    } catch (error) {
      errorLine.textContent = formatError(/** @type {ApiError} */ (error));
    }
  };
  /** @type {[string, string][]} */
  const agents = [...app.engines, ...(app.welcome?.levels ?? [])].map(({ name }) => [name, translatePlayerName(name)]);
  /** @param {"a" | "b"} field */
  const agentField = (field) =>
    createSelectField({
      label: t(`match.${field}`),
      value: choice[field],
      options: agents,
      field,
      onChange: (name) => {
        choice[field] = name;
      },
    });
  const gamesField = createNumberField({
    label: t("match.games"),
    value: choice.games,
    min: 2,
    max: app.welcome?.limits.match_games ?? MAX_GAMES,
    step: 2,
    field: "games",
    onChange: (games) => {
      choice.games = games;
    },
  });
  const moveTimeField = createTimeField({
    label: t("setup.move_time"),
    value: choice.move_time_s,
    times: MOVE_TIMES_S,
    field: "match-time",
    onChange: (seconds) => {
      choice.move_time_s = seconds;
    },
  });
  return el(
    "form",
    { class: "card", on: { submit } },
    el("h2", {}, t("match.title")),
    el("p", { class: "small muted" }, t("match.help")),
    el("div", { class: "two-columns" }, agentField("a"), agentField("b")),
    el("div", { class: "two-columns" }, gamesField, moveTimeField),
    errorLine,
    el("button", { type: "submit", class: "primary", dataset: { action: "match" } }, t("match.start")),
  );
}
