// Answers requests of the page in node: one JSON line in, one JSON line out. The engine's calls are sent to the test,
// which answers them with the native core, so that no WebAssembly is needed.

import { readSync, writeSync } from "node:fs";

const local = new URL("../../../src/fourfall/web/static/local/", import.meta.url);
const { handleRequest } = await import(new URL("requests/router.js", local));
const { RequestError } = await import(new URL("request_error.js", local));
const { GameStore } = await import(new URL("games/game_store.js", local));

const chunk = new Uint8Array(1 << 16);
let received = Buffer.alloc(0);

function readLine() {
  for (;;) {
    const end = received.indexOf(10);
    if (end >= 0) {
      const line = received.subarray(0, end).toString();
      received = received.subarray(end + 1);
      return line;
    }
    const count = readSync(0, chunk);
    if (count === 0) process.exit();
    received = Buffer.concat([received, chunk.subarray(0, count)]);
  }
}

function writeLine(value) {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const engine = Object.fromEntries(
  ["describePosition", "findStones", "solve"].map((name) => [
    name,
    (argument) => {
      writeLine({ call: name, argument });
      const { result, error } = JSON.parse(readLine());
      if (error) throw new RequestError(error.code, error.params);
      return result;
    },
  ]),
);

const { serverInfo, puzzles } = JSON.parse(readLine());
const games = await GameStore.open();
const services = { loadEngine: async () => engine, loadPuzzles: async () => puzzles, games, serverInfo };

for (;;) {
  const { save, review, ...request } = JSON.parse(readLine());
  if (save) {
    await games.save(save);
    if (review) await games.saveReview(save.id, review);
    writeLine({ status: 204 });
    continue;
  }
  const response = await handleRequest(request, services);
  const isBinary = response.body instanceof Uint8Array;
  writeLine({ ...response, isBinary, body: isBinary ? Buffer.from(response.body).toString("base64") : response.body });
}
