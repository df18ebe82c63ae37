// The remedy for a run that diverged.
import type { RunConfig } from "./run-config.ts";
import { warmupUpdates } from "./run-length.ts";

interface RateChange {
  /** `sft.lr` during SFT, `actor.lr` after it. */
  path: "sft.lr" | "actor.lr";
  from: number;
  to: number;
}

/** Half the learning rate with which `update` is computed. */
export function halvedRate(config: RunConfig, update: number): RateChange {
  const inWarmup = update <= warmupUpdates(config);
  const from = inWarmup ? config.sft.lr : config.actor.lr;
  return { path: inWarmup ? "sft.lr" : "actor.lr", from, to: from / 2 };
}
