// Settings that the browser stores between visits. Without storage (private windows) settings last until the reload.

const PREFIX = "fourfall.";

/**
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 */
export function loadSetting(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/**
 * Store a setting; null and undefined remove it. Returns false if storage is blocked or full: then the setting is lost at
 * the next reload.
 * @param {string} name
 * @param {unknown} value
 */
export function saveSetting(name, value) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
