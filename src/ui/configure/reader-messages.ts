// What the page and the worker that reads files send each other.
import type { SerializedError } from "../../core/errors.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import type { Opened, TextFile } from "./open-config.ts";

export interface ToReader {
  files: readonly TextFile[];
  extensions: readonly ExtensionSource[];
}
export type FromReader =
  | { kind: "ready" }
  | { kind: "opened"; opened: Opened }
  | { kind: "refused"; error: SerializedError };
