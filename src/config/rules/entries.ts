// What a run in several environments does not go with, and how these may be named.
import { type Message, message, setting, value } from "../../core/message.ts";
import { problem, type Rule, type RuleProblem } from "./rule.ts";

const ENVS = "envs";

/** Settings that know one environment only. */
const forOne: Rule = ({ envs, rollout, trainer, actor, critic }) => {
  if (Object.keys(envs).length === 0) return null;
  const set = [
    { path: "rollout.workflow", is: rollout.workflow === "areal", instead: "vagen" },
    { path: "trainer.harness", is: trainer.harness === "compact", instead: "concat" },
    { path: "actor.use_pivot", is: actor.use_pivot, instead: false },
    { path: "critic.asymmetric", is: critic.asymmetric, instead: false },
  ].find(({ is }) => is);
  if (!set) return null;
  const { path, instead } = set;
  return problem(
    ENVS,
    message`${setting(path)} has a value that works with one environment only`,
    message`Set ${setting(path)} to ${value(path, instead)}, or leave this out.`,
    { path, value: instead },
  );
};

/** Names become parts of metric names, which must not be those of other levels. */
const names: Rule = ({ env, envs, trainer }) => {
  const taken = [env.name, ...Object.keys(trainer.val_sets)];
  for (const name of Object.keys(envs)) {
    if (!/^[\w.-]{1,60}$/.test(name))
      return named(
        name,
        "it is not a valid name for an environment",
        "Use 1 to 60 letters, digits, hyphens, underscores and full stops.",
      );
    if (taken.includes(name))
      return named(
        name,
        message`the name ${name} is taken by ${setting("env.name")} or ${setting("trainer.val_sets")}, and metrics carry it`,
        message`Give it another name, e.g. ${`${name}_2: { name: ${envs[name]!.name || name} }`}.`,
      );
  }
  return null;
};

const named = (name: string, expected: Message, hint: Message): RuleProblem => ({
  ...problem(ENVS, expected, hint),
  value: name,
});

export const entryRules: readonly Rule[] = [forOne, names];
