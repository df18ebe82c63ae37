// The list of advantage estimators.
import { registry } from "../../core/registry.ts";
import { biLevelGae } from "./bi-level-gae.ts";
import type { AdvantageEstimator } from "./estimator.ts";
import { gae } from "./gae.ts";
import { maskedGae } from "./masked-gae.ts";

export const estimators = registry<AdvantageEstimator>("advantage estimator", biLevelGae, maskedGae, gae);
