// Says once in a run when the browser has little room left for its files.
import type { TrainerEvent } from "../training/events.ts";

/** Room for the checkpoints of a large run; below it, saving may soon fail. */
const LOW_BYTES = 200e6;

type Warning = Extract<TrainerEvent, { type: "warning" }>;

/** A warning when less than 200 MB are left; null when there is more, or the browser does not tell. */
export function lowStorage({ quota, usage }: StorageEstimate, update: number): Warning | null {
  if (quota === undefined || usage === undefined || quota - usage >= LOW_BYTES) return null;
  const left = Math.max(0, Math.round((quota - usage) / 1e6));
  return {
    type: "warning",
    update,
    code: "storage_low",
    message: `Only ${left} MB of storage are left for this page; soon the run can no longer be saved.`,
    hint: "Discard stored runs or free space on this disk, and download a checkpoint to be safe.",
  };
}

/** Looks when a run starts and whenever it is saved, until it has warned. */
export function watchStorage(estimate: () => Promise<StorageEstimate>, warn: (warning: Warning) => void) {
  let warned = false;
  return async (event: TrainerEvent): Promise<void> => {
    if (warned || (event.type !== "run_started" && event.type !== "checkpoint")) return;
    // A browser that cannot tell is no reason to warn.
    const warning = await estimate().then(
      (found) => lowStorage(found, event.update),
      () => null,
    );
    if (!warning || warned) return;
    warned = true;
    warn(warning);
  };
}
