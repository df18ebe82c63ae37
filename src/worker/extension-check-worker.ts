// Tries an extension where it can do no harm: in a worker of its own that has no network and no storage, and that the page ends when it
// takes too long.
import { serializeError } from "../core/errors.ts";
import { checkEnvironment } from "../extension/check-environment.ts";
import { environmentsIn } from "../extension/index.ts";
import { loadExtension } from "../run/snippet.ts";
import type { FromExtensionCheck, ToExtensionCheck } from "./extension-check-protocol.ts";
import { seal } from "./seal.ts";

const scope = globalThis as unknown as {
  postMessage(message: FromExtensionCheck): void;
  onmessage: ((event: MessageEvent<ToExtensionCheck>) => void) | null;
};

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
