// What an update's batch is counted in.
import type { RunConfig } from "./run-config.ts";

/** Whether every row of an episode is a sample by itself. */
export const separateRows = ({ rollout }: Pick<RunConfig, "rollout">): boolean =>
  rollout.workflow === "areal" && rollout.export_style === "individual";

/** The most samples that an update can have: its episodes, or their rows, of which an episode has at most one a turn. */
export const mostSamples = ({ rollout }: Pick<RunConfig, "rollout">): number =>
  rollout.train_batch_size * (separateRows({ rollout }) ? rollout.max_turns : 1);
