// A run in several environments: each of them as a configuration of its own.
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/registry.ts";
import type { RunConfig, ValidationSet } from "./run-config.ts";

/** An environment of a run besides the first. */
interface RunEntry {
  /** Part of the names of its metrics. */
  readonly name: string;
  /** Levels for each one of the first environment. */
  readonly weight: number;
  /** The run as if this were its only environment. */
  readonly config: RunConfig;
}

/** The further environments of a run, in order. Recordings and runs from before there were any do not name them. */
export const furtherEntries = (config: RunConfig): RunEntry[] =>
  Object.entries(entriesIn(config)).map(([name, { weight, ...entry }]) => ({
    name,
    weight,
    config: alone(config, name, { ...entry, name: entry.name || name }),
  }));

const entriesIn = (config: RunConfig): RunConfig["envs"] => (config as Partial<RunConfig>).envs ?? {};

function alone(
  config: RunConfig,
  entryName: string,
  entry: Omit<RunConfig["envs"][string], "weight">,
): RunConfig {
  const { rollout, trainer } = config;
  const { name, preset, config: options, max_turns, train_seeds, val_seeds } = entry;
  return {
    ...config,
    env: { name, preset, config: options },
    envs: {},
    rollout: { ...rollout, max_turns: max_turns ?? rollout.max_turns },
    trainer: {
      ...trainer,
      train_seeds: train_seeds || trainer.train_seeds,
      val_seeds: val_seeds || trainer.val_seeds,
      val_sets: setsOf(entryName, trainer),
    },
  };
}

/** The further validation sets that play an environment, as those of a run with no other. */
function setsOf(entryName: string, { val_sets }: RunConfig["trainer"]): RunConfig["trainer"]["val_sets"] {
  const own = Object.entries(val_sets).filter(([, { env }]) => env === entryName);
  return Object.fromEntries(own.map(([name, { env: _, ...set }]) => [name, set]));
}

/** The run as if it had one environment, for each of them, the first one's first. */
export const eachAlone = (config: RunConfig): RunConfig[] => [
  config,
  ...furtherEntries(config).map((entry) => entry.config),
];

/** A name for a further environment that no environment or validation set of the run has. */
export function freeEntryName(id: string, { env, envs: further, trainer }: RunConfig): string {
  const taken = [env.name, ...Object.keys(further), ...Object.keys(trainer.val_sets)];
  if (!taken.includes(id)) return id;
  const names = taken.map((_, i) => `${id}_${i + 2}`);
  return names.find((name) => !taken.includes(name)) ?? `${id}_${taken.length + 2}`;
}

/** Names of the environments of a run, the first one's first, as metrics name them. */
export const entryNames = (config: RunConfig): string[] => [
  config.env.name,
  ...Object.keys(entriesIn(config)),
];

/** Ids of the environments of a run. */
export const envIdsOf = (config: RunConfig): string[] => eachAlone(config).map(({ env }) => env.name);

/** The environments of a checked run with their options, the first one's first. @throws ConfigError for an unknown one. */
export function gamesOf(config: RunConfig): { spec: EnvSpec; config: unknown }[] {
  return eachAlone(config).map(({ env }) => {
    const spec = envs.get(env.name);
    return { spec, config: spec.config.parse(env.config) };
  });
}

/** Patches of the pictures of a checked run: as many as its largest environment has, on each side. @throws as `gamesOf` does */
export const largestPicture = (config: RunConfig): { rows: number; cols: number } =>
  pictureOfAll(gamesOf(config));

/** Patches of a picture that has room for that of each game. */
export function pictureOfAll(games: ReturnType<typeof gamesOf>): { rows: number; cols: number } {
  const sizes = games.map((game) => game.spec.patches(game.config));
  return {
    rows: Math.max(...sizes.map(({ rows }) => rows)),
    cols: Math.max(...sizes.map(({ cols }) => cols)),
  };
}

/** The most turns that an episode of a run may have, in any of its environments. */
export const mostTurns = (config: RunConfig): number =>
  Math.max(...eachAlone(config).map(({ rollout }) => rollout.max_turns));

/** Turns that every vocabulary has words for. */
export const MAX_TURNS = 5;

/** How many turns the vocabulary of a run has words for. */
export const countedTurns = (config: RunConfig): number => Math.max(MAX_TURNS, mostTurns(config));

/** The run as if the named environment were its only one; without a name, or with an unknown one, the first. */
export function entryConfig(config: RunConfig, entry?: string): RunConfig {
  const found = furtherEntries(config).find(({ name }) => name === entry);
  return found?.config ?? config;
}

/** The run reduced to the environment of a validation set, with the options and turns of the set. */
export function playedIn(
  { env, config: options, max_turns }: Omit<ValidationSet, "seeds">,
  config: RunConfig,
): RunConfig {
  const alone = entryConfig(config, env);
  return {
    ...alone,
    env: { ...alone.env, config: { ...alone.env.config, ...options } },
    rollout: { ...alone.rollout, max_turns: max_turns ?? alone.rollout.max_turns },
  };
}
