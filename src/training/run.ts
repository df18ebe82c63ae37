// A run as the training loop uses it: the model, its tasks and its counters.
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Generator } from "../policy/wgsl/generator.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { DeviceInfo, MemoryPlan } from "./events.ts";
import type { StateCritic } from "./state-critic.ts";

/** Sums over the whole run; they continue after a resume. */
export interface Counters {
  tokens: number;
  episodes: number;
  /** Floating-point operations of matrix products and attention. */
  flops: number;
  wallMs: number;
  optimizerSteps: number;
  skippedSteps: number;
  /** Coefficient of the KL penalty under adaptive control; absent before its first move. */
  klCoef?: number;
  /** The last update with a complete validation; −1 before the first one. */
  validatedUpdate: number;
  /** Updates behind the rollout policy, if it plays or has played the next batch; absent otherwise. */
  rolloutVersion?: number;
}

/** Levels to validate on. */
export interface ValidationSet {
  /** Part of the names of its metrics. */
  readonly name: string;
  readonly task: Task;
  readonly seeds: readonly number[];
}

/** A question about the level of a seed. */
export type SeedTest = (seed: number) => boolean;

/** Which levels training plays; for the run's first environment, and for each further one by its name. */
export interface LevelTests {
  /** Whether training must skip a seed, because a validation plays its level. */
  readonly isHeldOut: SeedTest;
  readonly isHeldOutIn: ReadonlyMap<string, SeedTest>;
  /** Resolves to whether training may play the level of a seed, under this seed or another. */
  readonly trained: () => Promise<SeedTest>;
  readonly trainedIn: ReadonlyMap<string, () => Promise<SeedTest>>;
}

/** A run that is ready to train. */
export interface Run extends LevelTests {
  readonly runId: string;
  readonly config: RunConfig;
  /** The training task. */
  readonly task: Task;
  /** The task of validations: its replies do not affect training rewards. */
  readonly evalTask: Task;
  /** Validation levels besides those of `trainer.val_seeds`. */
  readonly evalSets: readonly ValidationSet[];
  /** The task of demonstrations, judged by rule. */
  readonly demoTask: Task;
  readonly engine: Engine;
  readonly policy: Generator;
  /** Plays the next batch during an update with a copy of the weights; null unless `rollout.max_head_offpolicyness` allows that. */
  readonly rolloutPolicy: Generator | null;
  /** Updates done, SFT included. */
  update: number;
  readonly counters: Counters;
  /** The critic that reads the simulator's state; it learns only while `critic.asymmetric` is on. */
  readonly stateCritic: StateCritic;
  readonly device: DeviceInfo;
  readonly memory: MemoryPlan;
  /**
   * What a validation with these settings should show of the policy that the run starts from, because that was measured when
   * its file was made; empty where it was not, or where the settings differ. Absent in a run that is resumed.
   */
  readonly expected?: (config: RunConfig) => Metrics;
  /** Resolves with a sentence when the device is lost. */
  readonly lost: Promise<string>;
  /** Changes live and next-update values by path; returns the applied paths. */
  applyChanges(changes: Readonly<Record<string, unknown>>): string[];
  /** Ends SFT after the current update; the configured number of updates was only an upper limit. */
  endSft(): void;
  /** The judge's cost since the last call; empty if it is free. */
  judgeSpent(): Metrics;
  save(): Promise<Checkpoint>;
  /** Destroys the device as a driver reset would. */
  loseDevice(): void;
  dispose(): void;
}
