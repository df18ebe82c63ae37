// `npm run torture -- …`: kills, crashes, damaged files and full disks, at random moments. The figures of
// docs/reliability.md come from here.

import "./lib/node-version.mjs";

// Imported after the check, so that an old Node prints its message and not a syntax error.
const { main } = await import("./lib/process.mjs");
const { runTorture } = await import("./lib/torture.mjs");
await main(() => runTorture(process.argv.slice(2)));
