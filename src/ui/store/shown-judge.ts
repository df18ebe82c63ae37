// Whether the run on screen can be continued, as far as its judge and its models are concerned.
import { useRun } from "./run-store.ts";
import { useSupplyObstacle } from "./run-supplies.ts";
import { trainingBlocked, useSession } from "./session-store.ts";

/** The recording of the run on screen is stored with it. */
export function useRecordingKept(): boolean {
  const runId = useRun((view) => view.runId);
  return useSession(({ stored }) => stored.some((run) => run.runId === runId && run.recordingKept));
}

/** Why the run on screen cannot be continued here; empty when it can. */
export function useGoingOnBlocked(): string {
  const missing = useSupplyObstacle(
    useRun((view) => view.config),
    useRecordingKept(),
  );
  return useSession(trainingBlocked) || missing;
}
