// A run configuration → VAGEN's files. What VAGEN has no key for is written as comments, so that no setting is lost.
import { Document } from "yaml";
import { formatInteger, listed } from "../../core/format.ts";
import { envs } from "../../envs/index.ts";
import { diffConfigs, getPath, setPath, WHOLE, wholeOf } from "../changes.ts";
import { furtherEntries, playedIn } from "../entries.ts";
import { trainingSeeds, validationSeeds } from "../levels.ts";
import type { RunConfig } from "../run-config.ts";
import { seedsOf } from "../seeds.ts";
import { type Draft, renderVagen, type Setting } from "./comments.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import type { VagenGeneration as Generation, KeyMapping } from "./key-mapping.ts";
import type { SeedKeys } from "./keys/seeds.ts";
import type { VagenFile } from "./parse/file.ts";
import { OMEGACONF } from "./parse/omegaconf.ts";
import { mappingsOf } from "./table.ts";
import { REMOTE, theirTask } from "./task-names.ts";
import { type SeedSet, writeSeedSets } from "./written-seeds.ts";

/**
 * The files of a generation: a trainer's, and a dataset's (Lite has one for training and one for validation).
 * @throws ConfigError invalid_config where the seeds of a data set of Lite's would make too long a list.
 */
export function exportVagen(config: RunConfig, generation: Generation): VagenFile[] {
  const drafts = draftFiles(config, generation);
  const lost = lostSettings(config, drafts.map(withoutComments));
  return drafts.map((draft) => ({ name: draft.name, text: renderVagen(draft, lost, generation) }));
}

/** A configuration as VAGEN's files, and what a user should know before running them. */
export interface VagenExport {
  readonly files: readonly VagenFile[];
  /** How many settings are written as comments, because VAGEN has no key or no value for them. */
  readonly comments: number;
  /** See {@link trainedOtherwise} and {@link tasksToPrepare}. */
  readonly otherwise: readonly Setting[];
  readonly toPrepare: readonly string[];
}

