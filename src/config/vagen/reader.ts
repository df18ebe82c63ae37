// What every step of reading an import needs to know: the keys, the task, and what the schema can hold.
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { type ConfigField, describeEnv, describeRunConfig } from "../describe.ts";
import type { RunConfig } from "../run-config.ts";
import type { Schema } from "./find.ts";
import type { DatasetEntry } from "./read.ts";
import type { Resolved } from "./references.ts";
import type { Generation, Source } from "./row.ts";
import { defaultOf } from "./table.ts";

/** Everything that reading one import needs to know. */
export interface Reader {
  readonly generation: Generation;
  readonly trainer: ReadonlyMap<string, unknown>;
  /** Why the references of some of the trainer's keys come to no value. */
  readonly endless: Resolved["endless"];
  readonly base: RunConfig;
  /** The task of the files, or the base's. */
  readonly spec: EnvSpec;
  readonly schema: Schema;
}

/** Puts together what is known before the first key is looked at. */
export function readerFor(
  generation: Generation,
  { pairs, endless }: Resolved,
  task: DatasetEntry | undefined,
  base: RunConfig,
): Reader {
  const spec = (task && specOf(task)) ?? envs.get(base.env.name);
  const fields = [...describeRunConfig(), ...describeEnv(spec)];
  const values = new Map(pairs.map(({ key, value }) => [key, value]));
  return { generation, trainer: values, endless, base, spec, schema: schemaOf(fields) };
}

/** What can be set, from the schema's own description of itself. */
export function schemaOf(fields: readonly ConfigField[]): Schema {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  return {
    has: (path) => byPath.has(path),
    isNullable: (path) => byPath.get(path)?.nullable ?? false,
  };
}

/** What a line of the table may ask about the rest of the files. */
export function sourceFor({ generation, trainer }: Reader, split: Source["split"] = "train"): Source {
  return {
    generation,
    split,
    get(key) {
      if (trainer.has(key)) return trainer.get(key);
      return trainer.size > 0 ? defaultOf(key, generation) : undefined;
    },
  };
}

/** Whether a dataset's key names the task. */
export const isName = (key: string): boolean => key === "env_name" || key === "name";

/** Our environment of an entry: FrozenLake, frozenlake and frozen_lake are one. */
export function specOf({ pairs }: Pick<DatasetEntry, "pairs">): EnvSpec | undefined {
  const name = bare(pairs.find(({ key }) => isName(key))?.value);
  return envs.all.find(({ id }) => bare(id) === name);
}

const bare = (name: unknown): string => String(name).toLowerCase().replace(/[-_]/g, "");
