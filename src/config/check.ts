// Is this a configuration that can run? Problems are data, so that the form can show each beside its field.
import type { z } from "zod";
import { ConfigError } from "../core/errors.ts";
import type { Registry } from "../core/registry.ts";
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/index.ts";
import { describeEnv, describeRunConfig } from "./describe.ts";
import { rules } from "./rules.ts";
import { RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

/** What is wrong with one value. */
export interface ConfigProblem {
  /** Dotted path of the value. */
  path: string;
  value: unknown;
  /** Path, value and what was expected. */
  message: string;
  /** What to do about it. */
  hint: string;
}

export type Checked =
  | { config: RunConfig; problems: readonly [] }
  | { config: null; problems: readonly ConfigProblem[] };

/**
 * Completes and checks plain data. The result has every field, those of the environment included; with problems there
 * is no result.
 */
export function inspectRunConfig(input: unknown, specs: Registry<EnvSpec> = envs): Checked {
  const parsed = RunConfig.safeParse(input ?? {});
  if (!parsed.success) return { config: null, problems: parsed.error.issues.flatMap(explain(input, "")) };
  const problems = checkRunConfig(parsed.data, specs);
  if (problems.length > 0) return { config: null, problems };
  const { env } = parsed.data;
  const options = specs.get(env.name).config.parse(env.config) as Record<string, unknown>;
  return { config: { ...parsed.data, env: { ...env, config: options } }, problems: [] };
}

/** What no single field shows: the environment's own options, and values that do not go together. */
export function checkRunConfig(config: RunConfig, specs: Registry<EnvSpec> = envs): ConfigProblem[] {
  const spec = specs.all.find((known) => known.id === config.env.name);
  if (!spec) return [unknownEnvironment(config.env.name, specs.ids)];
  const ofEnvironment = checkEnvironment(config, spec);
  if (ofEnvironment.length > 0) return ofEnvironment;
  const picture = spec.gridSize(spec.config.parse(config.env.config));
  return rules.flatMap((rule) => rule(config, picture) ?? []);
}

/** The checked configuration. @throws ConfigError("invalid_config") that lists every problem; `from` names the source. */
export function checkedRunConfig(
  input: unknown,
  from = "The configuration",
  specs: Registry<EnvSpec> = envs,
): RunConfig {
  const { config, problems } = inspectRunConfig(input, specs);
  if (config) return config;
  throw configError(problems, from);
}

/** All problems as one error. */
export function configError(problems: readonly ConfigProblem[], from = "The configuration"): ConfigError {
  const lines = problems.map(({ message }) => message);
  const message =
    lines.length === 1 ? lines[0]! : `${from} has ${lines.length} problems:\n- ${lines.join("\n- ")}`;
  return new ConfigError(
    "invalid_config",
    message,
    [...new Set(problems.map(({ hint }) => hint))].join("\n"),
  );
}

function unknownEnvironment(name: string, ids: readonly string[]): ConfigProblem {
  const message = `env.name is ${JSON.stringify(name)}, but there is no such environment.`;
  return { path: "env.name", value: name, message, hint: suggestion(name, ids) };
}

function checkEnvironment({ env }: RunConfig, spec: EnvSpec): ConfigProblem[] {
  // Environment schemas drop unknown keys in silence; a misspelt option must not.
  const known = describeEnv(spec).map(({ path }) => path.split(".").at(-1)!);
  const unknown = Object.keys(env.config).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    return unknown.map((key) => unknownKey("env.config", key, env.config[key], known, spec.title));
  const { error } = spec.config.safeParse(env.config);
  return error?.issues.flatMap(explain(env.config, "env.config")) ?? [];
}

/** One zod issue in our words. */
function explain(input: unknown, prefix: string) {
  return (issue: z.core.$ZodIssue): ConfigProblem[] => {
    const path = [prefix, ...issue.path.map(String)].filter(Boolean).join(".");
    const value = valueAt(input, issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => unknownKey(path, key, valueAt(value, [key]), keysUnder(path)));
    const expected = expectation(issue);
    const message = `${path || "The configuration"} is ${JSON.stringify(value) ?? "missing"}; ${expected}.`;
    return [{ path, value, message, hint: remedyFor(path, issue, value) }];
  };
}

function unknownKey(
  path: string,
  key: string,
  value: unknown,
  known: readonly string[],
  of = "",
): ConfigProblem {
  const full = path ? `${path}.${key}` : key;
  const place = of ? `option of ${of}` : "setting";
  const message = `${full} = ${JSON.stringify(value)}: there is no ${place} named "${key}".`;
  return { path: full, value, message, hint: suggestion(key, known) };
}

/** The keys that the schema knows directly below a path. */
function keysUnder(path: string): string[] {
  const prefix = path ? `${path}.` : "";
  const below = describeRunConfig().filter((field) => field.path.startsWith(prefix));
  return [...new Set(below.map((field) => field.path.slice(prefix.length).split(".")[0]!))];
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "it must be a whole number" : `it must be ${article(issue.expected)}`;
    case "too_small":
      return own(issue) ?? `it must be at least ${issue.minimum}${counted(issue.origin)}`;
    case "too_big":
      return own(issue) ?? `it must be at most ${issue.maximum}${counted(issue.origin)}`;
    case "invalid_value":
      return `it must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return own(issue) ?? issue.message;
  }
}

/** A message that a schema brings along, without the field's name in front; null for zod's stock phrases. */
function own({ message }: z.core.$ZodIssue): string | null {
  return /^(Invalid|Too) /.test(message) ? null : message.replace(/^\w+: /, "");
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
const counted = (origin: string): string => (origin === "array" ? " entries" : "");

function remedyFor(path: string, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_value" && typeof value === "string")
    return suggestion(value, issue.values.map(String));
  const field = describeRunConfig().find((known) => known.path === path);
  return field && field.default !== undefined
    ? `The default of ${path} is ${JSON.stringify(field.default)}.`
    : `Correct ${path || "the file"}.`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}
