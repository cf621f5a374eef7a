// Lets one tab at a time search for the opponent's move of a game.

const PREFIX = "fourfall-game-";

/** Whether tabs can wait for each other; browsers have locks only on pages from HTTPS or this computer. */
export function hasLocks() {
  return Boolean(globalThis.navigator?.locks);
}

/**
 * Run a function when no other tab runs one for the same game; a tab that is closed lets the next one go on.
 * @param {string} gameId
 * @param {() => Promise<void>} run
 */
export async function runAlone(gameId, run) {
  let isStarted = false;
  const runLocked = () => {
    isStarted = true;
    return run();
  };
  if (!hasLocks()) return runLocked();
  try {
    await navigator.locks.request(`${PREFIX}${gameId}`, runLocked);
  } catch (error) {
    if (isStarted) throw error;
    await runLocked(); // the browser denies locks
  }
}
