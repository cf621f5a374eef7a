// Starts the page.

import { App } from "./app.js";

window.fourfall = new App();
