// What the worker that tries an extension is sent, and what it reports. The page ends it.
import type { SerializedError } from "../core/errors.ts";
import type { ExtensionSource } from "../extension/api.ts";
import type { CheckLine } from "../extension/check-environment.ts";

export interface ToExtensionCheck {
  extension: ExtensionSource;
}

/** The contract of one environment of an extension, line by line. */
export interface EnvironmentReport {
  /** Its title. */
  readonly title: string;
  readonly lines: readonly CheckLine[];
}

export type FromExtensionCheck =
  /** It can be sent an extension. */
  | { kind: "ready" }
  | { kind: "report"; environments: readonly EnvironmentReport[] }
  | { kind: "failed"; error: SerializedError };
