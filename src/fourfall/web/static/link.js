// Owns the address of every place in the page: what the fragment means, and how a position is linked.

import { Position } from "./rules.js";

const GAME = /^(p[A-Za-z0-9]{16}|a\d{1,18})$/;

export const VIEWS = ["play", "analyse", "review", "watch", "games"];

/** Read a fragment: `#10x11@4,7:6655&ply=2` is a position to analyse, `#watch=3` a view and what it shows. */
export function readLink(fragment) {
  let text = fragment.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    return { view: "play", broken: true };
  }
  const [main, ...rest] = text.split("&");
  const [, ply] = rest.map((part) => /^ply=(\d+)$/.exec(part)).find(Boolean) ?? [];
  const at = ply === undefined ? null : Number(ply);
  if (/^\d/.test(main)) {
    const position = Position.parse(main);
    return position ? { view: "analyse", position, ply: at } : { view: "play", broken: true };
  }
  const [view, what = null] = main.split("=");
  if (!VIEWS.includes(view)) return { view: "play", broken: text !== "" && text !== "main" };
  const position = what === null ? null : Position.parse(what);
  if (position) return { view, position, ply: at };
  const studied = view === "analyse" || view === "review";
  return studied && what !== null && !GAME.test(what) ? { view, broken: true } : { view, what, ply: at };
}

/** The fragment of a game, seen after `ply` stones. */
export function positionLink(position, ply = position.moves.length) {
  return `#${position.text}${ply === position.moves.length ? "" : `&ply=${ply}`}`;
}

export function fullLink(position, ply) {
  return `${location.origin}/${positionLink(position, ply)}`;
}

/** Write the address bar without leaving the page or filling its history. */
export function settle(fragment) {
  if (location.hash !== fragment) history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
}
