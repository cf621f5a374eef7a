// Registers the service worker, which keeps the files of the page, and says when a new version is ready.

/** @import { Notices } from "./notices.js" */

let isRegistered = false;

/**
 * Keep the page for offline use. Called after the engine was loaded, so that the first game does not wait for it.
 * @param {Notices} notices
 */
export async function keepOffline(notices) {
  if (isRegistered || !("serviceWorker" in navigator)) return;
  isRegistered = true;
  const { serviceWorker } = navigator;
  let isReloading = false;
  /** @param {ServiceWorker} waiting */
  const offerReload = (waiting) => {
    const run = () => {
      isReloading = true;
      waiting.postMessage("activate");
    };
    notices.show("version", "local.new_version", { word: "local.reload", run });
  };
  const hadController = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (isReloading) location.reload();
    else if (hadController) {
      notices.show("version", "local.new_version", { word: "local.reload", run: () => location.reload() });
    }
  });
  try {
    const registration = await serviceWorker.register(new URL("service_worker.js", document.baseURI));
    if (registration.waiting) offerReload(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing?.addEventListener("statechange", () => {
        if (installing.state === "installed" && serviceWorker.controller) offerReload(installing);
      });
    });
  } catch (error) {
    console.warn("the page is not kept for offline use:", error);
  }
}
