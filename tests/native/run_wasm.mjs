// Runs a program for wasm32-wasi: node run_wasm.mjs PROGRAM.wasm [ARGUMENT ...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2) });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const fourfall = {
  throw_exception: () => {
    throw new Error("a C++ exception was thrown");
  },
};
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), fourfall });
process.exitCode = wasi.start(instance);
