// Calls the functions of the WebAssembly module (cpp/browser/exports.cpp): text arguments, text results, exceptions.

import { createSystemCalls } from "./system_calls.js";

const SYSTEM_MODULE = "wasi_snapshot_preview1";
/** Last part of a mangled name of C++ such as N8fourfall13NotationErrorE. */
const TYPE_NAME = /\d([A-Za-z_]+?)E?$/;

/** An exception of the C++ code: `type` is its class, such as NotationError, without the namespace. */
export class CoreError extends Error {
  /**
   * @param {string} type
   * @param {string} message
   */
  constructor(type, message) {
    super(message);
    this.name = "CoreError";
    this.type = type;
  }
}

export class CoreModule {
  /**
   * @param {BufferSource | Response | WebAssembly.Module} source
   * @returns {Promise<CoreModule>}
   */
  static async load(source) {
    const module = await compile(source);
    /** @type {WebAssembly.Memory} */
    let memory;
    const getMemory = () => memory;
    const names = WebAssembly.Module.imports(module)
      .filter((entry) => entry.module === SYSTEM_MODULE)
      .map((entry) => entry.name);
    const instance = await WebAssembly.instantiate(module, {
      [SYSTEM_MODULE]: createSystemCalls(names, getMemory),
      fourfall: {
        throw_exception: (/** @type {number} */ type, /** @type {number} */ message) => {
          const name = TYPE_NAME.exec(readZeroTerminated(memory, type))?.[1] ?? "";
          throw new CoreError(name, readZeroTerminated(memory, message));
        },
      },
    });
    memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    const core = new CoreModule(instance, memory);
    core.call("_initialize");
    return core;
  }

  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Memory} memory
   */
  constructor(instance, memory) {
    this.functions = /** @type {Record<string, (...args: (number | boolean)[]) => number>} */ (
      /** @type {unknown} */ (instance.exports)
    );
    this.memory = memory;
    this.stackPointer = /** @type {WebAssembly.Global} */ (instance.exports.__stack_pointer);
  }

  /**
   * Call an exported function. An exception leaves the frames of the C++ functions on their stack, so its pointer is
   * restored.
   * @param {string} name
   * @param {...(number | boolean)} args
   * @returns {number}
   */
  call(name, ...args) {
    const stack = this.stackPointer.value;
    try {
      return this.functions[name](...args);
    } catch (error) {
      this.stackPointer.value = stack;
      throw error;
    }
  }

  /**
   * Call a function that returns JSON text.
   * @param {string} name
   * @param {...(number | boolean)} args
   */
  callForJson(name, ...args) {
    const address = this.call(name, ...args);
    const bytes = new Uint8Array(this.memory.buffer, address, this.call("get_result_length"));
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  /**
   * Copy bytes into the memory of the module for the duration of a call.
   * @template Result
   * @param {Uint8Array | Int32Array} data
   * @param {(address: number, length: number) => Result} use gets the address and the number of bytes
   * @returns {Result}
   */
  withMemory(data, use) {
    const address = this.call("allocate_memory", Math.max(data.byteLength, 1));
    try {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
      return use(address, bytes.length);
    } finally {
      this.call("free_memory", address);
    }
  }

  /**
   * @template Result
   * @param {string} text
   * @param {(address: number, length: number) => Result} use
   * @returns {Result}
   */
  withText(text, use) {
    return this.withMemory(new TextEncoder().encode(text), use);
  }
}

/** @param {BufferSource | Response | WebAssembly.Module} source */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    return WebAssembly.compile(/** @type {BufferSource} */ (source));
  }
  // A server that sends another media type than application/wasm cannot be compiled while it loads.
  const isWasm = source.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {number} address
 */
function readZeroTerminated(memory, address) {
  const bytes = new Uint8Array(memory.buffer);
  return new TextDecoder().decode(bytes.slice(address, bytes.indexOf(0, address)));
}
