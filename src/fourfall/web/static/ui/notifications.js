// Short messages to the user: the notification in the header and announcements for screen readers.

import { formatError } from "../words/error_text.js";
import { getById } from "./dom.js";

/** @import { ErrorInfo } from "../model/messages.d.ts" */

const DURATION_MS = 5000;
const MAX_ANNOUNCEMENTS = 6;
let timer = 0;

/**
 * Show a notification for a few seconds; a `permanent` one stays until the next. Returns a function that removes it
 * earlier, if it is still shown.
 * @param {string} text
 * @param {{permanent?: boolean}} [options]
 */
export function showNotification(text, { permanent = false } = {}) {
  clearTimeout(timer);
  const element = getById("notification");
  element.textContent = text;
  element.hidden = false;
  if (!permanent) timer = setTimeout(hideNotification, DURATION_MS);
  return () => {
    if (element.textContent === text) hideNotification();
  };
}

export function hideNotification() {
  clearTimeout(timer);
  const element = getById("notification");
  element.textContent = "";
  element.hidden = true;
}

/** @param {ErrorInfo} error */
export function showError(error) {
  showNotification(formatError(error));
}

/**
 * Let screen readers read a text that is not shown.
 * @param {string} text
 */
export function announce(text) {
  const log = getById("announcements");
  log.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (log.childElementCount > MAX_ANNOUNCEMENTS) log.firstElementChild?.remove();
}
