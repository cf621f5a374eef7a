// Loads style sheets of views that the page does not load on the first visit.

import { el } from "./dom.js";

/**
 * Add a style sheet to the page; resolves when it is loaded.
 * @param {string} path relative to the folder of the page's files
 */
export async function loadStyle(path) {
  const link = el("link", { rel: "stylesheet", href: new URL(`../${path}`, import.meta.url).href });
  const isLoaded = new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
  });
  document.head.append(link);
  await isLoaded;
}
