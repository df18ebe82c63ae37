// `npm run train|eval|judge|bench -- …`: bundles the headless trainer when its sources changed, then runs it in this process.

import "./lib/node-version.mjs";

// Imported after the check, so that an old Node prints its message and not a syntax error.
const { main } = await import("./lib/process.mjs");
const { runCli } = await import("./lib/headless.mjs");
await main(() => runCli(process.argv.slice(2)));
