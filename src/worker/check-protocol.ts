// What the worker that checks the GPU reports. It starts by itself and is ended by the page.
import type { SerializedError } from "../core/errors.ts";

/** A report as the page shows it. */
export interface ShownReport {
  /** The outcome in one sentence. */
  verdict: string;
  heads: readonly string[];
  /** One for each variant of a kernel, in the order of `heads`. */
  rows: readonly { label: string; ok: boolean; cells: readonly string[] }[];
  /** All of it as Markdown, for a bug report. */
  text: string;
}

export type FromCheckWorker =
  | { kind: "progress"; done: number; of: number; label: string }
  | { kind: "report"; report: ShownReport }
  | { kind: "failed"; error: SerializedError };
