// What the page and the worker that reads files send each other.
import type { SerializedError } from "../../core/errors.ts";
import type { HousesRead } from "../../envs/navigation/procthor/read-houses.ts";
import type { DescribedExtension } from "../../extension/described.ts";
import type { Opened, TextFile } from "./open-config.ts";

export type ToReader =
  | { kind: "configurations"; files: readonly TextFile[]; extensions: readonly DescribedExtension[] }
  | { kind: "houses"; files: readonly TextFile[] };
export type FromReader =
  | { kind: "ready" }
  | { kind: "opened"; opened: Opened }
  | { kind: "housesRead"; read: HousesRead }
  | { kind: "refused"; error: SerializedError };
