// Calls the engine in WebAssembly: one JSON request per line of standard input, one JSON reply per line of output.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const folder = new URL("../../src/fourfall/web/static/local/", import.meta.url);
/** @param {string} path */
const load = (path) => import(new URL(path, folder).href);
const { WasmEngine } = await load("wasm_engine.js");

const [modulePath, weightsPath] = process.argv.slice(2);
const weights = weightsPath ? new Uint8Array(readFileSync(weightsPath)).buffer : null;
const engine = await WasmEngine.load(readFileSync(modulePath), weights, { hasSimd: true });
const searches = new Map();

const calls = {
  describePosition: (text) => engine.describePosition(text),
  findStones: (stones) => engine.findStones(stones),
  solve: (request) => engine.solve(request),
  evaluate: (position) => engine.evaluate(position),
  state: () => ({ stack: engine.core.stackPointer.value, memory: engine.core.memory.buffer.byteLength }),
  create: ({ name, ...options }) => void searches.set(name, engine.createSearch(options)),
  begin: ({ name, ...limits }) => searches.get(name).begin(limits),
  step: ({ name, milliseconds }) => searches.get(name).step(milliseconds),
  stop: ({ name }) => searches.get(name).stop(),
  analysis: ({ name }) => searches.get(name).analysis(),
  release: ({ name }) => searches.get(name).release(),
  // Steps until the end; `looks` is whether every step is followed by a report, as the page does.
  run: ({ name, milliseconds, looks }) => {
    const search = searches.get(name);
    let steps = 1;
    for (; !search.step(milliseconds).done; steps++) if (looks) search.analysis();
    return { steps, ...search.analysis() };
  },
};

function answer({ call, argument }) {
  try {
    return { result: calls[call](argument) ?? null };
  } catch (error) {
    if (error.toInfo) return { error: error.toInfo() };
    return { error: { code: error.name, params: { type: error.type ?? "" }, message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const reply = Array.isArray(request) ? request.map(answer) : answer(request);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
