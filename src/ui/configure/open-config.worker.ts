// Reads one choice of files and ends. A file that keeps a reader busy for minutes keeps only this worker busy.
import { serializeError } from "../../core/errors.ts";
import { replaceExtensions } from "../../extension/index.ts";
import { loadExtension } from "../../run/snippet.ts";
import { openConfigs } from "./open-config.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

const scope = globalThis as unknown as {
  postMessage(message: FromReader): void;
  onmessage: ((event: MessageEvent<ToReader>) => void) | null;
};

scope.onmessage = async ({ data: { files, extensions } }) => {
  try {
    // A configuration may name what an extension adds.
    replaceExtensions(await Promise.all(extensions.map(loadExtension)));
    scope.postMessage({ kind: "opened", opened: openConfigs(files) });
  } catch (error) {
    scope.postMessage({ kind: "refused", error: serializeError(error) });
  }
};
scope.postMessage({ kind: "ready" });
