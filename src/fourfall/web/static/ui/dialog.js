// The dialog of the page: shows content, and asks questions that a double click cannot answer.

import { t } from "../words/language.js";
import { el, getById, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";

/** @import { Children } from "./dom.js" */

/** The button that confirms does nothing for this time, so that a second click of a double click cannot hit it. */
const ARMING_MS = 700;

/** @returns {HTMLDialogElement} */
function getDialog() {
  return /** @type {HTMLDialogElement} */ (getById("dialog"));
}

/**
 * Open the dialog; the title gets the focus, so that a repeated key activates no button.
 * @param {string} title
 * @param {...Children} content
 */
export function showDialog(title, ...content) {
  const dialog = getDialog();
  const heading = el("h2", { id: "dialog-title", tabindex: -1, autofocus: true }, title);
  replaceContent(dialog, el("div", { class: "stack" }, heading, ...content));
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/**
 * Ask before an action. Escape and every way to close the dialog mean no.
 * @param {{title: string, text: string, confirmText: string, cancelText: string}} question
 * @returns {Promise<boolean>}
 */
export function askToConfirm({ title, text, confirmText, cancelText }) {
  let isConfirmed = false;
  const confirm = createButton(
    "confirm",
    confirmText,
    () => {
      isConfirmed = true;
      dialog.close();
    },
    { disabled: true, variant: "danger" },
  );
  const cancel = createButton("cancel", cancelText, () => dialog.close(), { variant: "primary" });
  const dialog = showDialog(title, el("p", {}, text), el("div", { class: "row spread" }, cancel, confirm));
  setTimeout(() => confirm.removeAttribute("disabled"), ARMING_MS);
  return new Promise((resolve) => {
    const handleClose = () => {
      if (dialog.open) return; // the event of an earlier dialog, which arrives late
      dialog.removeEventListener("close", handleClose);
      resolve(isConfirmed);
    };
    dialog.addEventListener("close", handleClose);
  });
}

/** A button that closes the dialog. @param {string} [text] */
export function createCloseButton(text = t("button.close")) {
  return createButton("close", text, () => getDialog().close(), { variant: "primary" });
}
