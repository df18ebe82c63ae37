// `npm start`: installs what is missing, serves the studio and opens it in the browser.

import "./lib/node-version.mjs";

// Imported after the check, so that an old Node prints its message and not a syntax error.
const { main } = await import("./lib/process.mjs");
const { start } = await import("./lib/serve.mjs");
await main(() => start(process.argv.slice(2)));
