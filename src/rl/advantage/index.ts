// The list of advantage estimators. One without dispatches in policy/wgsl/advantages.ts runs on the CPU.
import { openRegistry } from "../../core/registry.ts";
import { biLevelGae } from "./bi-level-gae.ts";
import type { AdvantageEstimator } from "./estimator.ts";
import { gae } from "./gae.ts";
import { grpo, rloo } from "./group.ts";
import { maskedGae } from "./masked-gae.ts";
import { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
import { noConcatGae, noConcatGaeLast, turnWiseGae } from "./turn-wise-gae.ts";

export const estimators = openRegistry<AdvantageEstimator>(
  "advantage estimator",
  biLevelGae,
  maskedGae,
  turnWiseGae,
  gae,
  grpo,
  rloo,
  reinforcePlusPlus,
  noConcatGae,
  noConcatGaeLast,
);
