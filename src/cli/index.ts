// The command line: `npm run train -- …`, `npm run eval -- …`, `npm run bench -- …`.

import { processIo } from "./io.ts";
import { main } from "./main.ts";

const code = await main(process.argv.slice(2), processIo());
process.exitCode = code;
// The GPU library keeps threads that would hold the process; by then everything is written.
setTimeout(() => process.exit(code), 200).unref();
