// Completes clicks on controls that the page draws again while the mouse button is down.
// A browser sends no click if the pressed element has been removed, although an equal one has taken its place.

import { findClosest } from "./dom.js";

const CONTROLS = "button, a[href], input:is([type=checkbox], [type=radio])";

export function completeInterruptedClicks() {
  /** The control on which the mouse button went down. @type {HTMLElement | null} */
  let pressed = null;
  document.addEventListener(
    "pointerdown",
    (event) => {
      pressed = isPlainClick(event) ? findClosest(event, CONTROLS) : null;
    },
    { capture: true },
  );
  document.addEventListener(
    "pointerup",
    (event) => {
      const removed = pressed?.isConnected === false && isPlainClick(event) ? pressed : null;
      pressed = null;
      const control = removed && findClosest(event, CONTROLS);
      if (removed && control && isSameControl(removed, control)) control.click();
    },
    { capture: true },
  );
}

/** @param {PointerEvent} event */
function isPlainClick(event) {
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  return event.button === 0 && event.pointerType !== "touch" && !hasModifier;
}

/**
 * @param {HTMLElement} first
 * @param {HTMLElement} second
 */
function isSameControl(first, second) {
  const keys = [first, second].map((control) => [
    control.tagName,
    control.dataset.focusKey ?? control.dataset.ply ?? control.getAttribute("href"),
  ]);
  return keys[0][1] !== null && keys[0].every((part, index) => part === keys[1][index]);
}
