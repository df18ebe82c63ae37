// A run as the training loop sees it: what is trained, and what it has counted so far.
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Generator } from "../policy/wgsl/generator.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { DeviceInfo, MemoryPlan } from "./events.ts";

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
  /** The last update whose validation is complete. */
  validatedUpdate: number;
}

/** A run that is ready to train. */
export interface Run {
  readonly runId: string;
  readonly config: RunConfig;
  /** The task in training. */
  readonly task: Task;
  /** The same for validations: nothing that is said there changes what training is paid. */
  readonly evalTask: Task;
  /** The same for demonstrations, judged by rule. */
  readonly demoTask: Task;
  readonly engine: Engine;
  readonly policy: Generator;
  /** Updates done, warm-up included. */
  update: number;
  readonly counters: Counters;
  readonly device: DeviceInfo;
  readonly memory: MemoryPlan;
  readonly lost: Promise<string>;
  /** Changes live and next-update values by path; returns the paths that were applied. */
  applyChanges(changes: Readonly<Record<string, unknown>>): string[];
  /** What the judge has cost since the last call; empty when it costs nothing. */
  judgeSpent(): Metrics;
  save(): Promise<Checkpoint>;
  /** Destroys the device as if it had been lost. */
  loseDevice(): void;
  dispose(): void;
}
