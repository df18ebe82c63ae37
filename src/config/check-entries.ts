// The further environments of a run, each checked as if it were the only one.
import { joined, message } from "../core/message.ts";
import { furtherEntries } from "./entries.ts";
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
        .map((problem) => inEntry(name, problem)),
    );
  }
  return { config: { ...config, envs }, problems };
}

/** The problem as one of the entry's: its own settings under their paths, those of the run with its name. */
function inEntry(name: string, { fix: _, ...problem }: ConfigProblem): ConfigProblem {
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
