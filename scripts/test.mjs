// `npm test`: installs what is missing, runs every check and ends with one line, `N passed, N failed`.

import "./lib/node-version.mjs";

// Imported after the check, so that an old Node prints its message and not a syntax error.
const { testAll } = await import("./lib/test-steps.mjs");
process.exitCode = await testAll(process.argv.slice(2));
