// Writes values into error messages as the server does, which is written in Python.

const MAX_LENGTH = 60;
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;
/** @type {Record<string, string>} */
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Write a JSON value; a long one is shortened to 60 characters.
 * @param {unknown} value
 */
export function formatValue(value) {
  const characters = [...formatWhole(value)];
  return characters.length <= MAX_LENGTH ? characters.join("") : `${characters.slice(0, MAX_LENGTH - 3).join("")}...`;
}

/**
 * Write a text in quotation marks, with escapes for characters that are not printable.
 * @param {string} text
 */
export function quoteText(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = Array.from(text, (character) => {
    if (character === mark) return `\\${character}`;
    if (ESCAPES[character]) return ESCAPES[character];
    return character !== " " && NOT_PRINTABLE.test(character) ? escapeCode(character) : character;
  });
  return mark + escaped.join("") + mark;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function formatWhole(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoteText(value);
  if (Array.isArray(value)) return `[${value.map(formatWhole).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const items = Object.entries(value).map(([key, item]) => `${quoteText(key)}: ${formatWhole(item)}`);
  return `{${items.join(", ")}}`;
}

/** @param {string} character */
function escapeCode(character) {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
