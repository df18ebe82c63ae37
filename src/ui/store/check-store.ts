// The check of this machine's GPU: whether its dialog is open, and how far it is.
import { create } from "zustand";
import type { SerializedError } from "../../core/errors.ts";
import type { ShownReport } from "../../worker/check-protocol.ts";
import { isActive, type RunState } from "./run-view.ts";

export type GpuCheck =
  | { state: "idle" }
  | { state: "running"; done: number; of: number; label: string }
  | { state: "done"; report: ShownReport }
  | { state: "failed"; error: SerializedError }
  /** A run started meanwhile and has the GPU for itself. */
  | { state: "interrupted" };

interface CheckState {
  open: boolean;
  check: GpuCheck;
}

export const useCheck = create<CheckState>()(() => ({ open: false, check: { state: "idle" } }));

export const openGpuCheck = (): void => useCheck.setState({ open: true });

/** A run uses the GPU, so a check would slow it down and compete for memory. A paused run holds memory only. */
export const usesGpu = (state: RunState): boolean => isActive(state) && state !== "paused";
