// Lists validation levels on which two policies differ, to choose case studies from.
import { entryConfig, gamesOf } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { Trajectory } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import { levelOf } from "../../run/held-out.ts";
import type { Consent } from "../../run/judge-consent.ts";
import { UsageError } from "../args.ts";
import { readCheckpoint, trainedConfig } from "../checkpoint.ts";
import { levelsOf, withRun } from "../eval-run.ts";
import { formatTable } from "../format-progress.ts";
import { type PlaySettings, playValidation } from "./episodes.ts";
import { headlineOf, highlightsOf, storyOf } from "./story.ts";

/** A policy by the name that the user gave it, and what `readCheckpoint` reads. */
interface NamedPolicy {
  name: string;
  checkpoint: string;
}

/** A policy and its episodes on the validation levels. */
interface PlayedPolicy {
  name: string;
  config: RunConfig;
  trajectories: readonly Trajectory[];
}

/** @throws UsageError if policies play other levels, because then they cannot be compared level by level. */
export async function assertSameLevels(
  policies: readonly NamedPolicy[],
  { entry }: PlaySettings,
): Promise<void> {
  const [first, ...others] = await Promise.all(
    policies.map(async ({ name, checkpoint }) => {
      const config = entryConfig(trainedConfig((await readCheckpoint(checkpoint, "--find")).meta), entry);
      return { name, env: config.env.name, levels: await firstLevels(config) };
    }),
  );
  for (const other of others) {
    if (other.env !== first!.env)
      throw notComparable(`${first!.name} plays ${first!.env}, and ${other.name} plays ${other.env}`);
    if (other.levels !== first!.levels)
      throw notComparable(`${first!.name} and ${other.name} have different validation levels`);
  }
}

/** The seeds of the validation levels, and the first of these levels: other options give other levels from the same seeds. */
async function firstLevels(config: RunConfig): Promise<string> {
  const seeds = levelsOf(config);
  await loadEnv(config.env.name);
  const [{ spec, config: options }] = gamesOf(config) as [ReturnType<typeof gamesOf>[number]];
  const env = spec.create(options);
  return [seeds.join(), ...seeds.slice(0, FIRST).map((seed) => levelOf(env, seed))].join("\n");
}

const FIRST = 4;

const notComparable = (why: string): UsageError =>
  new UsageError(`${why}.`, "--find compares two policies on the same levels; give it one of them.");

/**
 * A table with a row for each level that one policy solves and the other does not; with one policy, for each level.
 * With `stories`, every turn of these episodes instead.
 */
export async function findLevels(
  checkpoints: readonly NamedPolicy[],
  settings: PlaySettings,
  consent: Consent,
  stories: boolean,
): Promise<string> {
  const played: PlayedPolicy[] = [];
  for (const { name, checkpoint } of checkpoints)
    played.push(
      await withRun(checkpoint, { consent }, async (run) => ({
        name,
        config: run.config,
        trajectories: (await playValidation(run, settings)).trajectories,
      })),
    );
  const levels = played[0]!.trajectories.flatMap((first, level) => {
    const all = played.map(({ trajectories }) => trajectories[level]!);
    return played.length === 1 || all.some(({ success }) => success !== first.success) ? [all] : [];
  });
  if (stories) return levels.flatMap((all) => all.map((one, i) => namedStory(played[i]!, one))).join("\n\n");
  const rows = levels.map((all) => [
    String(all[0]!.seed),
    ...all.map((one, i) => headlineOf(highlightsOf(one, played[i]!.config))),
  ]);
  return formatTable([["seed", ...played.map(({ name }) => name)], ...rows]);
}

const namedStory = ({ name, config }: PlayedPolicy, trajectory: Trajectory): string =>
  `${name}, ${storyOf(trajectory, config)}`;
