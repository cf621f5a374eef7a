// Owns what the page tells in passing: the quiet line at the top, and what a screen reader hears.

import { hasWords, t } from "./language.js";

const PASSING_MS = 5000;
let timer = null;

/** Show a line; `lasting` keeps it until it is taken away. */
export function notify(text, { lasting = false } = {}) {
  const line = document.getElementById("notice");
  clearTimeout(timer);
  line.textContent = text;
  line.hidden = !text;
  if (text && !lasting) timer = setTimeout(() => notify(""), PASSING_MS);
}

/** Let a screen reader say something without showing it. */
export function announce(text) {
  const log = document.getElementById("announcer");
  log.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (log.childElementCount > 6) log.firstElementChild.remove();
}

/** An error of the server in the reader's language; what has no translation stays as the server put it. */
export function errorText(error) {
  const key = `error.${error.code}`;
  return hasWords(key) ? t(key, error.message) : error.message;
}

export function complain(error) {
  notify(errorText(error));
}

/** "the engine is busy, you are third" */
export function queuedText(place) {
  return place === 1 ? t("queued.next") : t("queued", t("ordinal", place));
}
