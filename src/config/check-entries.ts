// The further environments of a run, each checked as if it were the only one.
import { joined, message } from "../core/message.ts";
import { furtherEntries, playedIn } from "./entries.ts";
import type { ConfigProblem } from "./rules/problem.ts";
import type { RunConfig } from "./run-config.ts";

/** A configuration with the options of its environment completed, and what is wrong with it. */
interface Examined {
  config: RunConfig;
  problems: readonly ConfigProblem[];
}

/**
 * The configuration with the options of its further environments completed, and what is wrong with them. What is wrong with the first
 * as well (`known`) is not repeated.
 */
export function examineEntries(
  config: RunConfig,
  examine: (config: RunConfig) => Examined,
  known: readonly ConfigProblem[],
): { config: RunConfig; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const envs = { ...config.envs };
  for (const { name, config: alone } of furtherEntries(config)) {
    // The sets of all environments are checked with the first.
    const found = examine({ ...alone, trainer: { ...alone.trainer, val_sets: {} } });
    envs[name] = { ...envs[name]!, name: alone.env.name, config: found.config.env.config };
    problems.push(
      ...found.problems
        .filter(({ path }) => path.startsWith("env.") || !known.some((other) => other.path === path))
        .map((problem) => inEntry(name, withFix(problem, config, examine))),
    );
  }
  return { config: { ...config, envs }, problems };
}

/**
 * What is wrong with the options of the further validation sets, each checked as the options of its environment. A set of an environment
 * that has problems of its own, or that the run does not have, is not checked.
 */
export function examineSets(
  config: RunConfig,
  examine: (config: RunConfig) => Examined,
  known: readonly ConfigProblem[],
): ConfigProblem[] {
  if (known.some(({ path }) => /^(env|envs)\./.test(path))) return [];
  const sets = Object.entries(config.trainer.val_sets);
  return sets.flatMap(([name, { config: options, env }]) => {
    if (Object.keys(options).length === 0) return [];
    return examine(playedIn({ config: options, env }, config)).problems.flatMap(({ fix: _, ...problem }) =>
      problem.path.startsWith("env.config")
        ? [{ ...problem, path: `trainer.val_sets.${name}${problem.path.slice("env".length)}` }]
        : [],
    );
  });
}

/** The problem, with its fix only if that changes a setting of all environments, as the first environment may have it. */
function withFix(
  { fix, ...problem }: ConfigProblem,
  config: RunConfig,
  examine: (config: RunConfig) => Examined,
): ConfigProblem {
  if (!fix || ownPath(fix.path)) return problem;
  // What all environments share is a section and a name in it.
  const [section, key] = fix.path.split(".") as ["judge" | "rollout" | "reward", string];
  const fixed = { ...config[section], [key]: fix.value };
  const { problems } = examine({ ...config, envs: {}, [section]: fixed });
  return problems.some(({ path }) => path === fix.path) ? problem : { ...problem, fix };
}

/** The problem as one of the entry's: its own settings under their paths, those of the run with its name. */
function inEntry(name: string, problem: ConfigProblem): ConfigProblem {
  const own = ownPath(problem.path);
  if (own) return { ...problem, entry: name, path: `envs.${name}.${own}` };
  return {
    ...problem,
    entry: name,
    expected: joined([message`for the environment ${name} of envs, `, problem.expected], ""),
  };
}

const SECTIONS: Readonly<Record<string, string>> = {
  "rollout.max_turns": "max_turns",
  "trainer.train_seeds": "train_seeds",
  "trainer.val_seeds": "val_seeds",
};

const ownPath = (path: string): string | undefined =>
  path.startsWith("env.") ? path.slice("env.".length) : SECTIONS[path];
