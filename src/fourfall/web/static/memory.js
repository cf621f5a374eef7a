// Owns what the browser remembers between visits: language, settings, the game that was on. Works without storage too.

const PREFIX = "fourfall.";

export function recall(name, fallback = null) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function remember(name, value) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // private windows may refuse; the page then forgets
  }
}
