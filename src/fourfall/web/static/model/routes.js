// The fragment of the address: which view and position it names, and the links of positions.

import { Position } from "./position.js";

/** @typedef {"play" | "analyse" | "review" | "learn" | "watch" | "games"} ViewName */
/**
 * `argument` is what follows `view=`, for example a game id; `line` are the moves of a variation of this game;
 * `isBroken` marks a link that cannot be shown.
 * @typedef {object} Route
 * @property {ViewName} view
 * @property {Position} [position]
 * @property {string | null} [argument]
 * @property {string | null} [line]
 * @property {number | null} ply
 * @property {boolean} [isBroken]
 */

/** @type {ViewName[]} */
export const VIEWS = ["play", "analyse", "review", "learn", "watch", "games"];
/** Names of the pages of the view Learn, which an address has instead of the view: `#lesson=2`. */
const LEARN_PAGES = ["lesson", "puzzle", "puzzles"];

const GAME_ID = /^(p[A-Za-z0-9]{16}|a\d{1,18})$/;
/** @type {Route} */
const BROKEN = { view: "play", ply: null, isBroken: true };

/**
 * @param {string} name
 * @returns {name is ViewName}
 */
function isViewName(name) {
  return VIEWS.some((view) => view === name);
}

/**
 * Parse a fragment: `#10x11@4,7:6655&ply=2` is a position to analyse, `#watch=3` a view with its argument,
 * `#review=a17&line=4455&ply=3` a variation of a stored game, `#play=6x7:44` the set-up of a game from a position,
 * `#lesson=2` a page of the view Learn.
 * @param {string} fragment
 * @returns {Route}
 */
export function parseFragment(fragment) {
  let text = fragment.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    return BROKEN;
  }
  const [main, ...options] = text.split("&");
  const plyText = options.map((option) => /^ply=(\d+)$/.exec(option)?.[1]).find(Boolean);
  const ply = plyText === undefined ? null : Number(plyText);
  const line = options.map((option) => /^line=([1-9a-c]+)$/.exec(option)?.[1]).find(Boolean) ?? null;
  if (/^\d/.test(main)) {
    const position = Position.parse(main);
    return position ? { view: "analyse", position, ply } : BROKEN;
  }
  const [view, argument = null] = main.split("=");
  if (LEARN_PAGES.includes(view)) return { view: "learn", argument: main, ply };
  if (!isViewName(view)) return { ...BROKEN, isBroken: text !== "" && text !== "main" };
  const position = argument === null ? null : Position.parse(argument);
  if (position) return { view, position, ply };
  const needsGame = view === "analyse" || view === "review";
  if (needsGame && argument !== null && !GAME_ID.test(argument)) return { view, ply: null, isBroken: true };
  return { view, argument, line, ply };
}

/**
 * The fragment of a game that is shown after `ply` stones.
 * @param {Position} position
 * @param {number} [ply]
 */
export function formatPositionFragment(position, ply = position.moves.length) {
  return `#${position.notation}${ply === position.moves.length ? "" : `&ply=${ply}`}`;
}

/**
 * The fragment of a game in Analyse or Review. A stored game keeps its id, also while a variation is shown.
 * @param {"analyse" | "review"} view
 * @param {object} game
 * @param {string | null} game.gameId
 * @param {Position} game.position the last position of the game or of the variation
 * @param {number} game.ply
 * @param {boolean} game.isVariation
 */
export function formatGameFragment(view, { gameId, position, ply, isVariation }) {
  const fragment = formatPositionFragment(position, ply);
  if (!gameId) return view === "analyse" ? fragment : `#${view}=${fragment.slice(1)}`;
  const line = isVariation ? `&line=${position.moveNotation}` : "";
  return `#${view}=${gameId}${line}${ply === position.moves.length ? "" : `&ply=${ply}`}`;
}

/**
 * @param {Position} position
 * @param {number} ply
 */
export function formatPositionUrl(position, ply) {
  return new URL(`./${formatPositionFragment(position, ply)}`, location.href).href;
}

/**
 * HTML that shows a game in another page: the board without controls, which plays the moves after `ply` stones.
 * @param {Position} position
 * @param {number} ply
 */
export function formatEmbedCode(position, ply) {
  const height = Math.round((480 * position.rows) / position.cols);
  const source = new URL(`embed.html${formatPositionFragment(position, ply)}`, location.href).href;
  return `<iframe src="${source}" width="480" height="${height}" title="Fourfall" loading="lazy"></iframe>`;
}

/**
 * Change the fragment in the address bar without an entry in the browser's history.
 * @param {string} fragment
 */
export function replaceFragment(fragment) {
  if (location.hash !== fragment) history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
}
