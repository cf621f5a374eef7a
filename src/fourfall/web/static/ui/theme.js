// Sets the light or dark theme before the first paint: the stored choice or the system's preference. Not a module,
// because modules run after the first paint.

(() => {
  const KEY = "fourfall.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;

  /** @returns {"light" | "dark" | null} */
  const loadChoice = () => {
    try {
      const stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
      return stored === "light" || stored === "dark" ? stored : null;
    } catch {
      return null;
    }
  };

  let choice = loadChoice();
  const applyTheme = () => {
    root.dataset.theme = choice ?? (system.matches ? "dark" : "light");
  };

  window.switchTheme = () => {
    choice = root.dataset.theme === "dark" ? "light" : "dark";
    applyTheme();
    try {
      localStorage.setItem(KEY, JSON.stringify(choice));
    } catch {
      // Storage is blocked: the choice lasts until the reload.
    }
  };
  system.addEventListener("change", applyTheme);
  applyTheme();
})();
