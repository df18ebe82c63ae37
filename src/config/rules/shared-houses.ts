// Whether training and validation play in the same imported houses. As with shared levels it is allowed, and a warning says so.
import { type Message, message, setting } from "../../core/message.ts";
import { evaluationHouses, houseCount } from "../../envs/navigation/houses.ts";
import { splitOf } from "../../envs/navigation/task-sets.ts";
import { houseOptions } from "../houses.ts";
import { trainingSeeds, validationSeeds } from "../levels.ts";
import type { RunConfig } from "../run-config.ts";

/** Which seed leads into houses of the other kind, and what to do about it; null where none does, or houses are not divided. */
export function sharedHouses(
  config: Pick<RunConfig, "env" | "trainer">,
): { message: Message; hint: Message } | null {
  const options = houseOptions(config);
  if (!options || splitOf(options.eval_set) === "eval") return null;
  if (evaluationHouses(houseCount(), options.eval_houses) === 0) return null;
  const { eval_houses_from: from } = options;
  const hint = message`Set ${setting("env.config.eval_houses_from")} above the seeds of ${setting("trainer.train_seeds")} and at most to the first of ${setting("trainer.val_seeds")}.`;
  const trained = trainingSeeds(config).find((seed) => seed >= from);
  if (trained !== undefined)
    return { message: `Training plays seed ${trained} in a house reserved for evaluation.`, hint };
  const validated = validationSeeds(config).find((seed) => seed < from);
  if (validated !== undefined)
    return {
      message: `The validation plays seed ${validated} in a house that training plays, too. Success there does not show what the policy does in houses that it has never seen.`,
      hint,
    };
  return null;
}
