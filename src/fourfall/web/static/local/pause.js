// Interrupts long work in the worker, so that it handles messages and requests.

/**
 * Let the worker handle what is waiting.
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}
