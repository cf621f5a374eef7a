// Owns taking a position away: copying its link, downloading it as SVG, PNG, text or JSON.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { t } from "./language.js";
import { fullLink } from "./link.js";
import { complain, notify } from "./notice.js";

const SHARPNESS = 2;

/** Buttons to copy and download; `what()` says { position, ply, game } at the moment of the click. */
export function shareButtons(what) {
  const format = (name) =>
    el(
      "button",
      {
        type: "button",
        class: "small-button",
        dataset: { format: name },
        on: { click: () => download(name, what()).catch(complain) },
      },
      name === "text" ? t("text") : name.toUpperCase(),
    );
  return el(
    "div",
    { class: "row share" },
    el(
      "button",
      { type: "button", dataset: { action: "link" }, on: { click: () => copyLink(what()) } },
      t("copy.link"),
    ),
    el(
      "span",
      { class: "row downloads", role: "group", "aria-label": t("download") },
      el("span", { class: "small faint" }, t("download")),
      ["svg", "png", "text", "json"].map(format),
    ),
  );
}

export async function copyLink({ position, ply }) {
  const link = fullLink(position, ply);
  try {
    await navigator.clipboard.writeText(link);
    notify(t("copied"));
  } catch {
    prompt(t("copy.link"), link);
  }
}

async function download(format, { position, ply, game }) {
  const shown = position.at(ply);
  const name = `fourfall-${shown.text.replaceAll(/[^\w-]+/g, "_").slice(0, 60)}`;
  if (format === "text")
    return save(new Blob([`${shown.text}\n\n${shown.drawing()}\n`], { type: "text/plain" }), `${name}.txt`);
  if (format === "json") {
    const text = game
      ? await ask(`/api/games/${game}/download?format=json`, { as: "text" })
      : JSON.stringify({ position: position.text });
    return save(new Blob([text], { type: "application/json" }), `${name}.json`);
  }
  const picture = await ask(`/api/picture.svg?position=${encodeURIComponent(shown.text)}`, { as: "text" });
  if (format === "svg") return save(new Blob([picture], { type: "image/svg+xml" }), `${name}.svg`);
  return save(await rasterized(picture), `${name}.png`);
}

async function rasterized(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = el("canvas", { width: image.width * SHARPNESS, height: image.height * SHARPNESS });
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
