// The functions of WASI that the WebAssembly module imports: the clock, and messages of the C++ library before it aborts.

const SUCCESS = 0;
const ERROR_BAD_FILE = 8;
const ERROR_NOT_SUPPORTED = 52;
const STANDARD_ERROR = 2;
const NANOSECONDS_PER_MS = 1e6;
const TWO_TO_32 = 2 ** 32;
const BYTES_PER_VECTOR = 8; // address and length, each of 32 bits

/**
 * Create the imports of the module `wasi_snapshot_preview1`; a function that is not needed reports that it is not
 * supported.
 * @param {string[]} names functions that the module imports
 * @param {() => WebAssembly.Memory} getMemory
 * @returns {Record<string, (...args: any[]) => number>}
 */
export function createSystemCalls(names, getMemory) {
  /** @type {Record<string, (...args: any[]) => number>} */
  const calls = {
    clock_time_get: (_clock, _precision, address) => {
      const nanoseconds = Math.floor(performance.now() * NANOSECONDS_PER_MS);
      const view = new DataView(getMemory().buffer);
      view.setUint32(address, nanoseconds % TWO_TO_32, true);
      view.setUint32(address + 4, Math.floor(nanoseconds / TWO_TO_32), true);
      return SUCCESS;
    },
    fd_write: (file, vectors, count, written) => {
      if (file > STANDARD_ERROR) return ERROR_BAD_FILE;
      const view = new DataView(getMemory().buffer);
      let text = "";
      let bytes = 0;
      for (let i = 0; i < count; i++) {
        const address = view.getUint32(vectors + i * BYTES_PER_VECTOR, true);
        const length = view.getUint32(vectors + i * BYTES_PER_VECTOR + 4, true);
        text += new TextDecoder().decode(new Uint8Array(view.buffer, address, length));
        bytes += length;
      }
      console.error(text.trimEnd());
      view.setUint32(written, bytes, true);
      return SUCCESS;
    },
    proc_exit: (code) => {
      throw new Error(`the engine ended with code ${code}`);
    },
  };
  return Object.fromEntries(names.map((name) => [name, calls[name] ?? (() => ERROR_NOT_SUPPORTED)]));
}
