// Seeds of training and of validations.
import { message, setting } from "../../core/message.ts";
import { countSeeds } from "../seeds.ts";
import { problem, type Rule } from "./rule.ts";

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

/** Names of sets become parts of metric names. */
const valSets: Rule = ({ env, trainer: { val_sets: sets } }) => {
  for (const [name, { seeds }] of Object.entries(sets)) {
    if (name === env.name)
      return problem(
        "trainer.val_sets",
        message`a set cannot be named ${name}, because the metrics of ${setting("env.name")} carry that name`,
        "Give it another name.",
      );
    if (!/^[\w.-]{1,60}$/.test(name))
      return problem(
        "trainer.val_sets",
        `a set cannot be named "${name}"`,
        "Use 1 to 60 letters, digits, hyphens, underscores and full stops.",
      );
    const wrong = wrongValidation(seeds);
    if (wrong !== undefined)
      return problem(
        "trainer.val_sets",
        `the seeds of ${name} cannot be read: ${wrong}`,
        "Use 20000-20063, for example.",
      );
  }
  return null;
};

function wrongValidation(text: string): string | undefined {
  const read = countSeeds(text);
  if ("problem" in read) return read.problem;
  return read.count > MOST_VALIDATED
    ? `${read.count} levels are more than the ${MOST_VALIDATED} that a validation may have`
    : undefined;
}

export const levelRules: readonly Rule[] = [trainSeeds, valSeeds, valSets];
