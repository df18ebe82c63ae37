// Ids of lists that extensions may add to must be registered.
import { joined, message, setting, value } from "../../core/message.ts";
import { envs } from "../../envs/index.ts";
import { houseCount } from "../../envs/navigation/houses.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";
import { OWN_SETTINGS, termsByWeight } from "../../rl/reward/index.ts";
import type { RunConfig } from "../run-config.ts";
import { nearest, suggestion } from "../suggest.ts";
import { choices, defaults, type KnownIds, problem, type Rule, type RuleProblem } from "./rule.ts";

/** The ids that are registered now. */
export const knownIds = (): KnownIds => ({
  environments: envs.ids,
  estimators: estimators.ids,
  filters: filters.ids,
  terms: termsByWeight().map(({ id }) => id),
  houses: houseCount(),
});

/** An id of a list that extensions add to. */
function idIsKnown(path: string, typed: string, known: readonly string[], usual: string): RuleProblem | null {
  if (known.includes(typed)) return null;
  const near = nearest(typed, known);
  return problem(
    path,
    message`it must be one of ${joined(choices(path, ...known), ", ")}`,
    near
      ? message`Did you mean ${value(path, near)}?`
      : message`Use one of these. The default is ${value(path, usual)}.`,
  );
}

/** The chosen estimator; an extension's may be missing, which `estimatorKnown` reports. */
export const estimatorOf = ({ adv_estimator: named }: RunConfig["algorithm"]) =>
  estimators.all.find(({ id }) => id === named);

const estimatorKnown: Rule = ({ algorithm }, _, known) =>
  idIsKnown(
    "algorithm.adv_estimator",
    algorithm.adv_estimator,
    known.estimators,
    defaults.algorithm.adv_estimator,
  );

const filterKnown: Rule = ({ algorithm }, _, known) =>
  idIsKnown("algorithm.filter", algorithm.filter, known.filters, defaults.algorithm.filter);

/** Weights are for terms of extensions; the studio's own terms have settings of their own. */
const weightsKnown: Rule = ({ reward: { weights } }, _, { terms }) => {
  const id = Object.keys(weights).find((key) => !terms.includes(key));
  if (id === undefined) return null;
  const own = Object.hasOwn(OWN_SETTINGS, id) ? OWN_SETTINGS[id] : undefined;
  const path = `reward.weights.${id}`;
  // The id may contain dots, so its value is not found by the path.
  const weight = weights[id];
  if (own)
    return {
      path,
      value: weight,
      expected: "the weight of this term is another setting",
      hint: message`It is ${setting(own)}.`,
    };
  const missing = "There is none: add an extension that registers it, or remove the weight.";
  const hint = terms.length > 0 ? suggestion(id, terms) : missing;
  return { path, value: weight, expected: `no extension has added a reward term "${id}"`, hint };
};

export const registeredRules: readonly Rule[] = [estimatorKnown, filterKnown, weightsKnown];
