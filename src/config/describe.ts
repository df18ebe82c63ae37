// The schema as a flat list of fields: the form, the documentation, YAML comments and the command line's help read it.
import { z } from "../core/schema.ts";
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/index.ts";
import { estimators } from "../rl/advantage/index.ts";
import { filters } from "../rl/filter/index.ts";
import { rewardTerms, termsByWeight } from "../rl/reward/index.ts";
import type { FieldMeta, RegistryName } from "./field.ts";
import { FurtherEnv, MAX_WEIGHT, RunSettings } from "./run-config.ts";

export type FieldType = "integer" | "number" | "boolean" | "choice" | "text" | "list" | "options";

/** One value of a configuration, with everything that is known about it. */
export interface ConfigField extends FieldMeta {
  /** Dotted, e.g. `actor.lr`. */
  path: string;
  /** First part of the path; empty for `seed`, `name`, … */
  section: string;
  type: FieldType;
  default: unknown;
  /** May be left empty (null). */
  nullable: boolean;
  min?: number;
  max?: number;
  log: boolean;
  basic: boolean;
  /** Of a choice: the ids that it may be. */
  options?: readonly string[];
  /** What the options are called, by id. */
  titles?: Readonly<Record<string, string>>;
  /** The options are the current entries of this list. */
  registry?: RegistryName;
  /** Of a list: what its entries are, how many there must be, and an example. */
  entries?: ListEntries;
}

interface ListEntries {
  type: FieldType;
  count?: number;
  /** Fewest and most entries, where their number is free. */
  counts?: readonly [fewest: number, most: number];
  min?: number;
  max?: number;
  example?: unknown;
}

/** Titles of the sections, in the order of the form. */
export const SECTIONS: Readonly<Record<string, string>> = {
  "": "Run",
  env: "Task",
  rollout: "Episodes",
  model: "Model",
  sft: "SFT",
  algorithm: "Advantage",
  actor: "Policy update",
  critic: "Critic",
  reward: "Rewards",
  judge: "Judge",
  trainer: "Training",
};

/** A schema as zod describes it: JSON Schema, with the metadata of field.ts merged in. */
interface Node extends Partial<FieldMeta> {
  type?: string;
  properties?: Record<string, Node>;
  anyOf?: Node[];
  enum?: string[];
  items?: Node;
  prefixItems?: Node[];
  minItems?: number;
  maxItems?: number;
  examples?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  description?: string;
  registry?: RegistryName;
  titles?: Readonly<Record<string, string>>;
}

const registries = { environment: envs, estimator: estimators, filter: filters };

const runFields: readonly ConfigField[] = describe(RunSettings);

/** Every field of a run's configuration, in the schema's order. */
export function describeRunConfig(): readonly ConfigField[] {
  return runFields.map((field) => (field.registry ? { ...field, ...entriesIn(field.registry) } : field));
}

/** The current entries of a list that extensions add to, with titles. */
function entriesIn(name: RegistryName): Pick<ConfigField, "options" | "titles"> {
  const { ids, all } = registries[name];
  return { options: ids, titles: Object.fromEntries(all.map(({ id, title }) => [id, title])) };
}

/** The field at a path, an option of any environment included; undefined for a path that no schema has. */
export const fieldAt = (path: string): ConfigField | undefined =>
  [...describeRunConfig(), ...environmentFields()].find((field) => field.path === path) ??
  weightField(path) ??
  namedFieldAt(path);

