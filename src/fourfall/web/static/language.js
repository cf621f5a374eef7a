// Owns the language of the page: English or Chinese, chosen once and remembered.

import { recall, remember } from "./memory.js";
import en from "./words_en.js";
import zh from "./words_zh.js";

const WORDS = { en, zh };
const listeners = new Set();

let current = recall("language");
if (!(current in WORDS)) current = (navigator.language ?? "").toLowerCase().startsWith("zh") ? "zh" : "en";

/** The words for a key, with `{0}`, `{1}` … replaced by the values; a function builds its own sentence. */
export function t(key, ...values) {
  const words = WORDS[current][key] ?? WORDS.en[key] ?? key;
  if (typeof words === "function") return words(...values);
  return words.replace(/\{(\d)\}/g, (_, at) => values[at] ?? "");
}

export function hasWords(key) {
  return key in WORDS.en;
}

export function language() {
  return current;
}

export function setLanguage(name) {
  current = name;
  remember("language", name);
  apply();
  for (const listener of listeners) listener();
}

export function onLanguage(listener) {
  listeners.add(listener);
}

/** Put the language on the document and on what index.html wrote itself. */
export function apply() {
  document.documentElement.lang = current === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}

export function number(value, digits = 0) {
  return value.toLocaleString(current === "zh" ? "zh-CN" : "en", {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
}

/** 1 234 567 as "1.2 M", for counts that change while one looks. */
export function compact(value) {
  if (value < 1000) return number(value);
  return value < 1e6 ? `${number(value / 1e3, value < 1e4 ? 1 : 0)} k` : `${number(value / 1e6, 1)} M`;
}

export function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString(current === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
}
