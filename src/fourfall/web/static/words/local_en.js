// English strings of the page without a server.

/** @import { Words } from "./language.js" */

/** @type {Words} */
export const words = {
  "local.loading": "Loading the engine: {0} %",
  "local.no_simd": "This browser or processor has no WebAssembly SIMD. The engine works, but it is slower.",
  "local.storage_denied": "The browser does not allow storage. You can play, but games are not kept after a reload.",
  "local.storage_full": "The browser's storage is full. You can play, but new games are not kept after a reload.",
  "local.failed.worker":
    "The engine does not start in this browser: it needs module workers. Use a current version of the browser.",
  "local.failed.wasm":
    "The engine does not start in this browser: it needs WebAssembly. Use a current version of the browser, and allow WebAssembly in its settings.",
  "local.failed.download":
    "The engine could not be downloaded. Check the connection to the network and reload the page.",
  "local.new_version": "A new version of the page is ready.",
  "local.reload": "Reload",
  "local.close": "Close this line",
  // instead of the sentence about the server
  "page.offline": "This part of the page could not be loaded. Check the connection to the network.",
};
