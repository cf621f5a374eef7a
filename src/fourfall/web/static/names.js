// Owns how players are called: levels and the person in the reader's language, engines and bots by their own names.

import { t } from "./language.js";

export function displayName(name) {
  if (name === "you") return t("you");
  const level = /^level-(\d+)$/.exec(name)?.[1];
  return level ? t("level.name", level) : name;
}

/** The name of an event; those that the page's own matches carry are put together from their players. */
export function eventName(name) {
  const [, one, other] = /^(\S+) against (\S+)$/.exec(name) ?? [];
  return one ? t("against", displayName(one), displayName(other)) : name;
}