/** The files of a generation with what VAGEN would do otherwise. @throws ConfigError as {@link exportVagen} does. */
export function exportWithNotes(config: RunConfig, generation: Generation): VagenExport {
  const files = exportVagen(config, generation);
  return {
    files,
    comments: files.flatMap(({ text }) => text.match(/^\s*# studio:/gm) ?? []).length,
    otherwise: trainedOtherwise(config, generation),
    toPrepare: tasksToPrepare(config, generation),
  };
}

/** Sections whose settings change what is learned. */
const LEARNING = /^(algorithm|actor|critic|reward|rollout)\./;

/** Settings that change what is learned and that VAGEN would not use: it skips the comments that carry them. */
export function trainedOtherwise(config: RunConfig, generation: Generation): Setting[] {
  const { config: theirs } = importVagen(draftFiles(config, generation).map(withoutComments));
  const differing = diffConfigs(theirs, config).filter(({ path }) => LEARNING.test(path));
  const [first, ...sizes] = levelCounts(config, generation);
  // Rounding to whole levels changes a weight a little.
  const weights = furtherEntries(config).filter(
    ({ weight }, i) => Math.abs(sizes[i]! / first! / weight - 1) > 0.01,
  );
  return [
    ...differing.map(({ path, to }) => ({ path, value: to })),
    ...weights.map(({ name, weight }) => ({ path: `envs.${name}.weight`, value: weight })),
  ];
}

/** How many levels the written entries have to train on. */
const levelCounts = (config: RunConfig, generation: Generation): number[] =>
  generation === "lite"
    ? writeSeedSets(liteTraining(config).map(({ levels }) => levels)).keys.map(({ n_envs }) => n_envs)
    : [1, ...furtherEntries(config).map(({ weight }) => weight)].map(legacySize);

/**
 * What has to be done or known before VAGEN plays the environments of the files: one sentence for each that it plays on a server, or does
 * not have, for each option whose value it does not have, and for each set of levels that it draws itself. Empty where it has them all.
 */
export function tasksToPrepare(config: RunConfig, generation: Generation): string[] {
  const ids = [config, ...furtherEntries(config).map((entry) => entry.config)].map(({ env }) => env.name);
  const tasks = [...new Set(ids)].flatMap((id) => {
    const { name, isTheirs } = theirTask(id, generation);
    if (!isTheirs)
      return `${RELEASES[generation]} has no environment for ${id}: register one under the name ${name}, or leave the entry out.`;
    return name === REMOTE ? `VAGEN plays ${id} on a server: fill in config.base_urls of its entries.` : [];
  });
  const options = writtenConfigs(config, generation).flatMap((own) => valuesToReplace(own, generation));
  return [...tasks, ...new Set(options), ...(generation === "lite" ? otherLevels(config) : [])];
}

/** A configuration for each entry of the files. */
const writtenConfigs = (config: RunConfig, generation: Generation): RunConfig[] => [
  config,
  ...furtherEntries(config).map((entry) => entry.config),
  ...(generation === "lite" ? Object.values(config.trainer.val_sets) : []).map((set) =>
    playedIn(set, config),
  ),
];

/** As subjects of sentences. */
const RELEASES: Readonly<Record<Generation, string>> = {
  lite: "VAGEN-Lite",
  legacy: "VAGEN's legacy release",
};

/** A sentence for each option of an environment whose value VAGEN does not have. */
const valuesToReplace = (config: RunConfig, generation: Generation): string[] =>
  mappingsOf({ part: "dataset", generation, env: config.env.name }).flatMap(({ key, path, theirs }) => {
    const ours = path === undefined ? undefined : getPath(config, path);
    if (!theirs || ours === undefined || theirs.includes(String(ours))) return [];
    const written = generation === "legacy" ? key.replace(/^config/, "env_config") : key;
    return `${RELEASES[generation]} does not have ${written} ${JSON.stringify(ours)}: replace it in its entries by ${listed(theirs, "or")}.`;
  });

/** A sentence for each set of levels that VAGEN draws itself, or of which it leaves some out. */
function otherLevels(config: RunConfig): string[] {
  const sets = [liteTraining(config), liteValidation(config)].map((tasks) =>
    tasks.map(({ levels }) => levels),
  );
  const drawn = sets
    .flatMap((levels) => writeSeedSets(levels).drawn)
    .map(
      ({ path, text }) =>
        `VAGEN draws the seeds of ${path}, ${JSON.stringify(text)}, with its own random numbers, because the lists of this file would be too long: use fewer seeds for the same levels.`,
    );
  const left = sets
    .flat()
    .filter(({ seeds, rows = seeds.length }) => rows < seeds.length)
    .map(
      ({ path, seeds, rows }) =>
        `VAGEN trains on ${formatInteger(rows!)} of the ${formatInteger(seeds.length)} levels of ${path}, so that they count as the weights in envs say.`,
    );
  return [...drawn, ...left];
}

/** The release's own trainer file, which a written one extends. */
const BASES: Readonly<Record<Generation, string>> = { legacy: "ppo_trainer", lite: "vagen_multiturn" };

const isTask = (path: string): boolean => path.startsWith("env.");

function draftFiles(config: RunConfig, generation: Generation): Draft[] {
  const values = valuesOf(config, mappingsOf({ part: "trainer", generation }));
  const trainer: Draft = {
    name: "trainer.yaml",
    tree: { defaults: [BASES[generation], "_self_"], ...nested(Object.entries(values)) },
    holds: (path) => !isTask(path),
    part: "trainer",
  };
  const dataset = (name: string, tree: object, holds = isTask): Draft => ({
    name,
    tree,
    holds,
    part: "dataset",
    env: config.env.name,
  });
  if (generation === "legacy") return [trainer, dataset("dataset.yaml", legacyTasks(config))];
  return [
    trainer,
    dataset("train.yaml", liteTasks(liteTraining(config))),
    dataset("val.yaml", liteTasks(liteValidation(config)), () => false),
  ];
}

/** Settings that no key of the files carries. Those at our default are included: defaults may change. */
function lostSettings(config: RunConfig, files: readonly VagenFile[]): Setting[] {
  const { config: back, findings } = importVagen(files);
  const changed = new Set(diffConfigs(back, config).map(({ path }) => path));
  const carried = new Set(ofKind(findings, "applied").map(({ path }) => wholeOf(path)));
  return leaves(config).filter(({ path }) => path !== "version" && (changed.has(path) || !carried.has(path)));
}

/** Every setting of a tree; lists, and trees of values by names of the user's, count as one value. */
function leaves(tree: object, prefix = ""): Setting[] {
  return diffConfigs({}, tree, prefix).flatMap(({ path, to }) =>
    typeof to !== "object" || to === null || Array.isArray(to) || WHOLE.includes(path)
      ? [{ path, value: to }]
      : leaves(to, `${path}.`),
  );
}

function withoutComments({ name, tree }: Draft): VagenFile {
  return { name, text: new Document(tree, OMEGACONF).toString() };
}

/** Values by dotted key, in the table's order. Of several mappings of a key the first with a value wins. */
function valuesOf(config: RunConfig, mappings: readonly KeyMapping[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key, path, write } of mappings) {
    const ours = path === undefined ? undefined : getPath(config, path);
    // A setting that the schema does not have yet is not written.
    if (key in values || (path !== undefined && ours === undefined)) continue;
    const value = write ? write(config) : ours;
    if (value !== undefined) values[key] = value;
  }
  return values;
}

/** The options of an entry, nested as VAGEN has them. */
function optionsOf(config: RunConfig, generation: Generation): object {
  const values = valuesOf(config, mappingsOf({ part: "dataset", generation, env: config.env.name }));
  return nested(
    Object.entries(values)
      .filter(([key]) => key.startsWith("config."))
      .map(([key, value]) => [key.slice("config.".length), value]),
  );
}

/** Values by dotted key as sections. */
const nested = (values: readonly (readonly [key: string, value: unknown])[]): object =>
  values.reduce<object>((tree, [key, value]) => setPath(tree, key, value), {});

/** The tasks as `env1`, `env2` …; each counts as much as it has levels. */
function legacyTasks(config: RunConfig): object {
  const tasks = [
    legacyTask(config),
    ...furtherEntries(config).map((entry) => legacyTask(entry.config, entry.weight)),
  ];
  return Object.fromEntries(tasks.map((task, i) => [`env${i + 1}`, task]));
}

const legacySize = (weight: number): number => Math.max(1, Math.round(10000 * weight));

function legacyTask(config: RunConfig, weight = 1): object {
  return {
    env_name: theirTask(config.env.name, "legacy").name,
    env_config: optionsOf(config, "legacy"),
    train_size: legacySize(weight),
    test_size: config.trainer.val_size,
  };
}

/** What an entry of Lite's is written from: a configuration that has its task, the levels, and the name of its metrics. */
interface LiteTask {
  readonly config: RunConfig;
  readonly levels: SeedSet;
  readonly name?: string;
}

/** A data set of Lite's. */
function liteTasks(tasks: readonly LiteTask[]): object {
  const { keys } = writeSeedSets(tasks.map(({ levels }) => levels));
  return { envs: tasks.map((task, i) => liteTask(task, keys[i]!)) };
}

function liteTask({ config, name }: LiteTask, seeds: SeedKeys): object {
  const { id } = envs.get(config.env.name);
  return {
    name: theirTask(id, "lite").name,
    data_source: name ?? id,
    ...seeds,
    max_turns: config.rollout.max_turns,
    response_length_per_turn: config.rollout.response_length,
    config: optionsOf(config, "lite"),
  };
}

/** The entries to train on: the run's own task, then its further environments. */
function liteTraining(config: RunConfig): LiteTask[] {
  const others = furtherEntries(config).map(({ name, weight, config: own }) => ({
    ...{ config: own, name, weight },
    levels: trainingSet(own, config.envs[name]?.train_seeds ? `envs.${name}` : "trainer"),
  }));
  const tasks = [{ config, weight: 1, levels: trainingSet(config, "trainer") }, ...others];
  return others.length > 0 ? weighted(tasks) : tasks;
}

/**
 * The entries with as many levels as their weights require, because VAGEN draws uniformly from the levels of all of them. Levels are repeated
 * rather than left out, as long as no entry has more than `MOST_ROWS`.
 */
function weighted(tasks: readonly (LiteTask & { weight: number })[]): LiteTask[] {
  const count = tasks[0]!.levels.seeds.length;
  const times = Math.ceil(
    Math.max(...tasks.map(({ levels, weight }) => levels.seeds.length / (count * weight))),
  );
  const most = MOST_ROWS / (count * Math.max(...tasks.map(({ weight }) => weight)));
  return tasks.map(({ weight, levels, ...task }) => {
    const rows = Math.max(1, Math.round(count * weight * Math.min(times, most)));
    return { ...task, levels: { ...levels, rows } };
  });
}

/** The most levels of an entry, and what the import reads as one. */
const MOST_ROWS = 100_000;

const trainingSet = (config: RunConfig, section: string): SeedSet => ({
  path: `${section}.train_seeds`,
  text: config.trainer.train_seeds,
  seeds: trainingSeeds(config),
});

const validationSet = (config: RunConfig, section: string): SeedSet => ({
  path: `${section}.val_seeds`,
  text: config.trainer.val_seeds,
  seeds: validationSeeds(config),
});

/** The entries to validate on: the run's own levels, those of its further environments, then its further sets. */
function liteValidation(config: RunConfig): LiteTask[] {
  const sets = Object.entries(config.trainer.val_sets).map(([name, set]) => ({
    config: playedIn(set, config),
    name,
    levels: { path: `trainer.val_sets.${name}.seeds`, text: set.seeds, seeds: seedsOf(set.seeds) },
  }));
  const others = furtherEntries(config).map(({ name, config: own }) => ({
    config: own,
    name,
    levels: validationSet(own, config.envs[name]?.val_seeds ? `envs.${name}` : "trainer"),
  }));
  return [{ config, levels: validationSet(config, "trainer") }, ...others, ...sets];
}
