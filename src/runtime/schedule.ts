// Learning-rate schedule of the warm-up.

export interface Schedule {
  peak: number;
  /** Steps of linear increase. */
  warmupSteps: number;
  /** All steps, warm-up included. */
  totalSteps: number;
  /** The cosine ends at this share of the peak. */
  minRatio: number;
}

/** Learning rate of `step` (from 1): linear warm-up, then a cosine down to `minRatio · peak`. */
export function cosineSchedule({ peak, warmupSteps, totalSteps, minRatio }: Schedule, step: number): number {
  if (step <= warmupSteps) return (peak * step) / warmupSteps;
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
  return peak * (minRatio + (1 - minRatio) * 0.5 * (1 + Math.cos(Math.PI * progress)));
}
