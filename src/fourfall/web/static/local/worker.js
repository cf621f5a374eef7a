// The worker of the page without a server: receives its messages and requests and answers them as the server does.

import { downloadJson } from "./data_files.js";
import { EngineCatalogue } from "./engine_catalogue.js";
import { EngineLoader } from "./engine_loader.js";
import { GameStore } from "./games/game_store.js";
import { MessageHandler } from "./message_handler.js";
import { toRequestError } from "./request_error.js";
import { handleRequest } from "./requests/router.js";

/** @import { EngineFile, LocalRequest, PuzzleFile, StoredGame, WorkerStatus } from "./types.d.ts" */

const CHANNEL = "fourfall-games";
const JSON_TYPE = "application/json";

/** @param {WorkerStatus} status */
const sendStatus = (status) => self.postMessage(status);

/** Tell the other tabs about every change of a game. */
class SharedGameStore extends GameStore {
  channel = new BroadcastChannel(CHANNEL);

  /** @param {StoredGame} game */
  async save(game) {
    await super.save(game);
    this.channel.postMessage(game.id);
  }

  /** @param {string} id */
  async delete(id) {
    await super.delete(id);
    this.channel.postMessage(id);
  }
}

/** Start the services; the engine is downloaded meanwhile. */
async function start() {
  const loader = new EngineLoader(sendStatus);
  loader.loadWithNetwork().catch(reportFailure);
  /** @type {[EngineFile, GameStore]} */
  const [engines, store] = await Promise.all([downloadJson("engines"), GameStore.open()]);
  const games = new SharedGameStore(store.database);
  games.onProblem((problem) => sendStatus({ kind: "storage", problem }));
  const catalogue = new EngineCatalogue(engines, loader);
  const handler = new MessageHandler({ games, catalogue }, (message) => {
    self.postMessage({ kind: "message", text: JSON.stringify(message) });
  });
  games.channel.onmessage = ({ data }) => handler.sessions.reload(data);
  handler.welcome();
  return { handler, games, catalogue, loader };
}

/** @param {unknown} error */
function reportFailure(error) {
  const isDownload = toRequestError(error).code === "offline";
  sendStatus({ kind: "failed", reason: isDownload ? "download" : "wasm" });
}

/** @type {Promise<PuzzleFile> | null} */
let puzzleFile = null;

/** @returns {Promise<PuzzleFile>} */
function loadPuzzles() {
  puzzleFile ??= downloadJson("puzzles").catch((error) => {
    puzzleFile = null;
    throw error;
  });
  return /** @type {Promise<PuzzleFile>} */ (puzzleFile);
}

const started = start();
started.catch(reportFailure);

/**
 * @param {number} id
 * @param {LocalRequest} request
 */
async function respond(id, request) {
  const { handler, games, catalogue, loader } = await started;
  const services = {
    loadEngine: () => loader.load(),
    loadPuzzles,
    games,
    serverInfo: catalogue.serverInfo,
    onDelete: (/** @type {string} */ gameId) => handler.sessions.remove(gameId),
  };
  self.postMessage({ kind: "response", id, response: await handleRequest(request, services) });
}

/**
 * @param {number} id
 * @param {unknown} error
 */
function refuse(id, error) {
  const body = JSON.stringify(toRequestError(error).toInfo());
  self.postMessage({ kind: "response", id, response: { status: 503, body, type: JSON_TYPE } });
}

self.addEventListener("message", async ({ data }) => {
  if (data.kind === "message") (await started).handler.receive(JSON.parse(data.text));
  else respond(data.id, data.request).catch((error) => refuse(data.id, error));
});
