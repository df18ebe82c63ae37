// Warns when the browser stores nothing for this page, or has little room left.
import type { Notice } from "../supervision/run-reporter.ts";

/** Room for the checkpoints of a large run; below it, the next save may fail. */
const LOW_BYTES = 200e6;

const VOLATILE: Notice = {
  code: "storage_volatile",
  message: "This browser stores no files for this page, so the run is lost when the page closes.",
  hint: "Download checkpoints during training. To store runs, allow site data for this address, or use a window that is not private.",
};

/**
 * What limits the storage of a run; null if nothing does.
 * @param estimate asks the browser; absent if it stores no files for this page.
 */
export async function storageNotice(estimate?: () => Promise<StorageEstimate>): Promise<Notice | null> {
  if (!estimate) return VOLATILE;
  // A browser without an estimate may still have room.
  return estimate().then(lowStorage, () => null);
}

function lowStorage({ quota, usage }: StorageEstimate): Notice | null {
  if (quota === undefined || usage === undefined || quota - usage >= LOW_BYTES) return null;
  const left = Math.max(0, Math.round((quota - usage) / 1e6));
  return {
    code: "storage_low",
    message: `Only ${left} MB of storage are left for this page, so the next save may fail.`,
    hint: "Discard stored runs or free space on this disk, and download a checkpoint now.",
  };
}
