// Display names of players and events. Levels and the user are translated; other agents keep their names.

import { t } from "./language.js";

/** @param {string} name */
export function translatePlayerName(name) {
  if (name === "you") return t("player.you");
  if (name === "Blue" || name === "Orange") return t(name === "Blue" ? "side.blue" : "side.orange");
  if (name === "human") return t("player.person");
  const level = /^level-(\d+)$/.exec(name)?.[1];
  return level ? t("player.level", level) : name;
}

/**
 * @param {[string, string]} names
 * @returns {[string, string]}
 */
export function translatePlayerNames(names) {
  return [translatePlayerName(names[0]), translatePlayerName(names[1])];
}

/**
 * Matches that the page started are named "A against B", a ladder "ladder"; other events keep their names.
 * @param {string} name
 */
export function translateEventName(name) {
  if (name === "ladder") return t("event.ladder");
  const [, a, b] = /^(.+?) against (.+)$/.exec(name) ?? [];
  return a ? t("event.match_name", translatePlayerName(a), translatePlayerName(b)) : name;
}

/** @returns {[string, string]} */
export function getSideNames() {
  return [t("side.blue"), t("side.orange")];
}
