// Form fields and buttons that several views use. `field` and `action` identify them for focus and for tests.

import { t } from "../words/language.js";
import { el } from "./dom.js";

/** @import { App } from "../app.js" */
/** @import { Attributes, Child } from "./dom.js" */

/**
 * A labelled drop-down list; `options` are pairs of value and text.
 * @param {object} properties
 * @param {string} properties.label
 * @param {string | number} properties.value
 * @param {[value: string | number, text: string][]} properties.options
 * @param {string} properties.field
 * @param {(value: string) => unknown} properties.onChange
 * @param {boolean} [properties.hideLabel] shows the label to screen readers only
 */
export function createSelectField({ label, value, options, field, onChange, hideLabel = false }) {
  const change = () => {
    onChange(list.value);
  };
  const list = el(
    "select",
    { value, dataset: { focusKey: field, field }, on: { change } },
    options.map(([option, text]) => el("option", { value: option }, text)),
  );
  return el(
    "label",
    { class: hideLabel ? "filter" : "field" },
    hideLabel ? el("span", { class: "visually-hidden" }, label) : label,
    list,
  );
}

/**
 * The list of engines that can analyse: all but third-party agents.
 * @param {object} properties
 * @param {App} properties.app
 * @param {string} properties.value
 * @param {string} properties.field
 * @param {(engine: string) => unknown} properties.onChange
 */
export function createEngineField({ app, value, field, onChange }) {
  const names = app.engines.filter((engine) => !engine.third_party).map((engine) => engine.name);
  return createSelectField({
    label: t("engine.name"),
    value,
    options: names.map((name) => [name, name]),
    field,
    onChange,
  });
}

/**
 * The filter of stored games: all games, those of the page, or those of the arena.
 * @param {object} properties
 * @param {string} properties.value "page", "arena" or "" for all games
 * @param {string} properties.field
 * @param {(source: string) => unknown} properties.onChange
 */
export function createSourceField({ value, field, onChange }) {
  return createSelectField({
    label: t("games.source"),
    value,
    options: [
      ["", t("games.source.all")],
      ["page", t("games.source.page")],
      ["arena", t("games.source.arena")],
    ],
    field,
    onChange,
    hideLabel: true,
  });
}

/**
 * A list of times in seconds.
 * @param {object} properties
 * @param {string} properties.label
 * @param {number} properties.value
 * @param {number[]} properties.times
 * @param {string} properties.field
 * @param {(seconds: number) => unknown} properties.onChange
 */
export function createTimeField({ label, value, times, field, onChange }) {
  /** @type {[number, string][]} */
  const options = times.map((time) => [time, t("time.seconds", time)]);
  return createSelectField({ label, value, options, field, onChange: (text) => onChange(Number(text)) });
}

/**
 * @param {object} properties
 * @param {string} properties.label
 * @param {number} properties.value
 * @param {number} properties.min
 * @param {number} properties.max
 * @param {number} [properties.step]
 * @param {string} properties.field
 * @param {(value: number) => unknown} properties.onChange
 */
export function createNumberField({ label, value, min, max, step = 1, field, onChange }) {
  const range = { type: "number", min, max, step, value };
  const change = () => {
    onChange(Number(input.value));
  };
  const input = el("input", { ...range, dataset: { focusKey: field, field }, on: { change } });
  return el("label", { class: "field" }, label, input);
}

/**
 * @param {object} properties
 * @param {string} properties.label
 * @param {boolean} properties.checked
 * @param {string} properties.field
 * @param {(checked: boolean) => unknown} properties.onChange
 */
export function createCheckboxField({ label, checked, field, onChange }) {
  const change = () => {
    onChange(input.checked);
  };
  const input = el("input", { type: "checkbox", checked, dataset: { focusKey: field, field }, on: { change } });
  return el("label", { class: "checkbox" }, input, label);
}

/**
 * @param {string} action
 * @param {Child} content
 * @param {() => unknown} onClick
 * @param {Attributes & {variant?: string, disabled?: boolean}} [attributes] `variant` is the CSS class
 */
export function createButton(action, content, onClick, { variant = "", disabled = false, ...attributes } = {}) {
  const dataset = { action, focusKey: action };
  const all = { type: "button", class: variant, disabled, dataset, on: { click: () => onClick() }, ...attributes };
  return el("button", all, content);
}
