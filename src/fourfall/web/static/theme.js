// Owns light and dark before the first paint: what was chosen, or what the system prefers. No module: it comes first.

(() => {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("fourfall.theme"));
  } catch {
    chosen = null;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
  };
  apply(chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => chosen || apply(dark.matches ? "dark" : "light"));
  window.switchTheme = () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    apply(chosen);
    try {
      localStorage.setItem("fourfall.theme", JSON.stringify(chosen));
    } catch {
      // a browser that keeps nothing still switches
    }
  };
})();
