// Reads one choice of files and ends. A file that keeps a reader busy for minutes keeps only this worker busy.
import { serializeError } from "../../core/errors.ts";
import { replaceExtensions } from "../../extension/index.ts";
import { loadDescribed } from "../../run/snippet.ts";
import { openConfigs } from "./open-config.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

const scope = globalThis as unknown as {
  postMessage(message: FromReader): void;
  onmessage: ((event: MessageEvent<ToReader>) => void) | null;
};

async function answerTo(question: ToReader): Promise<FromReader> {
  if (question.kind === "houses") {
    const { readHouses } = await import("../../envs/navigation/procthor/read-houses.ts");
    return { kind: "housesRead", read: readHouses(question.files) };
  }
  // A configuration may name what an extension adds.
  replaceExtensions(await loadDescribed(question.extensions));
  return { kind: "opened", opened: openConfigs(question.files) };
}

scope.onmessage = async ({ data }) => {
  try {
    scope.postMessage(await answerTo(data));
  } catch (error) {
    scope.postMessage({ kind: "refused", error: serializeError(error) });
  }
};
scope.postMessage({ kind: "ready" });
