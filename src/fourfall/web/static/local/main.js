// Starts the page without a server: its service is a worker, and a service worker keeps its files for offline use.

import { App } from "../app.js";
import { useService } from "../model/service.js";
import { addWords } from "../words/language.js";
import { words as en } from "../words/local_en.js";
import { words as zh } from "../words/local_zh.js";
import { Notices } from "./notices.js";
import { keepOffline } from "./offline.js";
import { WorkerService } from "./worker_service.js";

/** @import { WorkerStatus } from "./types.d.ts" */

addWords(en, zh);
const notices = new Notices();

/** @param {WorkerStatus} status */
function handleStatus(status) {
  if (status.kind === "progress") {
    notices.showProgress(status.loaded, status.total);
  } else if (status.kind === "ready") {
    notices.hideProgress();
    notices.hide("failed");
    if (!status.has_simd) notices.show("simd", "local.no_simd");
    keepOffline(notices);
  } else if (status.kind === "storage") {
    if (status.problem) notices.show("storage", `local.${status.problem}`);
    else notices.hide("storage");
  } else {
    notices.hideProgress();
    notices.show("failed", `local.failed.${status.reason}`);
  }
}

useService(new WorkerService(handleStatus));
window.fourfall = new App();
