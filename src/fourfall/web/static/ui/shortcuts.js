// Keyboard shortcuts of the page; help.js lists them. board.js handles the keys inside the board.

import { COLUMN_NAMES } from "../model/position.js";
import { loadSetting } from "../model/storage.js";
import { findClosest } from "./dom.js";
import { showHelp } from "./help.js";

/** @import { ViewName } from "../model/routes.js" */

/**
 * What the keys do in a view, by the `key` of the keyboard event; `playColumn` is for the keys 1 to 9 and a to c.
 * @typedef {{playColumn?: (column: number) => unknown, keys: Record<string, () => unknown>}} Shortcuts
 */

/** @type {Record<string, ViewName>} */
const VIEW_KEYS = { P: "play", A: "analyse", R: "review", L: "learn", W: "watch", G: "games" };

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
  if (key === "?") return showHelp;
  if (!loadSetting("single_key_shortcuts", true)) return null;
  if (event.shiftKey && key in VIEW_KEYS) return () => openView(VIEW_KEYS[key]);
  const { playColumn, keys } = getShortcuts();
  const column = key.length === 1 ? COLUMN_NAMES.indexOf(key) : -1;
  if (column >= 0 && playColumn) return () => playColumn(column);
  if (key.startsWith("Arrow") && findClosest(event, "input, [role=slider]")) return null;
  return keys[key] ?? null;
}
