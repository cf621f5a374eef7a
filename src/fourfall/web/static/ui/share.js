// Buttons that copy the link of a position or the code that embeds it, and download it or its whole game.

import { requestBlob, requestText } from "../model/api.js";
import { formatEmbedCode, formatPositionUrl } from "../model/routes.js";
import { t } from "../words/language.js";
import { el } from "./dom.js";
import { createButton } from "./form_fields.js";
import { showError, showNotification } from "./notifications.js";

/** @import { Position } from "../model/position.js" */

/**
 * A game that is shown after `ply` stones; `gameId` is set for games that the server stores.
 * @typedef {{position: Position, ply: number, gameId?: string | null}} SharedGame
 */
/** @typedef {"svg" | "png" | "text" | "gif" | "animation" | "json"} Format */

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
        title: t(`share.format.${format}`),
        dataset: { format },
        on: { click: () => download(format, getGame()).catch(showError) },
      },
      ["text", "animation"].includes(format) ? t(`share.${format}`) : format.toUpperCase(),
    );
  /**
   * @param {string} label
   * @param {Format[]} formats
   */
  const downloadGroup = (label, formats) =>
    el(
      "span",
      { class: "row downloads", role: "group", "aria-label": label },
      el("span", { class: "small muted" }, label),
      formats.map(downloadButton),
    );
  return el(
    "div",
    { class: "row share-buttons" },
    createButton("link", t("share.copy_link"), () => copyLink(getGame())),
    createButton("embed", t("share.copy_embed"), () => copyEmbedCode(getGame()), { title: t("share.embed.help") }),
    downloadGroup(t("share.download"), ["svg", "png", "text"]),
    downloadGroup(t("share.game"), ["gif", "animation", "json"]),
  );
}

/** @param {SharedGame} game */
export function copyLink({ position, ply }) {
  return copyText(formatPositionUrl(position, ply), "share.copy_link", "share.copied");
}

/** @param {SharedGame} game */
function copyEmbedCode({ position, ply }) {
  return copyText(formatEmbedCode(position, ply), "share.copy_embed", "share.embed.copied");
}

/**
 * @param {string} text
 * @param {string} title of the dialog in which the user copies by hand if the browser does not allow it
 * @param {string} success
 */
async function copyText(text, title, success) {
  try {
    await navigator.clipboard.writeText(text);
    showNotification(t(success));
  } catch {
    prompt(t(title), text);
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
  } else if (format === "gif" || format === "animation") {
    const [type, suffix] = format === "gif" ? ["gif", "gif"] : ["svg", "animated.svg"];
    const query = new URLSearchParams({ position: position.notation, format: type });
    const hideNotification = showNotification(t("share.drawing"));
    save([await requestBlob(`/api/animation?${query}`)], "", `${name}.${suffix}`);
    hideNotification();
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
