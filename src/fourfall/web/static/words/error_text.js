// Sentences about errors of the server, in the language of the page.

import { errors as en } from "./errors_en.js";
import { errors as zh } from "./errors_zh.js";
import { getLanguage, t } from "./language.js";

/** @import { ErrorInfo } from "../model/messages.d.ts" */

const ERRORS = { en, zh };
const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Build the sentence from the error's code and parameters. An unknown code or a missing parameter gives the server's
 * English message.
 * @param {ErrorInfo} error
 * @returns {string}
 */
export function formatError({ code, params = {}, message }) {
  if (code === "offline") return t("page.offline");
  const sentence = ERRORS[getLanguage()][code];
  if (sentence === undefined) return message;
  const names = Array.from(sentence.matchAll(PLACEHOLDER), ([, name]) => name);
  if (names.some((name) => params[name] === undefined)) return message;
  return sentence.replace(PLACEHOLDER, (_, name) => String(params[name]));
}
