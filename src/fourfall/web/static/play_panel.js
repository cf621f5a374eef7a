// Owns what stands beside the board during a game: the players, the buttons, the moves.

import { el } from "./dom.js";
import { button } from "./fields.js";
import { t } from "./language.js";
import { NAMES } from "./rules.js";
import { scoreText } from "./scores.js";
import { shareButtons } from "./share.js";
import { badge } from "./stones.js";

/** The cards for `view`, the Play in front, with a game. */
export function playPanel(view) {
  const { game, position } = view;
  const share = shareButtons(() => ({ position, ply: position.moves.length, game: game.game }));
  return [
    el("section", { class: "card" }, players(view), hintWords(view.hint), mainButtons(view), quietButtons(view)),
    el(
      "section",
      { class: "card tight" },
      el("h2", {}, t("moves")),
      el("p", { class: "code played" }, position.moveText || "–"),
      share,
    ),
  ];
}

function players(view) {
  const { game, position } = view;
  const winner = game.status === "over" ? game.outcome.winner : null;
  const turn = game.status === "over" ? null : position.turn;
  return el(
    "div",
    { class: "players" },
    view.playerNames().map((name, player) => {
      const words = turn === player ? t("moves.now") : winner === player ? t("winner") : "";
      const kind = turn === player ? "turn" : winner === player ? "winner" : "";
      return el(
        "div",
        { class: kind },
        badge(player),
        el("span", {}, name),
        el("span", { class: "faint small" }, words),
      );
    }),
  );
}

function hintWords(hint) {
  if (!hint) return null;
  const words = hint.waiting ? t("hint.waiting") : t("hint.text", NAMES[hint.column], scoreText(hint.score));
  return el("p", { class: "small hint-text" }, words);
}

function mainButtons(view) {
  const { game, can, app } = view;
  const over = game.status === "over";
  const review = () => app.review(view.about());
  return el(
    "div",
    { class: "row" },
    over ? button("rematch", t("rematch"), () => view.rematch(), { kind: "primary" }) : null,
    over ? button("review", t("review.this"), review, { disabled: !game.moves.length }) : null,
    over ? null : button("hint", t("hint"), () => view.askHint(), { disabled: !can.hint }),
    button("undo", t("undo"), () => view.send("undo"), { disabled: !can.undo }),
    button("redo", t("redo"), () => view.send("redo"), { disabled: !can.redo }),
  );
}

function quietButtons(view) {
  const kind = "quiet";
  const playing = view.game.status === "playing";
  return el(
    "div",
    { class: "row" },
    playing ? button("resign", t(view.sure ? "resign.sure" : "resign"), () => view.resign(), { kind }) : null,
    button("analyse", t("analyse.this"), () => view.app.analyse(view.about()), { kind }),
    button("new", t("new.game"), () => view.fresh(), { kind }),
  );
}
