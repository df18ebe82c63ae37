// The list of advantage estimators.
import { registry } from "../../core/registry.ts";
import { biLevelGae } from "./bi-level-gae.ts";
import type { AdvantageEstimator } from "./estimator.ts";
import { gae } from "./gae.ts";
import { grpo, rloo } from "./group.ts";
import { maskedGae } from "./masked-gae.ts";
import { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
import { noConcatGae, noConcatGaeLast, turnWiseGae } from "./turn-wise-gae.ts";

export const estimators = registry<AdvantageEstimator>(
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
