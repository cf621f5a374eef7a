// The card after a game in Play: who won and how, the time used, the turning point, and what to do next.

import { COLUMN_NAMES } from "../model/position.js";
import { createStoneIcon } from "../ui/board_shapes.js";
import { formatClock } from "../ui/clock_display.js";
import { el } from "../ui/dom.js";
import { createButton } from "../ui/form_fields.js";
import { copyLink } from "../ui/share.js";
import { t } from "../words/language.js";
import { describeEnd, formatResult, sumTimes } from "../words/result_text.js";
import { formatPercent } from "../words/score_text.js";

/** @import { GameReply } from "../model/messages.d.ts" */
/** @import { Position } from "../model/position.js" */
/** @import { PlayView } from "./play.js" */

/**
 * @param {PlayView} view
 * @param {GameReply} game
 * @param {Position} position
 */
export function createResultCard(view, game, position) {
  const names = view.getPlayerNames();
  const winner = game.outcome?.winner ?? null;
  const outcome = winner === null ? "draw" : game.you === null || winner === game.you ? "win" : "loss";
  const times = sumTimes(game, position).map((ms) => formatClock(ms));
  return el(
    "section",
    { class: `card tight result-card ${outcome}`, "aria-labelledby": "result-title" },
    el(
      "h2",
      { id: "result-title" },
      winner === null ? [createStoneIcon(0), createStoneIcon(1)] : createStoneIcon(winner),
      formatResult(game, names),
    ),
    el("p", {}, describeEnd(game, position, names)),
    el("p", { class: "small muted" }, t("result.times", names[0], times[0], names[1], times[1])),
    createTurningPoint(view, names),
    el(
      "div",
      { class: "row" },
      createButton(
        "rematch",
        t(game.you === null ? "game.rematch.sides" : "game.rematch"),
        () => view.session.rematch(),
        { variant: "primary" },
      ),
      createButton("review", t("game.review"), () => view.openReview(), { disabled: !game.moves.length }),
      createButton("share", t("game.share"), () => copyLink({ position, ply: position.moves.length })),
    ),
  );
}

/**
 * @param {PlayView} view
 * @param {[string, string]} names
 */
function createTurningPoint(view, names) {
  if (view.turningPoint.isSearching) return el("p", { class: "small muted" }, t("turning_point.searching"));
  const { move } = view.turningPoint;
  if (!move) return null;
  const text = t(
    "turning_point.text",
    move.ply + 1,
    names[move.player],
    COLUMN_NAMES[move.column],
    formatPercent(move.loss),
  );
  const open = createButton("turning-point", t("turning_point.open"), () => view.openReview(move.ply + 1), {
    variant: "link",
  });
  return el("p", { class: "small" }, text, " ", open);
}
