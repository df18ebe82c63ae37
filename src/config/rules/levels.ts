// Seeds of training and of validations.
import { listed, type Message, message, setting } from "../../core/message.ts";
import { countedTurns, entryNames } from "../entries.ts";
import type { RunConfig, ValidationSet } from "../run-config.ts";
import { countSeeds } from "../seeds.ts";
import { problem, type Rule, type RuleProblem } from "./rule.ts";

/** A validation plays each of its levels at least once. */
const MOST_VALIDATED = 10_000;

const trainSeeds: Rule = ({ trainer: { train_seeds: text } }) => {
  const read = countSeeds(text);
  return "problem" in read
    ? problem("trainer.train_seeds", read.problem, "Use 1-10000, as VAGEN-Lite does.", "1-10000")
    : null;
};

const valSeeds: Rule = ({ trainer: { val_seeds: text } }) => {
  const wrong = text === "" ? undefined : wrongValidation(text);
  const hint = message`Use 10001-10256, or leave it empty and set ${setting("trainer.val_size")}.`;
  return wrong === undefined ? null : problem("trainer.val_seeds", wrong, hint, "");
};

const VAL_SETS = "trainer.val_sets";

const valSets: Rule = (config) => {
  for (const [name, set] of Object.entries(config.trainer.val_sets)) {
    const wrong = wrongName(name, config) ?? wrongEnv(name, set, config) ?? wrongTurns(name, set, config);
    const found = wrong ?? wrongSeeds(name, set);
    if (found) return found;
  }
  return null;
};

type Wrong = ReturnType<Rule>;

/** Names of sets become parts of metric names. */
function wrongName(name: string, { env }: RunConfig): Wrong {
  if (name === env.name)
    return named(
      name,
      "metrics of the run's environment already have this name",
      "Give the set another name.",
    );
  // Every object has a property `constructor`, and others of its kind.
  if (/^[\w.-]{1,60}$/.test(name) && !(name in {})) return null;
  return named(
    name,
    "it is not a valid name for a set",
    "Use 1 to 60 letters, digits, hyphens, underscores and full stops.",
  );
}

const named = (name: string, expected: Message, hint: Message): RuleProblem => ({
  ...problem(VAL_SETS, expected, hint),
  value: name,
});

/** A policy knows the words of the environments that its run trains in. */
function wrongEnv(name: string, { env }: ValidationSet, config: RunConfig): Wrong {
  const known = entryNames(config);
  if (env === undefined || known.includes(env)) return null;
  const hint = message`Use ${listed(known, "or")}, or leave it out for ${config.env.name}.`;
  return inSet(name, "env", env, "the run trains in no environment of that name", hint);
}

/** Each turn that a run may count has a word of its own. */
function wrongTurns(name: string, { max_turns }: ValidationSet, config: RunConfig): Wrong {
  const most = String(countedTurns(config));
  if (max_turns === undefined || max_turns <= Number(most)) return null;
  const hint = message`Use at most ${most}, or raise ${setting("rollout.max_turns")}.`;
  return inSet(name, "max_turns", max_turns, `the policy of this run has words for ${most} turns`, hint);
}

function wrongSeeds(name: string, { seeds }: ValidationSet): Wrong {
  const wrong = wrongValidation(seeds);
  return wrong === undefined ? null : inSet(name, "seeds", seeds, wrong, "Use 20000-20063, for example.");
}

/** A problem with one field of a set. A name may have full stops, so no value is looked up by the path. */
const inSet = (
  name: string,
  field: string,
  value: unknown,
  expected: string,
  hint: Message,
): RuleProblem => ({
  ...problem(`${VAL_SETS}.${name}.${field}`, expected, hint),
  value,
});

function wrongValidation(text: string): string | undefined {
  const read = countSeeds(text);
  if ("problem" in read) return read.problem;
  return read.count > MOST_VALIDATED
    ? `${read.count} levels are more than the ${MOST_VALIDATED} that a validation may have`
    : undefined;
}

export const levelRules: readonly Rule[] = [trainSeeds, valSeeds, valSets];
