// Owns the keyboard: which key does what, and the list that `?` opens. The board's own arrows live with the board.

import { el, fill } from "./dom.js";
import { t } from "./language.js";
import { recall, remember } from "./memory.js";
import { NAMES } from "./rules.js";

export const VIEW_KEYS = { P: "play", A: "analyse", R: "review", W: "watch", G: "games" };

const LIST = [
  ["1 … 9 a b c", "keys.columns"],
  ["← → ↑ ↓", "keys.arrows"],
  ["Enter", "keys.enter"],
  ["n", "keys.new"],
  ["u", "keys.undo"],
  ["y", "keys.redo"],
  ["h", "keys.hint"],
  ["m", "keys.rematch"],
  [", .", "keys.step"],
  ["< >", "keys.ends"],
  ["e", "keys.engine"],
  ["t", "keys.threats"],
  ["l", "keys.link"],
  ["Shift + P A R W G", "keys.views"],
  ["?", "keys.list"],
];

/** `actions()` gives the keys of the view in front: { column(n), n(), u(), ... }; `go(view)` changes the view. */
export function listenToKeys(actions, go) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input:is([type=number], [type=text]), select, textarea")) return;
    if (event.key === "?") return done(event, showKeys);
    if (!recall("keys", true)) return;
    if (event.shiftKey && event.key in VIEW_KEYS) return done(event, () => go(VIEW_KEYS[event.key]));
    const own = actions();
    const column = event.key.length === 1 ? NAMES.indexOf(event.key) : -1;
    if (column >= 0 && own.column) return done(event, () => own.column(column));
    if (event.key.startsWith("Arrow") && event.target.closest("input, [role=slider]")) return;
    if (own[event.key]) done(event, own[event.key]);
  });
}

function done(event, action) {
  event.preventDefault();
  action();
}

export function showKeys() {
  const dialog = document.getElementById("dialog");
  const single = el("input", {
    type: "checkbox",
    checked: recall("keys", true),
    on: { change: () => remember("keys", single.checked) },
  });
  fill(
    dialog,
    el(
      "div",
      { class: "stack" },
      el("h2", { id: "dialog-title", tabindex: -1, autofocus: true }, t("keys.title")),
      el(
        "dl",
        { class: "keys" },
        LIST.map(([keys, words]) => [
          el(
            "dt",
            {},
            keys.split(" ").map((key) => (/^[…+]$/.test(key) ? ` ${key} ` : [el("kbd", {}, key), " "])),
          ),
          el("dd", {}, t(words)),
        ]),
      ),
      el("label", { class: "check" }, single, t("keys.single")),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", class: "primary", on: { click: () => dialog.close() } }, t("close")),
      ),
    ),
  );
  dialog.showModal();
}
