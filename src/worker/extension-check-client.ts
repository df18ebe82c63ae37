// The page's end of the worker that tries an extension.
import { z } from "../core/schema.ts";
import { LONG_TRIAL_HINT, LONGEST_TRIAL_MS } from "../core/step-limit.ts";
import type { ExtensionSource } from "../extension/api.ts";
import type { Tried } from "../extension/index.ts";
import workerUrl from "./extension-check-worker.ts?worker&url";
import { SealedWorker, startSealed } from "./sealed-client.ts";

/** The parts of members are checked when they are registered. */
const TRIED = z.object({
  members: z.array(z.object({ kind: z.string(), parts: z.record(z.string(), z.unknown()) })),
  reports: z.array(
    z.object({
      title: z.string(),
      lines: z.array(
        z.object({ check: z.string(), outcome: z.enum(["passed", "failed", "not run"]), found: z.string() }),
      ),
    }),
  ),
});

/**
 * Reads an extension in a worker of its own and checks its environments.
 * @throws ExtensionError("invalid") when it cannot be read, or does not end in time.
 */
export function tryExtension(extension: ExtensionSource): Promise<Tried> {
  const worker = new SealedWorker<ExtensionSource, Tried>(() => startSealed(workerUrl, "extension-check"), {
    limitMs: LONGEST_TRIAL_MS,
    code: "invalid",
    say: (what) => ({ message: `${extension.name}: ${what}`, hint: "Correct it and add it again." }),
    lateHint: LONG_TRIAL_HINT,
    read: (answer) => TRIED.parse(answer) as Tried,
  });
  return worker.ask(extension).finally(() => worker.end());
}
