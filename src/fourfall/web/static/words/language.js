// The language of the page, English or Chinese: strings, numbers and dates in the chosen language.

import { loadSetting, saveSetting } from "../model/storage.js";
import { words as en } from "./en.js";
import { words as zh } from "./zh.js";

/** @typedef {"en" | "zh"} Language */
/** @typedef {string | number} WordValue */
/** Strings by key; a function builds the string from the values. */
/** @typedef {Record<string, string | ((...values: WordValue[]) => string)>} Words */

/** @type {Record<Language, Words>} */
const WORDS = { en, zh };
/** @type {Set<() => void>} */
const listeners = new Set();

let current = detectLanguage();

/** @returns {Language} */
function detectLanguage() {
  const stored = loadSetting("language", /** @type {string | null} */ (null));
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/**
 * Translate: the string for a key, with `{0}`, `{1}` … replaced by the values. Chinese strings have spaces around values
 * that are often Latin; between two Chinese characters the space is removed.
 * @param {string} key
 * @param {...WordValue} values
 * @returns {string}
 */
export function t(key, ...values) {
  const word = WORDS[current][key] ?? key;
  if (typeof word === "function") return word(...values);
  const text = word.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ""));
  return text.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "");
}

/**
 * Add the strings of a part of the page that is loaded later.
 * @param {Words} english
 * @param {Words} chinese
 */
export function addWords(english, chinese) {
  Object.assign(WORDS.en, english);
  Object.assign(WORDS.zh, chinese);
}

/** @returns {Language} */
export function getLanguage() {
  return current;
}

export function switchLanguage() {
  current = current === "en" ? "zh" : "en";
  saveSetting("language", current);
  applyLanguage();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export function onLanguageChange(listener) {
  listeners.add(listener);
}

/** Set the document's language and translate the elements of index.html that have a `data-word`. */
export function applyLanguage() {
  document.documentElement.lang = current === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-word]")) {
    if (element instanceof HTMLElement) element.textContent = t(element.dataset.word ?? "");
  }
}

/**
 * @param {number} value
 * @param {number} [digits] after the decimal point
 */
export function formatNumber(value, digits = 0) {
  return value.toLocaleString(current === "zh" ? "zh-CN" : "en", {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
}

/**
 * Format a large count with few digits: 1 234 567 becomes "1.2 M", in Chinese "123.5 万".
 * @param {number} value
 */
export function formatCompact(value) {
  if (current === "zh") return value < 1e4 ? formatNumber(value) : `${formatNumber(value / 1e4, 1)} 万`;
  if (value < 1000) return formatNumber(value);
  return value < 1e6 ? `${formatNumber(value / 1e3, value < 1e4 ? 1 : 0)} k` : `${formatNumber(value / 1e6, 1)} M`;
}

/** @param {string} text a date and time in ISO 8601 */
export function formatDate(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString(current === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
}
