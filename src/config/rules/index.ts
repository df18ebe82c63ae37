// Values that are each allowed but do not go together. One rule, one function; the message names field, value, remedy.
// What belongs to a workflow or a shaping that is off is refused; parameters of an estimator, filter, schedule or penalty that is not
// chosen wait for it, as methods lay estimators over any file, and the form says that they are idle (`ui/settings/idle.ts`).

import { advantageRules } from "./advantage.ts";
import { arealRules } from "./areal.ts";
import { batchRules } from "./batch.ts";
import { modelRules } from "./model.ts";
import { registeredRules } from "./registered.ts";
import { replyRules } from "./reply.ts";
import type { Rule } from "./rule.ts";
import { shapingRules } from "./shaping.ts";
import { trainingRules } from "./training.ts";

export const rules: readonly Rule[] = [
  ...registeredRules,
  ...modelRules,
  ...batchRules,
  ...arealRules,
  ...shapingRules,
  ...advantageRules,
  ...trainingRules,
  ...replyRules,
];
