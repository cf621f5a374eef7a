// The field for pasted text: positions, links, moves, JSON records and text boards. Errors are shown next to it.

import { requestJson } from "../model/api.js";
import { Position } from "../model/position.js";
import { parseFragment } from "../model/routes.js";
import { formatError } from "../words/error_text.js";
import { t } from "../words/language.js";
import { el, replaceContent } from "./dom.js";
import { createButton } from "./form_fields.js";
import { showNotification } from "./notifications.js";

/** @import { ApiError } from "../model/api.js" */
/** @import { ImportedGame } from "../model/messages.d.ts" */
/** @import { Route } from "../model/routes.js" */

const GAME_LINK = /#(?:play|analyse|review)=[pa]\w+(?:&\S*)?/;

export class PasteField {
  /**
   * @param {object} properties
   * @param {() => string} properties.getBoard notation of the board on which a list of moves is played
   * @param {(position: Position, game: ImportedGame) => unknown} properties.onGame
   * @param {(link: string) => unknown} properties.onLink called with the fragment of a link to a stored game
   */
  constructor({ getBoard, onGame, onLink }) {
    this.getBoard = getBoard;
    this.onGame = onGame;
    this.onLink = onLink;
    this.requestNumber = 0;
    this.field = el("textarea", {
      rows: 2,
      id: "paste-field",
      spellcheck: "false",
      autocapitalize: "off",
      "aria-describedby": "paste-help paste-error",
      dataset: { focusKey: "paste", field: "paste" },
      on: {
        paste: () => setTimeout(() => this.submit()),
        keydown: (event) => event.key === "Enter" && !event.shiftKey && this.submitByKey(event),
      },
    });
    this.error = el("p", { class: "error-text", role: "alert", id: "paste-error" });
    this.element = el("div", { class: "paste-field stack" });
    this.render();
  }

  render() {
    replaceContent(
      this.element,
      el("label", { class: "field", for: "paste-field" }, t("paste.title")),
      el(
        "div",
        { class: "paste-row" },
        this.field,
        createButton("open-pasted", t("button.open"), () => this.submit()),
      ),
      this.error,
      el("p", { class: "small muted", id: "paste-help" }, t("paste.help")),
    );
  }

  /** @param {KeyboardEvent} event Enter in a text of one line */
  submitByKey(event) {
    if (this.field.value.includes("\n")) return;
    event.preventDefault();
    this.submit();
  }

  /**
   * Put a text that was pasted elsewhere into the field and open it.
   * @param {string} text
   */
  paste(text) {
    this.field.value = text;
    return this.submit();
  }

  /** Open the game in the text. After an error the text stays in the field. */
  async submit() {
    const text = this.field.value;
    this.requestNumber += 1;
    const number = this.requestNumber;
    this.error.textContent = "";
    const link = GAME_LINK.exec(text)?.[0];
    if (link && isGameLink(parseFragment(link))) {
      this.field.value = "";
      this.onLink(link.slice(1));
      return;
    }
    try {
      const body = { text, board: this.getBoard() };
      /** @type {ImportedGame} */
      const game = await requestJson("/api/import", { method: "POST", body });
      if (number !== this.requestNumber) return;
      this.field.value = "";
      this.onGame(Position.fromServer(game.position), game);
      showNotification(t(game.move_order === "reconstructed" ? "import.reconstructed" : `paste.done.${game.kind}`));
    } catch (error) {
      if (number === this.requestNumber) this.error.textContent = formatError(/** @type {ApiError} */ (error));
    }
  }
}

/** @param {Route} route */
function isGameLink({ argument, isBroken }) {
  return Boolean(argument) && !isBroken;
}
