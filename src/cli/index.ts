// The command line: `npm run train -- …`, `npm run eval -- …`, `npm run bench -- …`. The processes that try plugins run this file, too.

import { provideThreads } from "../envs/threads.ts";
import { nodeThreads } from "./env-threads.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { answerTrial, TRIAL } from "./trial-process.ts";
import { tryPlugin } from "./try-plugin.ts";

async function runCommand(args: readonly string[]): Promise<void> {
  provideThreads(nodeThreads());
  const code = await main(args, processIo(), tryPlugin);
  process.exitCode = code;
  // The GPU library keeps threads that would hold the process; by then everything is written.
  setTimeout(() => process.exit(code), 200).unref();
}

const args = process.argv.slice(2);
if (args[0] === TRIAL && process.send) answerTrial();
else await runCommand(args);
