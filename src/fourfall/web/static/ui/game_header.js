// The heading of a game: players with the winner, how the game ended, its event, and the source of the evaluation.

import { formatNumber, t } from "../words/language.js";
import { translateEventName } from "../words/player_names.js";
import { el } from "./dom.js";
import { createPlayerLabels } from "./player_labels.js";

/** @import { GameViewer } from "./game_viewer.js" */

/**
 * The players of a stored game, or a title.
 * @param {GameViewer} viewer
 * @param {string} title
 */
export function createGameHeading(viewer, title) {
  const { names, outcome } = viewer.info;
  if (!names) return el("h2", {}, title);
  return el("h2", { class: "game-players" }, createPlayerLabels(names, outcome?.winner ?? null));
}

/**
 * How the game ended, its event, and the time of the selected move; in a variation, where it leaves the game.
 * @param {GameViewer} viewer
 */
export function createGameFacts(viewer) {
  const { info, branchPly } = viewer;
  const { ply, time_ms } = viewer.current;
  /** @type {(string | HTMLElement)[]} */
  const facts = [];
  if (info.outcome) facts.push([t(`ending.${info.outcome.ending}`), info.outcome.detail].filter(Boolean).join(": "));
  if (info.event && info.event_name) {
    facts.push(el("a", { href: `#watch=${info.event}` }, translateEventName(info.event_name)));
  }
  if (branchPly === null && time_ms !== null) facts.push(t("move.time", ply, formatNumber(time_ms / 1000, 3)));
  return facts.flatMap((fact, index) => (index ? [" · ", fact] : [fact]));
}

/**
 * Which engine evaluated the positions of the game, and how far the evaluation is.
 * @param {GameViewer} viewer
 */
export function createEvaluationCaption({ evaluation, gameLine }) {
  if (!evaluation) return null;
  const { source, engine, isRunning, queuePlace } = evaluation;
  if (!isRunning) return t(`evaluation.${source}`, engine);
  if (queuePlace) return t("evaluation.queued", engine, queuePlace);
  const done = gameLine.filter((node) => node.score || node.position.isOver).length;
  const text = t("evaluation.progress", engine, done, gameLine.length);
  const progress = el("progress", { max: gameLine.length, value: done, "aria-label": text });
  return [el("span", {}, text), progress];
}
