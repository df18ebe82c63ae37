// The page's end of the worker that tries an extension.
import { ExtensionError } from "../core/errors.ts";
import type { ExtensionSource } from "../extension/api.ts";
import type { EnvironmentReport, FromExtensionCheck, ToExtensionCheck } from "./extension-check-protocol.ts";
import workerUrl from "./extension-check-worker.ts?worker&url";

/** How long reading an extension and checking its environments may take, in milliseconds. */
const LIMIT_MS = 10_000;

interface WorkerPort {
  postMessage(message: ToExtensionCheck): void;
  addEventListener(type: "message" | "error", listener: (event: Event) => void): void;
  terminate(): void;
}

/**
 * Reads an extension in a worker of its own and checks its environments; the result is empty if it has none.
 * @throws ExtensionError("invalid") when it cannot be read, or does not end in time.
 */
export function tryExtension(
  extension: ExtensionSource,
  start: () => WorkerPort = startWorker,
  limitMs = LIMIT_MS,
): Promise<readonly EnvironmentReport[]> {
  const worker = start();
  return new Promise<readonly EnvironmentReport[]>((resolve, reject) => {
    const refuse = (what: string) =>
      reject(new ExtensionError("invalid", `${extension.name}: ${what}`, "Correct it and add it again."));
    // A page that is busy starting must not blame the extension.
    let timer = setTimeout(() => refuse("its worker could not be started."), 6 * limitMs);
    worker.addEventListener("message", (event) => {
      const message = (event as MessageEvent<FromExtensionCheck>).data;
      clearTimeout(timer);
      if (message.kind === "report") return resolve(message.environments);
      if (message.kind === "failed")
        return reject(new ExtensionError("invalid", message.error.message, message.error.hint));
      const seconds = Math.ceil(limitMs / 1000);
      timer = setTimeout(() => refuse(`it did not end within ${seconds} seconds.`), limitMs);
      worker.postMessage({ extension });
    });
    worker.addEventListener("error", (event) =>
      refuse(`its worker has stopped: ${(event as ErrorEvent).message || "it needed too much memory"}.`),
    );
  }).finally(() => worker.terminate());
}

/** A worker that a page makes of a text has the page's policy, which forbids code from strings and from other hosts. */
function startWorker(): WorkerPort {
  const code = `import ${JSON.stringify(new URL(workerUrl, location.href).href)};`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module", name: "extension-check" });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
