// What every step of an import needs: the generation, the trainer's values, the task, and the fields of our schema.
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { type ConfigField, describeEnv, describeRunConfig } from "../describe.ts";
import type { RunConfig } from "../run-config.ts";
import { GENERATIONS, type Generation, type Source } from "./key-mapping.ts";
import { isOfAugust } from "./keys/august.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { Interpolated } from "./parse/interpolation.ts";
import { defaultOf, generationsWith } from "./table.ts";
import { REMOTE } from "./task-names.ts";

/** The settings of the configuration, by path. */
export type Schema = ReadonlyMap<string, ConfigField>;

export interface ImportContext {
  readonly generation: Generation;
  /** Whether the files belong to the generation of August 2026, which extends Lite. */
  readonly isOfAugust: boolean;
  readonly trainer: ReadonlyMap<string, unknown>;
  /** By trainer key, why its references cannot be resolved. */
  readonly unresolved: Interpolated["unresolved"];
  readonly base: RunConfig;
  /** The task of the files, or the base's. */
  readonly spec: EnvSpec;
  readonly schema: Schema;
}

/** Collects what is known before the first key is interpreted. */
export function contextFor(
  generation: Generation,
  { values, unresolved }: Interpolated,
  entries: readonly DatasetEntry[],
  task: DatasetEntry | undefined,
  base: RunConfig,
): ImportContext {
  const spec = (task && specOf(task)) ?? envs.get(base.env.name);
  return {
    generation,
    isOfAugust: generation === "lite" && isOfAugust(values, entries),
    trainer: values,
    unresolved,
    base,
    spec,
    schema: schemaOf(spec),
  };
}

/** The settings of a run, with the options of these environments. */
export const schemaOf = (...specs: readonly EnvSpec[]): Schema =>
  new Map(
    [...describeRunConfig(), ...specs.flatMap((spec) => describeEnv(spec))].map((field) => [
      field.path,
      field,
    ]),
  );

/** The context in which the keys of an entry of a known environment are read. */
export function contextIn(context: ImportContext, entry: DatasetEntry): ImportContext {
  const spec = specOf(entry)!;
  return spec === context.spec ? context : { ...context, spec, schema: schemaOf(spec) };
}

/** What a line of the table may read of the other keys. */
export function sourceFor(context: ImportContext, task?: DatasetEntry): Source {
  const { generation, isOfAugust, trainer } = context;
  return {
    isOfAugust,
    split: task?.split ?? "train",
    entry: (key) => task?.keys.find((other) => other.key === key)?.value,
    get(key) {
      if (trainer.has(key)) return trainer.get(key);
      return trainer.size > 0 ? defaultOf(key, generation) : undefined;
    },
    gives: (key) =>
      [...trainer].some(([name, value]) => name.startsWith(`${key}.`) || (name === key && value !== null)),
  };
}

/** Whether a dataset's key names the task. */
export const isTaskName = (key: string): boolean => key === "env_name" || key === "name";

/** Our environment for an entry, by its id or title; FrozenLake, frozenlake and frozen_lake name the same one. */
export function specOf(entry: DatasetEntry): EnvSpec | undefined {
  const name = normalized(remoteTask(entry) ?? entry.keys.find(({ key }) => isTaskName(key))?.value);
  return envs.all.find(({ id, title }) => [id, title].map(normalized).includes(name));
}

/** Options that only one of Lite's remote environments has. The first environment of which an entry has one counts. */
const REMOTE_OPTIONS: readonly (readonly [task: string, ...options: string[]])[] = [
  // The studio does not have it; it has an `eval_set`, too.
  ["EB-ALFRED", "max_env_steps"],
  ["navigation", "eval_set", "step_length", "success_threshold", "per_turn_format_reward"],
  ["primitive-skill", "env_id", "mask_success"],
  ["svg", "dataset_name", "dino_weight", "structural_weight", "dreamsim_weight", "format_penalty"],
];

const hasOption = ({ keys }: DatasetEntry, option: string): boolean =>
  keys.some(({ key }) => key === `config.${option}`);

/** Whether an entry is one that Lite plays on a server. */
export function isRemote(entry: DatasetEntry): boolean {
  const name = entry.keys.find(({ key }) => isTaskName(key))?.value;
  return (
    normalized(name) === normalized(REMOTE) || ["base_urls", "url_file"].some((key) => hasOption(entry, key))
  );
}

/** What a remote environment of Lite plays, which only its options tell; null for others, and where they do not tell. */
export function remoteTask(entry: DatasetEntry): string | null {
  const has = (option: string) => hasOption(entry, option);
  if (!isRemote(entry)) return null;
  return REMOTE_OPTIONS.find(([, ...options]) => options.some(has))?.[0] ?? null;
}

const normalized = (name: unknown): string => String(name).toLowerCase().replace(/[-_ ]/g, "");

/** Estimators that only the legacy trainer has. */
const LEGACY_ESTIMATORS = ["masked_gae", "bi_level_gae", "turn_wise_gae"];

/**
 * The generation that most of the trainer's keys belong to. Where they do not decide, the dataset's, and Lite, the current
 * one, where there is none.
 */
export function generationOf(
  trainer: ReadonlyMap<string, unknown>,
  entries: readonly DatasetEntry[],
): Generation {
  const votes = [...trainer].flatMap(([key, value]) => generationOfKey(key, value));
  const counts = GENERATIONS.map((generation) => votes.filter((vote) => vote === generation).length);
  const most = Math.max(...counts);
  const winners = GENERATIONS.filter((_, i) => counts[i] === most);
  return winners.length === 1 ? winners[0]! : (entries[0]?.generation ?? "lite");
}

/** The only generation that has a key; none where several or none have it. */
function generationOfKey(key: string, value: unknown): Generation[] {
  if (key === "algorithm.adv_estimator" && LEGACY_ESTIMATORS.includes(String(value))) return ["legacy"];
  const having = generationsWith(key, { part: "trainer" });
  return having.length === 1 ? having : [];
}
