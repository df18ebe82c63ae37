// The coefficient of the KL penalty in the reward. Adaptive control (Ziegler et al. 2019) moves it after every update.
import type { RunConfig } from "../config/run-config.ts";
import { adaptedCoefficient } from "../rl/kl-control.ts";
import type { Run } from "./run.ts";

/** The coefficient of the next update: configured, or set by adaptive control. */
export function klCoefficient({ config: { algorithm }, counters }: Pick<Run, "config" | "counters">): number {
  const moved = algorithm.kl_ctrl_type === "adaptive" ? counters.klCoef : undefined;
  return moved ?? algorithm.kl_coef;
}

/**
 * Moves the coefficient towards the target KL.
 * @param config the configuration that the update began with.
 * @param coefficient what the update multiplied its KL with.
 * @param kl the KL of the update's episodes; does nothing if it was not measured.
 */
export function adaptKl(
  { counters }: Pick<Run, "counters">,
  { algorithm }: RunConfig,
  coefficient: number,
  kl: number | undefined,
  episodes: number,
): void {
  if (algorithm.kl_ctrl_type !== "adaptive" || kl === undefined) return;
  const control = { target: algorithm.target_kl, horizon: algorithm.horizon };
  counters.klCoef = adaptedCoefficient(coefficient, kl, episodes, control);
}
