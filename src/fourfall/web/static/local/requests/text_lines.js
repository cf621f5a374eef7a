// Spaces and ends of lines in pasted texts, as the server sees them.

/** Characters of a class in regular expressions: all spaces and ends of lines, also separators of information. */
export const SPACES = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACE = new RegExp(`[${SPACES}]+`, "g");
const OUTER = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "g");
const LINE_ENDS = "\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029";
const LINE_END = new RegExp(`\\r\\n|[${LINE_ENDS}]`);

/** @param {string} text */
export function trim(text) {
  return text.replace(OUTER, "");
}

/** @param {string} text */
export function removeSpaces(text) {
  return text.replace(SPACE, "");
}

/** @param {string} text */
export function splitWords(text) {
  return text.split(SPACE).filter(Boolean);
}

/**
 * The lines of a text; an end of line at the end of the text does not begin another line.
 * @param {string} text
 */
export function splitLines(text) {
  const lines = text.split(LINE_END);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
