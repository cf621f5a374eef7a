// Writes facts as sentences in English and Chinese.

import * as chinese from "./chinese.js";
import * as english from "./english.js";
import { MoveNames } from "./writer.js";

/** @import { Board } from "../board.js" */
/** @import { Fact } from "../facts.js" */

/** @typedef {"en" | "zh"} Language */

export const MAX_SENTENCES = 3;

const LANGUAGES = { en: english, zh: chinese };

/**
 * One to three sentences about the facts; a fact whose sentences do not fit any more is left out.
 * @param {Board} board the position before the move
 * @param {number} column the explained move
 * @param {Fact[]} facts
 * @param {Language} language
 * @returns {string[]}
 */
export function writeSentences(board, column, facts, language) {
  const { COLOURS, NOTHING, SENTENCES } = LANGUAGES[language];
  const names = new MoveNames(board, column, COLOURS);
  /** @type {string[]} */
  const sentences = [];
  for (const fact of facts) {
    const written = [SENTENCES[fact.kind](names, fact)].flat();
    if (sentences.length + written.length <= MAX_SENTENCES) sentences.push(...written);
  }
  return sentences.length ? sentences : [NOTHING];
}
