// Downloads the data files of the page without a server: the WebAssembly module, the weights, engines and puzzles.

import { FILES } from "./files.js";
import { RequestError } from "./request_error.js";

/** @typedef {keyof typeof FILES} FileName */

/**
 * @param {FileName} name
 * @returns {Promise<Response>}
 */
async function request(name) {
  let response;
  try {
    response = await fetch(new URL(FILES[name].path, import.meta.url));
  } catch {
    throw new RequestError("offline");
  }
  if (!response.ok) throw new RequestError("offline");
  return response;
}

/**
 * @param {FileName} name
 * @returns {Promise<any>}
 */
export async function downloadJson(name) {
  return (await request(name)).json();
}

/**
 * Download a file and report how many bytes have arrived.
 * @param {FileName} name
 * @param {(bytes: number) => void} onProgress
 * @returns {Promise<ArrayBuffer>}
 */
export async function downloadBytes(name, onProgress) {
  const response = await request(name);
  const reader = response.body?.getReader();
  if (!reader) return response.arrayBuffer();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const chunks = [];
  let bytes = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
      bytes += part.value.length;
      onProgress(bytes);
    }
  } catch {
    throw new RequestError("offline");
  }
  return new Blob(chunks).arrayBuffer();
}

/** @param {FileName} name */
export function getSize(name) {
  return FILES[name].bytes;
}
