// How many samples the batch of an update has.
import type { RunConfig } from "./run-config.ts";

/** Whether every sequence of an episode is a sample by itself. */
export const separateSequences = ({ rollout }: Pick<RunConfig, "rollout">): boolean =>
  rollout.workflow === "areal" && rollout.export_style === "individual";

/** The most samples that an update can have: its episodes, or their sequences, of which an episode has at most one a turn. */
export const mostSamples = ({ rollout }: Pick<RunConfig, "rollout">): number =>
  rollout.train_batch_size * (separateSequences({ rollout }) ? rollout.max_turns : 1);
