// What the worker that tries an extension is sent, and what it answers.
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
