// Types of the global names that scripts of the page define.

import type { App } from "./app.js";

declare global {
  interface Window {
    /** The running page, for tests and the browser's console. */
    fourfall: App;
    /** Defined in ui/theme.js. */
    switchTheme: () => void;
  }
}
