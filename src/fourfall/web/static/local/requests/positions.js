// Requests about positions: description, images, pasted texts, edited stones and the opening explorer.

import { drawGif } from "../drawing/animated_gif.js";
import { drawAnimation } from "../drawing/animated_svg.js";
import { drawBoard } from "../drawing/board_svg.js";
import { FileResponse } from "./file_response.js";
import { importText, MAX_TEXT_LENGTH } from "./paste_import.js";
import { parsePosition } from "./position_parser.js";
import {
  checkInteger,
  checkList,
  checkObject,
  checkText,
  readChoice,
  readInteger,
  readText,
  refuse,
  require,
} from "./validation.js";
import { formatValue } from "./value_text.js";

/** @import { Cell } from "../../model/messages.d.ts" */
/** @import { Call, Route } from "./router.js" */

const MAX_POSITION_LENGTH = 200;
const MAX_STONES = 144;
const SIDE = { min: 4, max: 12 };
const INDEX = { min: 0, max: 11 };
const SVG_TYPE = "image/svg+xml";

/** @type {Route[]} */
export const positionRoutes = [
  { method: "GET", path: /^\/api\/position$/, handle: describePosition },
  {
    method: "GET",
    path: /^\/api\/board\.svg$/,
    handle: getBoardImage,
  },
  { method: "GET", path: /^\/api\/animation$/, handle: getAnimation },
  { method: "POST", path: /^\/api\/import$/, handle: importGame },
  { method: "POST", path: /^\/api\/stones$/, handle: findStones },
  { method: "GET", path: /^\/api\/explorer$/, handle: explore },
];

/** @param {Call} call */
function readNotation({ query }) {
  return require("position", readText(query, "position", MAX_POSITION_LENGTH));
}

/** @param {Call} call */
async function describePosition(call) {
  const notation = readNotation(call);
  return (await call.services.loadEngine()).describePosition(notation);
}

/**
 * The position of the query. Throws RequestError `bad_position`.
 * @param {Call} call
 */
export async function readPosition(call) {
  return parsePosition(readNotation(call), call.services);
}

/** @param {Call} call */
async function getBoardImage(call) {
  return new FileResponse(drawBoard(await readPosition(call)), SVG_TYPE);
}

/** @param {Call} call */
async function getAnimation(call) {
  const start = readInteger(call.query, "start", { min: 0, max: MAX_STONES }) ?? 0;
  const format = readChoice(call.query, "format", ["svg", "gif"]) ?? "svg";
  const position = await readPosition(call);
  const { length } = position.moves;
  if (start > length) throw refuse(`start must be at most ${length}, the number of stones`);
  if (format === "gif") return new FileResponse(await drawGif(position, start), "image/gif");
  return new FileResponse(drawAnimation(position, start), SVG_TYPE);
}

/** @param {Call} call */
function importGame({ body, services }) {
  const fields = checkObject(body, ["text", "board"]);
  const text = checkText("text", fields.text, MAX_TEXT_LENGTH);
  const board = fields.board === undefined ? "6x7" : checkText("board", fields.board, MAX_POSITION_LENGTH);
  return importText(text, board, services);
}

/** @param {Call} call */
async function findStones({ body, services }) {
  const fields = checkObject(body, ["rows", "cols", "hole", "first", "second"]);
  const stones = {
    rows: checkInteger("rows", fields.rows, SIDE),
    cols: checkInteger("cols", fields.cols, SIDE),
    hole: fields.hole === undefined || fields.hole === null ? null : checkCell("hole", fields.hole),
    first: checkList("first", fields.first, MAX_STONES, checkCell),
    second: checkList("second", fields.second, MAX_STONES, checkCell),
  };
  return (await services.loadEngine()).findStones(stones);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Cell}
 */
function checkCell(name, value) {
  if (!Array.isArray(value)) throw refuse(`${name} must be a valid tuple, not ${formatValue(value)}`);
  if (value.length > 2)
    throw refuse(`${name}: Tuple should have at most 2 items after validation, not ${value.length}`);
  return [checkInteger(`${name}[1]`, value[0], INDEX), checkInteger(`${name}[2]`, value[1], INDEX)];
}

/** @param {Call} call */
async function explore(call) {
  const source = readChoice(call.query, "source", ["page", "arena"]);
  return call.services.games.explore(await readPosition(call), source);
}
