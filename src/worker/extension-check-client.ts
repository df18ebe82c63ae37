// The page's end of the worker that tries an extension.
import type { ExtensionSource } from "../extension/api.ts";
import type { EnvironmentReport } from "./extension-check-protocol.ts";
import workerUrl from "./extension-check-worker.ts?worker&url";
import { askSealed, startSealed } from "./sealed-client.ts";

/** How long reading an extension and checking its environments may take, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * Reads an extension in a worker of its own and checks its environments; the result is empty if it has none.
 * @throws ExtensionError("invalid") when it cannot be read, or does not end in time.
 */
export function tryExtension(extension: ExtensionSource): Promise<readonly EnvironmentReport[]> {
  const say = (what: string) => ({
    message: `${extension.name}: ${what}`,
    hint: "Correct it and add it again.",
  });
  const asking = { limitMs: LIMIT_MS, code: "invalid", say } as const;
  return askSealed(startSealed(workerUrl, "extension-check"), { extension }, asking);
}
