// Keyboard shortcuts of the page and the dialog that lists them. board.js handles the keys inside the board.

import { COLUMN_NAMES } from "../model/position.js";
import { loadSetting, saveSetting } from "../model/storage.js";
import { t } from "../words/language.js";
import { el, findClosest, getById, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";

/** @import { ViewName } from "../model/routes.js" */

/**
 * What the keys do in a view, by the `key` of the keyboard event; `playColumn` is for the keys 1 to 9 and a to c.
 * @typedef {{playColumn?: (column: number) => unknown, keys: Record<string, () => unknown>}} Shortcuts
 */

/** @type {Record<string, ViewName>} */
const VIEW_KEYS = { P: "play", A: "analyse", R: "review", W: "watch", G: "games" };

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
  ["e", "shortcut.engine"],
  ["t", "shortcut.threats"],
  ["l", "shortcut.link"],
  ["Shift + P A R W G", "shortcut.views"],
  ["?", "shortcut.list"],
];

/**
 * @param {() => Shortcuts} getShortcuts of the current view
 * @param {(view: ViewName) => void} openView
 */
export function listenForShortcuts(getShortcuts, openView) {
  document.addEventListener("keydown", (event) => {
    const action = findAction(event, getShortcuts, openView);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {() => Shortcuts} getShortcuts
 * @param {(view: ViewName) => void} openView
 * @returns {(() => unknown) | null}
 */
function findAction(event, getShortcuts, openView) {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return null;
  if (findClosest(event, "input:is([type=number], [type=text]), select, textarea")) return null;
  if (key === "?") return showShortcuts;
  if (!loadSetting("single_key_shortcuts", true)) return null;
  if (event.shiftKey && key in VIEW_KEYS) return () => openView(VIEW_KEYS[key]);
  const { playColumn, keys } = getShortcuts();
  const column = key.length === 1 ? COLUMN_NAMES.indexOf(key) : -1;
  if (column >= 0 && playColumn) return () => playColumn(column);
  if (key.startsWith("Arrow") && findClosest(event, "input, [role=slider]")) return null;
  return keys[key] ?? null;
}

export function showShortcuts() {
  const dialog = /** @type {HTMLDialogElement} */ (getById("dialog"));
  const change = () => {
    saveSetting("single_key_shortcuts", checkbox.checked);
  };
  const checked = loadSetting("single_key_shortcuts", true);
  const checkbox = el("input", { type: "checkbox", checked, on: { change } });
  const entries = SHORTCUT_LIST.flatMap(([keys, word]) => [el("dt", {}, translateKeys(keys)), el("dd", {}, t(word))]);
  const close = createButton("close", t("button.close"), () => dialog.close(), { variant: "primary" });
  replaceContent(
    dialog,
    el(
      "div",
      { class: "stack" },
      el("h2", { id: "dialog-title", tabindex: -1, autofocus: true }, t("shortcut.title")),
      el("dl", { class: "shortcut-list" }, entries),
      el("label", { class: "checkbox" }, checkbox, t("shortcut.single")),
      el("h3", {}, t("explanation.title")),
      el("p", { class: "small" }, t("explanation.values")),
      el("p", { class: "small" }, t("explanation.moves")),
      el("div", { class: "row" }, close),
    ),
  );
  dialog.showModal();
}

/** @param {string} text keys, `…` and `+`, separated by spaces */
function translateKeys(text) {
  return text.split(" ").flatMap((key) => (/^[…+]$/.test(key) ? [` ${key} `] : [el("kbd", {}, key), " "]));
}
