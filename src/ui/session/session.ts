// The session of this page. Components call these functions and know nothing of workers.
import { createSession } from "./create-session.ts";

export const {
  applyPending,
  changeExtensions,
  changeSetting,
  checkpointProblem,
  continueRun,
  continueWithHalvedRate,
  discardStored,
  downloadCheckpoint,
  downloadOnnx,
  downloadVerdicts,
  estimateSize,
  lookAround,
  openSession,
  openStored,
  pauseRun,
  previewLevel,
  restartWithDraft,
  resumeRun,
  resumeStored,
  saveSoon,
  startRun,
  stepRun,
  stopRun,
} = createSession(async () => (await import("../../worker/client.ts")).startTrainingWorker());
