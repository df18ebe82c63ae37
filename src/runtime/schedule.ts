// Learning-rate schedules of the two stages.

export interface Schedule {
  peak: number;
  /** Steps of linear increase. */
  warmupSteps: number;
  /** All steps, warm-up included. */
  totalSteps: number;
  /** A falling schedule ends at this share of the peak. */
  minRatio: number;
}

/** How far the falling part is at `step`, 0…1. */
function fallen({ warmupSteps, totalSteps }: Schedule, step: number): number {
  return Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
}

/** What is left of the peak after the falling part is `progress` done. */
const SHAPES = {
  constant: () => 1,
  linear: (progress: number) => 1 - progress,
  cosine: (progress: number) => 0.5 * (1 + Math.cos(Math.PI * progress)),
} as const;

export type ScheduleShape = keyof typeof SHAPES;

/** Learning rate of `step` (from 1): linear warm-up, then down to `minRatio · peak` in the given shape. */
export function scheduledRate(shape: ScheduleShape, schedule: Schedule, step: number): number {
  const { peak, warmupSteps, minRatio } = schedule;
  if (step <= warmupSteps) return (peak * step) / warmupSteps;
  const left = SHAPES[shape](fallen(schedule, step));
  return peak * (shape === "constant" ? 1 : minRatio + (1 - minRatio) * left);
}

/** The warm-up's: linear increase, then a cosine. */
export const cosineSchedule = (schedule: Schedule, step: number): number =>
  scheduledRate("cosine", schedule, step);
