// Single values of a configuration by dotted path: read, set, compare, and when a change takes effect.
import { ConfigError } from "../core/errors.ts";
import { message, setting, value } from "../core/message.ts";
import { short } from "../core/short.ts";
import { envs } from "../envs/index.ts";
import { checkedRunConfig } from "./check.ts";
import { describeRunConfig, fieldAt, settingPaths } from "./describe.ts";
import { chooseEnvironment, choosePreset } from "./env-preset.ts";
import type { ApplyClass } from "./field.ts";
import { renamedSetting } from "./renamed.ts";
import type { RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

export interface ConfigChange {
  path: string;
  from: unknown;
  to: unknown;
}

type Tree = Readonly<Record<string, unknown>>;

/** Whether a value of parsed JSON or YAML is a map. */
export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a dotted path; undefined when there is none. */
export function getPath(tree: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isTree(value) ? value[key] : undefined), tree);
}

/** A copy with one value set, or without it when it is undefined; everything else is shared. */
export function setPath<T extends object>(tree: T, path: string, value: unknown): T {
  const [key, ...rest] = path.split(".") as [string, ...string[]];
  const inner = (tree as Tree)[key];
  const next = rest.length > 0 ? setPath(isTree(inner) ? inner : {}, rest.join("."), value) : value;
  if (next !== undefined) return { ...tree, [key]: next };
  const { [key]: _, ...others } = tree as Tree;
  return others as T;
}

/** Settings that are trees of values by names of the user's; each counts as one value. */
export const WHOLE: readonly string[] = ["envs", "trainer.val_sets"];

/** The path of the setting that a value belongs to. */
export const wholeOf = (path: string): string => WHOLE.find((whole) => path.startsWith(`${whole}.`)) ?? path;

/** Whether a setting only describes the configuration in words, so that no run depends on it. */
export const isDescription = (path: string): boolean =>
  path === "name" || path === "description" || path === "expected_time";

/** Every value that differs. Lists count as one value, and so do the trees in `WHOLE`. */
export function diffConfigs(from: object, to: object, prefix = ""): ConfigChange[] {
  const [a, b] = [from as Tree, to as Tree];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => {
    const path = prefix + key;
    if (isTree(a[key]) && isTree(b[key]) && !WHOLE.includes(path))
      return diffConfigs(a[key], b[key], `${path}.`);
    return JSON.stringify(a[key]) === JSON.stringify(b[key]) ? [] : [{ path, from: a[key], to: b[key] }];
  });
}

/**
 * When a change of this value takes effect in a running run.
 * @param env the environment of the run, whose options an error may suggest
 * @throws ConfigError for a path that does not exist
 */
export function applyClassOf(path: string, env?: unknown): ApplyClass {
  // Whether an environment has an option is checked with the whole configuration, where this key would get lost.
  if (path.startsWith("env.config.") && !path.includes("__proto__")) return "restart";
  const field = fieldAt(renamedSetting(path)?.path ?? wholeOf(path));
  if (!field) throw unknownPath(path, env);
  return field.apply;
}

/** The configuration with some values changed, checked as a whole. @throws ConfigError */
export function applyChanges(config: RunConfig, changes: Readonly<Record<string, unknown>>): RunConfig {
  for (const path of Object.keys(changes)) applyClassOf(path, changes["env.name"] ?? config.env.name);
  const start = startOf(config, changes["env.name"], changes["env.preset"]);
  const changed = Object.entries(changes)
    .map(underNewName)
    .reduce((tree, [path, value]) => setPath(tree, path, value), start);
  return checkedRunConfig(changed);
}

/** A change of a setting that has another name by now; a value that it never had stays under the old one, which is refused. */
function underNewName([path, value]: [string, unknown]): [string, unknown] {
  const renamed = renamedSetting(path);
  const read = renamed?.read(value);
  return renamed && read !== undefined ? [renamed.path, read] : [path, value];
}

/**
 * The configuration that single changes apply to. Options belong to one environment: another one starts from its own
 * defaults. Another preset resets the options that it names.
 */
function startOf(config: RunConfig, name: unknown, preset: unknown): RunConfig {
  const { env } = config;
  const spec = envs.all.find(({ id }) => id === (name ?? env.name));
  if (!spec) return setPath(config, "env.config", {});
  if (spec.id !== env.name) return { ...config, env: chooseEnvironment(env, spec) };
  if (preset === undefined || preset === env.preset) return config;
  return { ...config, env: choosePreset(env, spec, preset as RunConfig["env"]["preset"]) };
}

/**
 * The configuration of a run that continues after it had ended. What is fixed when a run begins cannot change.
 * @throws ConfigError
 */
export function continuedConfig(config: RunConfig, changes: Readonly<Record<string, unknown>>): RunConfig {
  const fixed = Object.keys(changes).find((path) => applyClassOf(path) === "restart");
  if (fixed)
    throw new ConfigError(
      "invalid_config",
      message`${setting(fixed)} cannot become ${value(fixed, changes[fixed])} in a run that continues.`,
      "Start a new run instead.",
    );
  return Object.keys(changes).length > 0 ? applyChanges(config, changes) : config;
}

function unknownPath(path: string, env: unknown): ConfigError {
  return new ConfigError(
    "invalid_config",
    `There is no setting ${short(JSON.stringify(path))}.`,
    suggestion(
      path,
      settingPaths(env),
      describeRunConfig().map((field) => field.path),
    ),
  );
}
