// All warnings about the updates of a run. warnings.ts and layout-warnings.ts say when each is due.
import type { Stage, TrainingFact } from "./events.ts";
import { layoutWarnings } from "./layout-warnings.ts";
import type { Run } from "./run.ts";
import type { UpdateResult } from "./update.ts";
import {
  startWarnings,
  watchDemonstrations,
  watchJudge,
  watchLevels,
  watchReplies,
  watchStaleness,
  watchTurnLoss,
} from "./warnings.ts";

interface UpdateWatch {
  /** Warnings before the first update, or before the next one of a run that was resumed. */
  begin(): Generator<TrainingFact>;
  /** Warnings after an update, once `run.update` counts it. */
  check(stage: Stage, result: Pick<UpdateResult, "metrics" | "trajectories">): Generator<TrainingFact>;
}

/** Watches the updates of a run. It keeps what it has warned of, so a run needs one watch from its start to its end. */
export function watchUpdates(run: Pick<Run, "config" | "task" | "update">): UpdateWatch {
  const judgeFailures = watchJudge();
  const cutReplies = watchReplies();
  const longDemonstrations = watchDemonstrations();
  const turnLoss = watchTurnLoss();
  const levels = watchLevels();
  const staleness = watchStaleness();
  return {
    *begin() {
      yield* levels(run.config, run.update);
      if (run.update > 0) return;
      yield* startWarnings(run.config);
      yield* layoutWarnings(run.config, run.task);
    },
    *check(stage, { metrics, trajectories }) {
      const { update } = run;
      yield* judgeFailures(trajectories, update);
      // The length of demonstrations is not the policy's.
      if (stage === "ppo") yield* cutReplies(metrics, run.config, update);
      yield* longDemonstrations(metrics, run.config, update);
      yield* turnLoss(metrics, run.config, update);
      yield* levels(run.config, update);
      yield* staleness(metrics, run.config, update);
    },
  };
}
