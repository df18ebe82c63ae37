// Values that are each allowed but contradict each other. One rule, one function. Settings of a workflow or a shaping that is off
// are refused; parameters of an estimator, filter, schedule or penalty that is not
// chosen wait for it (idle.ts), because a method may put another estimator over any file.

import { advantageRules } from "./advantage.ts";
import { arealRules } from "./areal.ts";
import { batchRules } from "./batch.ts";
import { entryRules } from "./entries.ts";
import { houseRules } from "./houses.ts";
import { layoutRules } from "./layout.ts";
import { levelRules } from "./levels.ts";
import { modelRules } from "./model.ts";
import { registeredRules } from "./registered.ts";
import { replyRules } from "./reply.ts";
import type { Rule } from "./rule.ts";
import { shapingRules } from "./shaping.ts";
import { trainingRules } from "./training.ts";

export const rules: readonly Rule[] = [
  ...registeredRules,
  ...entryRules,
  ...modelRules,
  ...batchRules,
  ...layoutRules,
  ...arealRules,
  ...shapingRules,
  ...advantageRules,
  ...trainingRules,
  ...replyRules,
  ...levelRules,
  ...houseRules,
];
