// The levels of an update.
import type { TrainingDraw } from "../agent/episodes.ts";
import { trainingSeeds } from "../config/levels.ts";
import type { Run } from "./run.ts";

/** What the demonstrations of an SFT update follow from: a level each. */
export const sftDraw = (run: Run, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.sft.train_batch_size,
  perLevel: 1,
});

/** What the episodes of a PPO update follow from. */
export const ppoDraw = (run: Run, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.rollout.train_batch_size,
  perLevel: run.config.rollout.n_trajectory,
});

const drawOf = ({ config, isHeldOut }: Run, update: number) => ({
  seeds: trainingSeeds(config),
  isHeldOut,
  runSeed: config.seed,
  update,
});
