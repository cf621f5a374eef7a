// The help dialog behind "?": rules, what the values mean, keyboard shortcuts. The rules also open on the first visit.

import { loadSetting, saveSetting } from "../model/storage.js";
import { t } from "../words/language.js";
import { createCloseButton, showDialog } from "./dialog.js";
import { el } from "./dom.js";
import { createRules } from "./rules.js";

const SHORTCUT_LIST = [
  ["1 … 9 a b c", "shortcut.columns"],
  ["← → ↑ ↓", "shortcut.arrows"],
  ["Enter", "shortcut.enter"],
  ["n", "shortcut.new"],
  ["u", "shortcut.undo"],
  ["y", "shortcut.redo"],
  ["h", "shortcut.hint"],
  ["m", "shortcut.rematch"],
  [", .", "shortcut.step"],
  ["< >", "shortcut.ends"],
  ["↑ ↓", "shortcut.variation"],
  ["Ctrl + V", "shortcut.paste"],
  ["e", "shortcut.engine"],
  ["t", "shortcut.threats"],
  ["n p", "shortcut.mistakes"],
  ["r", "shortcut.retry"],
  ["s", "shortcut.better"],
  ["Esc", "shortcut.return"],
  ["l", "shortcut.link"],
  ["Shift + P A R L W G", "shortcut.views"],
  ["?", "shortcut.list"],
];

export function showHelp() {
  const change = () => {
    saveSetting("single_key_shortcuts", checkbox.checked);
  };
  const checked = loadSetting("single_key_shortcuts", true);
  const checkbox = el("input", { type: "checkbox", checked, on: { change } });
  const entries = SHORTCUT_LIST.flatMap(([keys, word]) => [el("dt", {}, translateKeys(keys)), el("dd", {}, t(word))]);
  showDialog(
    t("help.title"),
    el("h3", {}, t("rules.title")),
    createRules(),
    el("h3", {}, t("explanation.title")),
    el("p", { class: "small" }, t("explanation.coordinates")),
    el("p", { class: "small" }, t("explanation.values")),
    el("p", { class: "small" }, t("explanation.moves")),
    el("h3", {}, t("shortcut.title")),
    el("dl", { class: "shortcut-list" }, entries),
    el("label", { class: "checkbox" }, checkbox, t("shortcut.single")),
    el("div", { class: "row" }, createCloseButton()),
  );
}

/** Show the rules to a visitor who has not seen them; one click closes them for good. */
export function showRulesOnce() {
  if (loadSetting("rules_seen", false)) return;
  const close = () => dialog.close();
  const dialog = showDialog(
    t("rules.title"),
    createRules(),
    el("p", {}, el("a", { href: "#learn", on: { click: close } }, t("rules.lessons"))),
    el(
      "div",
      { class: "row spread" },
      createCloseButton(t("rules.close")),
      el("p", { class: "small muted" }, t("rules.again")),
    ),
  );
  /** @param {MouseEvent} event */
  const closeOutside = (event) => event.target === dialog && dialog.close();
  dialog.addEventListener("click", closeOutside);
  dialog.addEventListener(
    "close",
    () => {
      dialog.removeEventListener("click", closeOutside);
      saveSetting("rules_seen", true);
    },
    { once: true },
  );
}

/** @param {string} text keys, `…` and `+`, separated by spaces */
function translateKeys(text) {
  return text.split(" ").flatMap((key) => (/^[…+]$/.test(key) ? [` ${key} `] : [el("kbd", {}, key), " "]));
}
