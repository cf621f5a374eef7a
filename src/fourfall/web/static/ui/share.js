// Buttons that copy the link of a position, download it as SVG, PNG or text, or download its game as JSON.

import { requestText } from "../model/api.js";
import { formatPositionUrl } from "../model/routes.js";
import { t } from "../words/language.js";
import { el } from "./dom.js";
import { createButton } from "./form_fields.js";
import { showError, showNotification } from "./notifications.js";

/** @import { Position } from "../model/position.js" */

/**
 * A game that is shown after `ply` stones; `gameId` is set for games that the server stores.
 * @typedef {{position: Position, ply: number, gameId?: string | null}} SharedGame
 */
/** @typedef {"svg" | "png" | "text" | "json"} Format */

const PNG_SCALE = 2;
const REVOKE_DELAY_MS = 10_000;

/** @param {() => SharedGame} getGame called at the click */
export function createShareButtons(getGame) {
  /** @param {Format} format */
  const downloadButton = (format) =>
    el(
      "button",
      {
        type: "button",
        class: "compact",
        dataset: { format },
        on: { click: () => download(format, getGame()).catch(showError) },
      },
      format === "text" ? t("share.text") : format.toUpperCase(),
    );
  /** @type {Format[]} */
  const formats = ["svg", "png", "text", "json"];
  return el(
    "div",
    { class: "row share-buttons" },
    createButton("link", t("share.copy_link"), () => copyLink(getGame())),
    el(
      "span",
      { class: "row downloads", role: "group", "aria-label": t("share.download") },
      el("span", { class: "small muted" }, t("share.download")),
      formats.map(downloadButton),
    ),
  );
}

/** @param {SharedGame} game */
export async function copyLink({ position, ply }) {
  const url = formatPositionUrl(position, ply);
  try {
    await navigator.clipboard.writeText(url);
    showNotification(t("share.copied"));
  } catch {
    prompt(t("share.copy_link"), url);
  }
}

/**
 * @param {Format} format
 * @param {SharedGame} game
 */
async function download(format, { position, ply, gameId }) {
  const shown = position.rewindTo(ply);
  const name = `fourfall-${shown.notation.replaceAll(/[^\w-]+/g, "_").slice(0, 60)}`;
  if (format === "text") {
    save([`${shown.notation}\n\n${shown.toTextBoard()}\n`], "text/plain", `${name}.txt`);
  } else if (format === "json") {
    const text = gameId
      ? await requestText(`/api/games/${gameId}/download?format=json`)
      : JSON.stringify({ position: position.notation });
    save([text], "application/json", `${name}.json`);
  } else {
    const image = await requestText(`/api/board.svg?position=${encodeURIComponent(shown.notation)}`);
    if (format === "svg") save([image], "image/svg+xml", `${name}.svg`);
    else save([await renderPng(image)], "image/png", `${name}.png`);
  }
}

/**
 * @param {string} source of an SVG image
 * @returns {Promise<Blob>}
 */
async function renderPng(source) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = el("canvas", { width: image.width * PNG_SCALE, height: image.height * PNG_SCALE });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser has no 2D canvas");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the image cannot be converted"))), "image/png"),
  );
}

/**
 * @param {BlobPart[]} content
 * @param {string} type
 * @param {string} name
 */
function save(content, type, name) {
  const link = el("a", { href: URL.createObjectURL(new Blob(content, { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY_MS);
}
