// Owns the form fields and buttons that the views share.

import { el } from "./dom.js";
import { t } from "./language.js";

/** A labelled list to choose from; `options` are names, or pairs of value and text. `pick(value)` hears the choice. */
export function picker({ label, value, options, field, pick, unseen = false }) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const list = el(
    "select",
    { value, dataset: { keep: field, field }, on: { change: (event) => pick(event.target.value) } },
    pairs.map(([each, text]) => el("option", { value: each }, text)),
  );
  return el(
    "label",
    { class: unseen ? "filter" : "field" },
    unseen ? el("span", { class: "unseen" }, label) : label,
    list,
  );
}

/** The list of our own engines, for a `view` that has one and can choose another. */
export function enginePicker(view, field) {
  const options = view.app
    .engines()
    .filter((engine) => !engine.foreign)
    .map((engine) => engine.name);
  const pick = (engine) => view.choose({ engine });
  return picker({ label: t("engine.which"), value: view.engine, options, field, pick });
}

/** A list of times in seconds. */
export function timePicker({ label, value, times, field, pick }) {
  const options = times.map((time) => [time, t("seconds", time)]);
  return picker({ label, value, options, field, pick: (text) => pick(Number(text)) });
}

export function numberField({ label, value, min, max, step = 1, field, pick }) {
  const change = (event) => pick(Number(event.target.value));
  const input = el("input", { type: "number", min, max, step, value, dataset: { keep: field, field }, on: { change } });
  return el("label", { class: "field" }, label, input);
}

export function checkbox({ label, checked, field, pick }) {
  const change = (event) => pick(event.target.checked);
  const box = el("input", { type: "checkbox", checked, dataset: { keep: field, field }, on: { change } });
  return el("label", { class: "check" }, box, label);
}

/** A button that does something; `action` names it for the keyboard's focus and for tests. */
export function button(action, text, click, { kind = "", disabled = false, ...attributes } = {}) {
  const all = {
    type: "button",
    class: kind,
    disabled,
    dataset: { action, keep: action },
    on: { click },
    ...attributes,
  };
  return el("button", all, text);
}
