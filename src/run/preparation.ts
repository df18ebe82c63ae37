// Reports how far the build of a run is.
import { formatInteger, formatMiB } from "../core/format.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { PrepareStep } from "../training/events.ts";
import type { RunSize } from "./size.ts";

/** Each method reports all steps. */
export interface Preparation {
  /** The size of the model is known. */
  begun(): void;
  /** GPU memory is allocated. */
  allocated(): void;
  /** The parameters are loaded. */
  loaded(): void;
  /** `done` of the kernels that the run waits for are compiled. */
  compiled(done: number, of: number): void;
}

/** @param checkpoint what the run starts from; absent: a new policy. */
export function reportPreparation(
  size: RunSize,
  checkpoint: Checkpoint | undefined,
  onPrepare: (steps: readonly PrepareStep[]) => void,
): Preparation {
  let progress: Progress = { allocate: 0, restore: 0, kernels: { done: 0, of: 1 } };
  const report = (change: Partial<Progress> = {}) => {
    progress = { ...progress, ...change };
    onPrepare(stepsOf(size, checkpoint, progress));
  };
  return {
    begun: () => report(),
    allocated: () => report({ allocate: 1 }),
    loaded: () => report({ restore: 1 }),
    compiled: (done, of) => report({ kernels: { done, of } }),
  };
}

/** What is done so far, of 1 each or of a number of kernels. */
interface Progress {
  allocate: number;
  restore: number;
  kernels: { done: number; of: number };
}

function stepsOf(
  { buffers: { arena, layout } }: RunSize,
  checkpoint: Checkpoint | undefined,
  { allocate, restore, kernels }: Progress,
): PrepareStep[] {
  const restored = checkpoint ? `update ${checkpoint.meta.update}` : "new policy";
  return [
    { step: "model", done: 1, of: 1, detail: `${formatInteger(layout.count)} parameters` },
    { step: "allocate", done: allocate, of: 1, detail: formatMiB(arena.totalBytes, 0) },
    { step: "compile", ...kernels, detail: `${kernels.done} of ${kernels.of} kernels` },
    { step: "restore", done: restore, of: 1, detail: restored },
  ];
}
