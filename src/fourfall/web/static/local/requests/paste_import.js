// Paste import: reads a game from a position, a link, moves, a JSON record or a text board.

import { RequestError } from "../request_error.js";
import { parseRecord, RecordError } from "./game_record.js";
import { parsePosition } from "./position_parser.js";
import { parseTextBoard } from "./text_board.js";
import { removeSpaces, SPACES, splitLines, trim } from "./text_lines.js";

/** @import { ImportedGame } from "../../model/messages.d.ts" */
/** @import { Position } from "../../model/position.js" */
/** @import { Services } from "../types.d.ts" */

export const MAX_TEXT_LENGTH = 16 << 10;
const MIN_ROWS = 4;
const LINK = new RegExp(`#(?:[a-z]+=)?([^${SPACES}&]+)(?:&ply=(\\d{1,3}))?`, "i");
const POSITION = /^(\d+x\d+(?:@\d+,\d+)?)(?::([\w,]*))?$/;
const MOVES = new RegExp(`^[1-9a-c](?:[${SPACES},;]*[1-9a-c])*$`);
const NUMBERED_MOVES = new RegExp(`^(?:\\d{1,3}\\.+(?:[${SPACES},;]*[1-9a-c]){1,2}[${SPACES}]*)+$`);
const MOVE_NUMBER = /(\d{1,3})\.+/g;

/**
 * Read the game in a text; moves without a board are played on `board`. Throws RequestError.
 * @param {string} pasted
 * @param {string} board
 * @param {Services} services
 * @returns {Promise<ImportedGame>}
 */
export async function importText(pasted, board, services) {
  const text = trim(pasted).replace(/^\ufeff+/, "");
  if (!text) throw new RequestError("no_text");
  /** @param {string} notation */
  const parse = (notation) => parsePosition(notation, services);
  if (text.startsWith("{")) return importJson(text, parse);
  const link = text.includes("://") || text.startsWith("#") ? LINK.exec(decodePercent(text)) : null;
  const linked = link && findPosition(link[1]);
  if (link && linked) {
    const game = describe("position", await parse(linked));
    return { ...game, ply: link[2] === undefined ? null : Math.min(Number(link[2]), game.moves.length) };
  }
  const position = findPosition(text);
  if (position) return describe("position", await parse(position));
  const moves = findMoves(text);
  if (moves) return describe("moves", await parse(`${(await parse(board)).boardNotation}:${moves}`));
  if (splitLines(text).filter(trim).length < MIN_ROWS) throw new RequestError("unknown_text");
  return describe("text_board", parseTextBoard(text, await services.loadEngine()));
}

/**
 * The notation at the beginning of a text; upper case, spaces, commas and wide characters are allowed.
 * @param {string} text
 */
function findPosition(text) {
  const firstLine = splitLines(text)[0]; // in a downloaded text file, a text board follows
  for (const part of [text, firstLine]) {
    const compact = removeSpaces(part.normalize("NFKC").toLowerCase().replaceAll("\u00d7", "x"));
    const found = POSITION.exec(compact);
    if (found && (part === firstLine || MOVES.test(found[2] || "1"))) {
      const moves = (found[2] ?? "").replaceAll(",", "");
      return moves ? `${found[1]}:${moves}` : found[1];
    }
  }
  return null;
}

/**
 * The columns of a list of moves, with or without move numbers; null if the text is something else.
 * @param {string} text
 */
function findMoves(text) {
  let moves = text.normalize("NFKC").toLowerCase();
  const numbers = Array.from(moves.matchAll(MOVE_NUMBER), ([, number]) => Number(number));
  const isAscending = numbers.every((number, index) => index === 0 || number > numbers[index - 1]);
  if (NUMBERED_MOVES.test(moves) && isAscending) moves = trim(moves.replace(MOVE_NUMBER, " "));
  if (!MOVES.test(moves) || isDigitBoard(moves)) return null;
  return moves.replace(/[^1-9a-c]/g, "");
}

/**
 * Whether lines of digits are a text board, not moves: at least 4 equally long lines of 0, 1 and 2.
 * @param {string} text
 */
function isDigitBoard(text) {
  const lines = splitLines(text).map((line) => line.replace(/\W/g, ""));
  const isEven = lines.every(({ length }) => length === lines[0].length);
  return lines.length >= MIN_ROWS && isEven && /^[012]*$/.test(lines.join(""));
}

/**
 * @param {string} text
 * @param {(notation: string) => Promise<Position>} parse
 * @returns {Promise<ImportedGame>}
 */
async function importJson(text, parse) {
  /** @type {Record<string, unknown>} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new RequestError("invalid_json");
  }
  if ("moves" in data && "addresses" in data) {
    try {
      const { start, position, names } = await parseRecord(data, parse);
      return describe("record", position, start, names);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      throw new RequestError("invalid_record", { problem: error.message });
    }
  }
  if (typeof data.position === "string") return describe("record", await parse(data.position));
  throw new RequestError("no_position_in_json");
}

/**
 * @param {ImportedGame["kind"]} kind
 * @param {Position} position
 * @param {Position} [start]
 * @param {[string, string] | null} [names]
 * @returns {ImportedGame}
 */
function describe(kind, position, start = position.rewindTo(0), names = null) {
  return {
    kind,
    start: start.notation,
    moves: position.moves.slice(start.moves.length),
    position: position.notation,
    names,
    move_order: kind === "text_board" ? "reconstructed" : "given",
    ply: null,
  };
}

/**
 * Decode %XX; bytes that are not UTF-8 become replacement characters.
 * @param {string} text
 */
function decodePercent(text) {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = Uint8Array.from(codes.slice(1).split("%"), (code) => Number.parseInt(code, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  });
}
