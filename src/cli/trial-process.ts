// The process that tries a plugin: it registers the text as a command would, which checks the contract of its environments, and says
// how that went. `try-plugin.ts` starts it.
import { Worker } from "node:worker_threads";
import { type SerializedError, serializeError } from "../core/errors.ts";
import { LONGEST_TRIAL_MS } from "../core/step-limit.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { installExtensions } from "../run/extensions.ts";

/** The argument that makes the command line such a process. */
export const TRIAL = "try-plugin";

/** Most memory of such a process in MiB, whatever it is used for. */
export const TRIAL_MIB = 1024;
/** What the process writes to its standard error before it ends for its memory; V8 says the same. */
export const OUT_OF_MEMORY = "out of memory";
/** What it writes before it ends for the processor time that it has used. */
export const OUT_OF_TIME = "out of time";

/** How long the command waits for such a process, in milliseconds: a busy machine may take long over {@link LONGEST_TRIAL_MS}. */
export const LONGEST_WAIT_MS = 6 * LONGEST_TRIAL_MS;

/** What such a process reports. */
export type FromTrial =
  /** It can be sent a text. */
  { kind: "ready" } | { kind: "kept" } | { kind: "refused"; error: SerializedError };

/**
 * A thread beside the one that runs the plugin, which may be busy for ever: it ends the process when that is too large or has used too much
 * processor time, also where the command was killed. Nothing else sees arrays of bytes, which lie outside V8's heap.
 */
const WATCH = `
const { writeSync } = require("node:fs");
const { bytes, ms, longest } = require("node:worker_threads").workerData;
const end = (why) => { writeSync(2, why); process.kill(process.pid, "SIGKILL"); };
const began = process.cpuUsage();
const used = () => { const { user, system } = process.cpuUsage(began); return (user + system) / 1000; };
setInterval(() => {
  if (process.memoryUsage.rss() > bytes) end("${OUT_OF_MEMORY}");
  if (used() > ms) end("${OUT_OF_TIME}");
}, 50);
setTimeout(() => end("${OUT_OF_TIME}"), longest);
`;

/** Tries the text that it is sent, answers, and ends the process. */
export function answerTrial(): void {
  const send = (message: FromTrial, then?: () => void) => process.send?.(message, undefined, {}, then);
  process.once("message", async (plugin: ExtensionSource) => {
    const workerData = { bytes: TRIAL_MIB * 2 ** 20, ms: LONGEST_TRIAL_MS, longest: 2 * LONGEST_WAIT_MS };
    new Worker(WATCH, { eval: true, workerData }).unref();
    const answer = await installExtensions([plugin]).then(
      (): FromTrial => ({ kind: "kept" }),
      (error): FromTrial => ({ kind: "refused", error: serializeError(error) }),
    );
    send(answer, () => process.exit());
  });
  send({ kind: "ready" });
}
