// The page's end of the worker that tries an extension.
import type { ExtensionSource } from "../extension/api.ts";
import type { Tried } from "../extension/index.ts";
import workerUrl from "./extension-check-worker.ts?worker&url";
import { SealedWorker, startSealed } from "./sealed-client.ts";

/** How long reading an extension and checking its environments may take, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * Reads an extension in a worker of its own and checks its environments.
 * @throws ExtensionError("invalid") when it cannot be read, or does not end in time.
 */
export function tryExtension(extension: ExtensionSource): Promise<Tried> {
  const worker = new SealedWorker<ExtensionSource, Tried>(() => startSealed(workerUrl, "extension-check"), {
    limitMs: LIMIT_MS,
    code: "invalid",
    say: (what) => ({ message: `${extension.name}: ${what}`, hint: "Correct it and add it again." }),
  });
  return worker.ask(extension).finally(() => worker.end());
}
