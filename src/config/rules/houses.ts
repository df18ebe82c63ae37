// Imported houses: they must be loaded, and training must leave those for evaluation alone.
import { message, setting } from "../../core/message.ts";
import { evaluationHouses, LOAD_HOUSES } from "../../envs/navigation/houses.ts";
import { splitOf } from "../../envs/navigation/task-sets.ts";
import { houseOptions } from "../houses.ts";
import { trainingSeeds, validationSeeds } from "../levels.ts";
import { problem, type Rule } from "./rule.ts";

const housesLoaded: Rule = (config, picture, { houses }) => {
  if (!picture || !houseOptions(config) || houses > 0) return null;
  return problem("env.config.homes", "no houses are loaded", `${LOAD_HOUSES} Or use own.`, "own");
};

const FROM = "env.config.eval_houses_from";

/** Training and validation take their houses by the seed, unless the set is one of evaluation. */
const housesApart: Rule = (config, picture, { houses }) => {
  const options = picture && houseOptions(config);
  if (!options || splitOf(options.eval_set) === "eval") return null;
  if (evaluationHouses(houses, options.eval_houses) === 0) return null;
  const trained = largest(trainingSeeds(config));
  const validated = least(validationSeeds(config));
  const { eval_houses_from: from } = options;
  if (trained < from && from <= validated) return null;
  const [what, seed] =
    trained >= from ? (["training", trained] as const) : (["the validation", validated] as const);
  const hint = message`Set it above the seeds of ${setting("trainer.train_seeds")} and at most to the first of ${setting("trainer.val_seeds")}, or ${setting("env.config.eval_houses")} to 0 to share all houses.`;
  const expected = `${what} plays seed ${seed}, in houses that are for ${trained >= from ? "evaluation" : "training"}`;
  return problem(FROM, expected, hint, ...(trained < validated ? [validated] : []));
};

const least = (seeds: readonly number[]): number =>
  seeds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const largest = (seeds: readonly number[]): number =>
  seeds.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

export const houseRules: readonly Rule[] = [housesLoaded, housesApart];
