// Which models of the user's a run pays for what they say of drawings, and by which of its options.
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/registry.ts";
import { entryConfig, furtherEntries } from "./entries.ts";
import type { RunConfig } from "./run-config.ts";

/** An option that may pay a model. */
export interface WeighedModel {
  /** Of the model: one of `similarityKinds`. */
  kind: string;
  /** The option by its dotted path. */
  path: string;
  /** 0 pays nothing. */
  weight: number;
}

type Options = Readonly<Record<string, unknown>>;

/** The models that an environment may pay, with their weights under some options, each with the option's name as its path. */
const weighedUnder = ({ drawings }: Pick<EnvSpec, "drawings">, options: Options): WeighedModel[] =>
  Object.entries(drawings?.paidModels.weights ?? {}).map(([kind, path]) => ({
    kind,
    path,
    weight: Number(options[path] ?? 0),
  }));

const isPaid = ({ weight }: WeighedModel): boolean => weight > 0;

/** The models that an environment pays under some options. */
export const paidUnder = (spec: Pick<EnvSpec, "drawings">, options: Options): WeighedModel[] =>
  weighedUnder(spec, options).filter(isPaid);

/** The models that a run may pay, in any of its environments and validation sets. An environment that is not registered pays none. */
export function weighedModels(config: RunConfig): WeighedModel[] {
  const { env, trainer } = config;
  const ofEntries = furtherEntries(config).flatMap(({ name, config: { env } }) =>
    weighedIn(env.name, env.config, `envs.${name}.config`),
  );
  const ofSets = Object.entries(trainer.val_sets).flatMap(([name, set]) =>
    weighedIn(entryConfig(config, set.env).env.name, set.config, `trainer.val_sets.${name}.config`),
  );
  return [...weighedIn(env.name, env.config, "env.config"), ...ofEntries, ...ofSets];
}

function weighedIn(envName: string, options: Options, prefix: string): WeighedModel[] {
  const spec = envs.all.find(({ id }) => id === envName);
  return spec ? weighedUnder(spec, options).map((one) => ({ ...one, path: `${prefix}.${one.path}` })) : [];
}

/** The models that a run pays. */
export const paidModels = (config: RunConfig): WeighedModel[] => weighedModels(config).filter(isPaid);
