// The remedy for a run that diverged.
import type { RunConfig } from "./run-config.ts";
import { sftUpdates } from "./run-length.ts";

interface RateChange {
  /** `sft.lr` during SFT, `actor.lr` after it. */
  path: "sft.lr" | "actor.lr";
  from: number;
  to: number;
}

/** Half the learning rate with which `update` is computed. */
export function halvedRate(config: RunConfig, update: number): RateChange {
  const inSft = update <= sftUpdates(config);
  const from = inSft ? config.sft.lr : config.actor.lr;
  return { path: inSft ? "sft.lr" : "actor.lr", from, to: from / 2 };
}
