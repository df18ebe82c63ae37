// Tries an extension where it can do no harm: in a worker of its own that has no network and no storage, and that the page ends when it
// takes too long.
import { serializeError } from "../core/errors.ts";
import { checkEnvironment } from "../extension/check-environment.ts";
import { environmentsIn } from "../extension/index.ts";
import { loadExtension } from "../run/snippet.ts";
import type { FromExtensionCheck, ToExtensionCheck } from "./extension-check-protocol.ts";

const scope = globalThis as unknown as {
  postMessage(message: FromExtensionCheck): void;
  onmessage: ((event: MessageEvent<ToExtensionCheck>) => void) | null;
};

/** What a worker reaches the network and this device's storage with. */
const REACH = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource"],
  ...["indexedDB", "caches", "BroadcastChannel", "Worker", "SharedWorker", "importScripts"],
];

/** Takes the network and the storage from this worker. */
function seal(): void {
  for (let owner: object | null = globalThis; owner; owner = Object.getPrototypeOf(owner))
    for (const name of REACH)
      if (Object.hasOwn(owner, name))
        Object.defineProperty(owner, name, { value: undefined, configurable: false, writable: false });
  for (const name of ["storage", "serviceWorker", "gpu", "locks", "sendBeacon"])
    if (name in navigator) Object.defineProperty(navigator, name, { value: undefined, configurable: false });
}

scope.onmessage = async ({ data: { extension } }) => {
  try {
    seal();
    const specs = environmentsIn(await loadExtension(extension));
    const environments = specs.map((spec) => ({ title: spec.title, lines: checkEnvironment(spec) }));
    scope.postMessage({ kind: "report", environments });
  } catch (error) {
    scope.postMessage({ kind: "failed", error: serializeError(error) });
  }
};
scope.postMessage({ kind: "ready" });
