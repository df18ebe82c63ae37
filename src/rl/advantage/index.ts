// The list of advantage estimators. One without dispatches in policy/wgsl/advantages.ts runs on the CPU.
import { openRegistry } from "../../core/registry.ts";
import { biLevelGae } from "./bi-level-gae.ts";
import type { AdvantageEstimator } from "./estimator.ts";
import { gae } from "./gae.ts";
import { grpo, grpoPassk, opo, reinforcePlusPlusBaseline, rloo, trajectoryGrpo } from "./group.ts";
import { defaultGae, maskedGae, tokenLevelGae } from "./masked-gae.ts";
import { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
import { remax } from "./remax.ts";
import { arealTurnGae, noConcatGae, noConcatGaeLast, turnLevelGae, turnWiseGae } from "./turn-wise-gae.ts";
import { biLevelGaeVariableClock } from "./variable-clock.ts";

/**
 * Other names of estimators. The reference calls both generations of its Bi-Level GAE `bi_level_gae`; here that is the
 * published one, and each has a name that can only mean it.
 */
const ALIASES = {
  bi_level_gae_published: biLevelGae.id,
  bi_level_gae_2026: biLevelGaeVariableClock.id,
};

export const estimators = openRegistry<AdvantageEstimator>(
  { kind: "advantage estimator", aliases: ALIASES },
  biLevelGae,
  maskedGae,
  turnWiseGae,
  gae,
  grpo,
  rloo,
  reinforcePlusPlus,
  noConcatGae,
  noConcatGaeLast,
  biLevelGaeVariableClock,
  tokenLevelGae,
  defaultGae,
  turnLevelGae,
  trajectoryGrpo,
  arealTurnGae,
  reinforcePlusPlusBaseline,
  remax,
  opo,
  grpoPassk,
);
