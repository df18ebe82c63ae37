// Starts and cancels the check of this machine's GPU. Loaded with its dialog.
import { startGpuCheck } from "../../worker/check-client.ts";
import { useCheck, usesGpu } from "../store/check-store.ts";
import { runStore } from "../store/run-store.ts";

/** Ends the check that is running, and stops watching the run. */
let end: (() => void) | null = null;

/** Runs the check, unless one is running or a run uses the GPU. A run that starts meanwhile ends it. */
export function startCheck(start: typeof startGpuCheck = startGpuCheck): void {
  if (end || usesGpu(runStore.getState().state)) return;
  useCheck.setState({ check: { state: "running", done: 0, of: 0, label: "" } });
  const cancel = start({
    onProgress: (done, of, label) => useCheck.setState({ check: { state: "running", done, of, label } }),
    onReport: (report) => finish({ state: "done", report }),
    onFailure: (error) => finish({ state: "failed", error }),
  });
  const unsubscribe = runStore.subscribe(({ state }) => {
    if (usesGpu(state)) finish({ state: "interrupted" });
  });
  end = () => {
    cancel();
    unsubscribe();
  };
}

/** Ends the check without a result. */
export const cancelCheck = (): void => finish({ state: "idle" });

function finish(check: ReturnType<typeof useCheck.getState>["check"]): void {
  end?.();
  end = null;
  useCheck.setState({ check });
}
