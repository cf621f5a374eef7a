// English plural forms.

/** @import { WordValue } from "./language.js" */

const RULES = new Intl.PluralRules("en");

/**
 * A count with the singular or plural of its noun: "1 ply", "2 plies", "1.2 k nodes".
 * @param {WordValue} count a number, or its text in the language of the page
 * @param {string} singular
 * @param {string} [plural]
 */
export function counted(count, singular, plural = `${singular}s`) {
  return `${count} ${RULES.select(Number(count)) === "one" ? singular : plural}`;
}