/** Sections whose entries the user names, and the settings of the run that an entry may override. */
const NAMED = {
  envs: {
    max_turns: "rollout.max_turns",
    train_seeds: "trainer.train_seeds",
    val_seeds: "trainer.val_seeds",
  },
  "trainer.val_sets": { seeds: "trainer.val_seeds", max_turns: "rollout.max_turns", env: "env.name" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Named = keyof typeof NAMED;

/** The field at a path such as `envs.sokoban.max_turns`, with the name of the part in its title. */
function namedFieldAt(path: string): ConfigField | undefined {
  const [, of, name, option] = /^(envs|trainer\.val_sets)\.([^.]+)\.(\w+|config\.\w+)$/.exec(path) ?? [];
  if (!option) return undefined;
  const ofRun: Readonly<Record<string, string>> = NAMED[of as Named];
  const field = fieldAt(ofRun[option] ?? `env.${option}`);
  return field ? { ...field, path, title: `${field.title}, ${name}` } : undefined;
}

/** Everything that an entry of `envs` may set, by its name there; the options of the environment as one field. */
export const entryFields: readonly ConfigField[] = describe(FurtherEnv);

/** What a further environment, or a validation set, may set of the run's settings and of the options of its environment. */
export function describeNamed(of: Named, name: string, spec: EnvSpec, preset?: string): ConfigField[] {
  const ofRun = Object.entries(NAMED[of]).map(([option, path]) => ({ ...fieldAt(path)!, path: option }));
  const options = describeEnv(spec, preset).map((field) => ({
    ...field,
    path: field.path.slice("env.".length),
  }));
  return [...ofRun, ...options].map((field) => ({ ...field, path: `${of}.${name}.${field.path}` }));
}

/** The title of a setting; the path itself where no schema has it. */
export const settingTitle = (path: string): string => fieldAt(path)?.title ?? path;

/** The title of a choice of a setting. What an extension no longer provides keeps its id. */
export function optionTitle(path: string, option: string): string {
  const { titles = {}, registry } = fieldAt(path) ?? {};
  return titles[option] ?? (registry ? option : sentence(option));
}

const WEIGHTS = "reward.weights.";

/** The weight of an extension's reward term as a field; null for every other path. */
export function weightField(path: string): ConfigField | null {
  if (!path.startsWith(WEIGHTS)) return null;
  const id = path.slice(WEIGHTS.length);
  const title = rewardTerms.all.find((term) => term.id === id)?.title ?? id;
  return {
    path,
    section: "reward",
    title,
    help: `Weight of the reward term ${id}, which an extension added; 0: it is not counted.`,
    type: "number",
    default: 0,
    nullable: false,
    min: -MAX_WEIGHT,
    max: MAX_WEIGHT,
    slider: [-1, 1],
    log: false,
    apply: "next",
    basic: true,
  };
}

/** One field for each reward term that has its weight in `reward.weights`. */
export const describeWeights = (): ConfigField[] =>
  termsByWeight().flatMap(({ id }) => weightField(WEIGHTS + id) ?? []);

/**
 * The options of an environment, as fields `env.config.…`. A change of any of them needs a restart. Defaults are those of
 * the named preset where it has some.
 */
export function describeEnv(spec: EnvSpec, preset = "none"): ConfigField[] {
  const values = spec.presets[preset] ?? {};
  return optionsOf(spec.config).map((field) => {
    const option = field.path.slice("env.config.".length);
    return Object.hasOwn(values, option) ? { ...field, default: values[option] } : field;
  });
}

/** The fields of a schema, made once: a form reads them at every check, and a schema never changes. */
function optionsOf(schema: EnvSpec["config"]): readonly ConfigField[] {
  const known = fieldsOfSchema.get(schema);
  if (known) return known;
  const fields = describe(schema, "env.config.");
  fieldsOfSchema.set(schema, fields);
  return fields;
}
const fieldsOfSchema = new WeakMap<EnvSpec["config"], readonly ConfigField[]>();

/** The options of all environments. Those that several have are called the same everywhere. */
const environmentFields = (): readonly ConfigField[] =>
  (optionFields ??= envs.all.flatMap((spec) => describeEnv(spec)));
let optionFields: readonly ConfigField[] | undefined;

/** The path of every setting, with the options of one environment; with those of all where there is none of that name. */
export function settingPaths(env?: unknown): string[] {
  const spec = envs.all.find(({ id }) => id === env);
  const options = spec ? describeEnv(spec) : environmentFields();
  return [...new Set([...describeRunConfig(), ...options].map(({ path }) => path))];
}

function describe(schema: z.ZodType, prefix = ""): ConfigField[] {
  return leaves(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Node, prefix);
}

function leaves(object: Node, prefix: string): ConfigField[] {
  return Object.entries(object.properties ?? {}).flatMap(([key, node]) =>
    node.properties ? leaves(node, `${prefix}${key}.`) : [toField(`${prefix}${key}`, key, node)],
  );
}

function toField(path: string, key: string, node: Node): ConfigField {
  const inner = node.anyOf?.find((option) => option.type !== "null") ?? node;
  const options = inner.enum ?? (node.titles && Object.keys(node.titles));
  return {
    path,
    section: path.includes(".") ? path.split(".")[0]! : "",
    title: node.title ?? sentence(key),
    help: node.help ?? node.description ?? "",
    type: node.registry || node.titles ? "choice" : typeOf(inner),
    default: node.default,
    nullable: inner !== node,
    ...bounds(inner),
    ...(node.slider && { slider: node.slider }),
    log: node.log ?? false,
    ...(node.unit && { unit: node.unit }),
    apply: node.apply ?? (path.startsWith("env.") ? "restart" : "live"),
    basic: node.basic ?? false,
    ...(options && { options }),
    ...(node.titles && { titles: node.titles }),
    ...(node.registry && { registry: node.registry }),
    ...(inner.type === "array" && { entries: entriesOf(inner, node.examples?.[0] ?? node.default) }),
  };
}

function entriesOf({ prefixItems, items, minItems = 0, maxItems }: Node, example: unknown): ListEntries {
  const entry = prefixItems?.[0] ?? items ?? {};
  return {
    type: typeOf(entry),
    ...(prefixItems && { count: prefixItems.length }),
    ...(!prefixItems && maxItems !== undefined && { counts: [minItems, maxItems] as const }),
    ...bounds(entry),
    ...(example != null && { example }),
  };
}

function typeOf(node: Node): FieldType {
  if (node.enum) return "choice";
  if (node.const !== undefined) return "integer";
  const types: Record<string, FieldType> = { string: "text", array: "list", object: "options" };
  return types[node.type ?? ""] ?? (node.type as FieldType);
}

/** Zod writes the limits of safe integers where a schema has none; they are left out. */
function bounds({ minimum: min, maximum: max }: Node): { min?: number; max?: number } {
  return {
    ...(min !== undefined && min > Number.MIN_SAFE_INTEGER && { min }),
    ...(max !== undefined && max < Number.MAX_SAFE_INTEGER && { max }),
  };
}

/** `max_turns` → "Max turns". */
function sentence(key: string): string {
  const words = key.replaceAll(/[_-]/g, " ");
  return words[0]!.toUpperCase() + words.slice(1);
}
