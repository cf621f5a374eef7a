// Keeps all files of the page for offline use. `make site` fills in the version and the files; a new version gets a
// new cache, which replaces the old one when no page of the old version is open or the user reloads.

const VERSION = "development";
/** Files of the page, relative to this file. @type {string[]} */
const FILES = [];

const PAGES = ["./", "embed.html"];

/** The scope of a service worker; the type checker knows only that of pages. @type {any} */
const scope = self;
/** Caches belong to the host: the path distinguishes the pages in other folders of the host. */
const PREFIX = `fourfall-${new URL(scope.registration.scope).pathname}-`;
const CACHE = `${PREFIX}${VERSION}`;

/**
 * Copy a file from an older cache if its address has the hash of its content, or else request it.
 * @param {Cache} cache
 * @param {string} path
 */
async function keep(cache, path) {
  const url = new URL(path, scope.registration.scope).href;
  const known = path.startsWith("data/") ? await caches.match(url) : undefined;
  const response = known ?? (await fetch(url, { cache: PAGES.includes(path) ? "reload" : "default" }));
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  await cache.put(url, response);
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all([...PAGES, ...FILES].map((path) => keep(cache, path)));
}

async function removeOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function respond(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  url.search = "";
  if (url.pathname.endsWith("/index.html")) url.pathname = url.pathname.replace(/index\.html$/, "");
  return (await cache.match(url.href)) ?? fetch(request);
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(removeOldCaches()));
scope.addEventListener("message", (/** @type {MessageEvent} */ { data }) => data === "activate" && scope.skipWaiting());
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.registration.scope)) {
    event.respondWith(respond(request));
  }
});
