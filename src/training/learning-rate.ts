// The learning rate of an update: it rises linearly (warm-up), then stays, or falls along a line or a cosine.
import type { RunConfig } from "../config/run-config.ts";

interface Schedule {
  peak: number;
  /** Steps of linear increase. */
  warmupSteps: number;
  /** All steps, warm-up included. */
  totalSteps: number;
  /** A falling schedule ends at this share of the peak. */
  minRatio: number;
}

type ScheduleShape = RunConfig["actor"]["lr_schedule"];

/** What is left of the peak after the falling part is `progress` done, 0…1. */
const FALLING = {
  linear: (progress: number) => 1 - progress,
  cosine: (progress: number) => 0.5 * (1 + Math.cos(Math.PI * progress)),
} as const;

/** How far the falling part is at `step`, 0…1. */
function fallen({ warmupSteps, totalSteps }: Schedule, step: number): number {
  return Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
}

/** Learning rate of `step` (from 1): linear warm-up, then down to `minRatio · peak` in the given shape. */
function scheduledRate(shape: ScheduleShape, schedule: Schedule, step: number): number {
  const { peak, warmupSteps, minRatio } = schedule;
  if (step <= warmupSteps) return (peak * step) / warmupSteps;
  if (shape === "constant") return peak;
  return peak * (minRatio + (1 - minRatio) * FALLING[shape](fallen(schedule, step)));
}

/** Share of the actor's and the critic's learning rates at PPO update `update` (from 1), 0…1. */
export function ppoRateShare({ actor, trainer }: RunConfig, update: number): number {
  const schedule = {
    peak: 1,
    warmupSteps: actor.lr_warmup_updates,
    totalSteps: trainer.total_updates,
    minRatio: actor.min_lr_ratio,
  };
  return scheduledRate(actor.lr_schedule, schedule, update);
}

/** Learning rate of SFT update `update` (from 1): linear increase, then a cosine. */
export function sftRate({ sft }: RunConfig, update: number): number {
  const schedule = {
    peak: sft.lr,
    warmupSteps: sft.lr_warmup_steps,
    totalSteps: sft.lr_decay_updates || sft.total_updates,
    minRatio: sft.min_lr_ratio,
  };
  return scheduledRate("cosine", schedule, update);
}
