// Is this a configuration that can run? Problems are data, so that the form can show each beside its field.
import { ConfigError } from "../core/errors.ts";
import type { Registry } from "../core/registry.ts";
import type { z } from "../core/schema.ts";
import { short, shown } from "../core/short.ts";
import type { EnvSpec } from "../envs/env.ts";
import { ImpossibleConfig } from "../envs/grid.ts";
import { envs } from "../envs/index.ts";
import { type ConfigField, describeEnv, describeRunConfig, weightField } from "./describe.ts";
import { hasPreset, optionsWithPreset, presetRemedy } from "./env-preset.ts";
import { acceptedBy, remedyOf } from "./expectation.ts";
import { rules } from "./rules/index.ts";
import type { ConfigFix, ConfigProblem } from "./rules/problem.ts";
import { knownIds } from "./rules/registered.ts";
import type { KnownIds, Picture, Rule } from "./rules/rule.ts";
import { RunConfig } from "./run-config.ts";
import { nearest, suggestion } from "./suggest.ts";

/** A longer list would not help: a file with thousands of problems is not a configuration. */
const MAX_PROBLEMS = 20;

type Checked =
  | { config: RunConfig; problems: readonly [] }
  | { config: null; problems: readonly ConfigProblem[] };

/**
 * Completes and checks plain data. The result has every field, those of the environment included; with problems there
 * is no result. `known` are the ids that it may name of the lists that extensions add to.
 */
export function inspectRunConfig(
  input: unknown,
  specs: Registry<EnvSpec> = envs,
  known: KnownIds = knownIds(),
): Checked {
  const parsed = RunConfig.safeParse(input ?? {});
  if (!parsed.success) return { config: null, problems: allProblems(parsed.error, input, specs) };
  const problems = checkRunConfig(parsed.data, specs, new Set(), known);
  if (problems.length > 0) return { config: null, problems };
  const { env } = parsed.data;
  const spec = specs.get(env.name);
  const options = spec.config.parse(optionsWithPreset(spec, env)) as Record<string, unknown>;
  return { config: { ...parsed.data, env: { ...env, config: options } }, problems: [] };
}

/** What the schema refuses, and what can be told of everything else in the same round. */
function allProblems(error: z.ZodError, input: unknown, specs: Registry<EnvSpec>): ConfigProblem[] {
  const ofSchema = explained(error, input, describeRunConfig());
  const refused = new Set(ofSchema.map(({ path }) => path));
  // Defaults stand in for what is refused.
  const rest = RunConfig.safeParse([...refused].reduce(without, input) ?? {});
  return rest.success ? [...ofSchema, ...checkRunConfig(rest.data, specs, refused)] : ofSchema;
}

/**
 * What no single field shows: the environment's own options, and values that do not go together. Nothing is said of
 * the paths in `refused`, whose values are not what was given.
 */
export function checkRunConfig(
  config: RunConfig,
  specs: Registry<EnvSpec> = envs,
  refused: ReadonlySet<string> = new Set(),
  ids: KnownIds = knownIds(),
): ConfigProblem[] {
  const { name } = config.env;
  const known = specs.ids.includes(name);
  // Options beside a misspelt name are those of the environment that was meant.
  const meant = refused.has("env.name") ? null : known ? name : nearest(name, specs.ids);
  const spec = specs.all.find(({ id }) => id === meant);
  const ofEnvironment = [
    ...(known ? [] : [unknownEnvironment(name, specs.ids)]),
    ...(spec ? checkEnvironment(config, spec) : []),
  ];
  const isSound = spec !== undefined && ofEnvironment.length === 0;
  if (!isSound)
    return [...ofEnvironment, ...rules.flatMap((rule) => verdict(rule, config, null, refused, ids) ?? [])];
  const options = spec.config.parse(optionsWithPreset(spec, config.env)) as Record<string, unknown>;
  const complete = { ...config, env: { ...config.env, config: options } };
  const picture = spec.gridSize(options);
  return rules.flatMap((rule) => verdict(rule, complete, picture, refused, ids) ?? []);
}

/** What a rule finds, unless it looks at a value that is refused already. */
function verdict(
  rule: Rule,
  config: RunConfig,
  picture: Picture | null,
  refused: ReadonlySet<string>,
  ids: KnownIds,
): ConfigProblem | null {
  if (refused.size === 0) return possible(rule(config, picture, ids));
  let guessed = false;
  const watched = Object.entries(config).map(([section, values]) => {
    if (typeof values !== "object") return [section, values];
    const get = (target: object, key: string) => {
      guessed ||= refused.has(section) || refused.has(`${section}.${key}`);
      return (target as Record<string, unknown>)[key];
    };
    return [section, new Proxy(values, { get: (target, key) => get(target, String(key)) })];
  });
  const problem = rule(Object.fromEntries(watched) as RunConfig, picture, ids);
  return guessed ? null : possible(problem);
}

/** The problem without a fix that its setting would refuse: rules know nothing of ranges. */
function possible(problem: ConfigProblem | null): ConfigProblem | null {
  if (!problem?.fix) return problem;
  const { fix, ...others } = problem;
  const limit = describeRunConfig().find(({ path }) => path === fix.path)?.max;
  return typeof fix.value === "number" && limit !== undefined && fix.value > limit ? others : problem;
}

/** A copy without the value at a dotted path. */
function without(tree: unknown, path: string): unknown {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree) || path === "") return undefined;
  const [key, ...rest] = path.split(".") as [string, ...string[]];
  const { [key]: inner, ...others } = tree as Record<string, unknown>;
  return rest.length === 0 || inner === undefined
    ? others
    : { ...others, [key]: without(inner, rest.join(".")) };
}

/** The checked configuration. @throws ConfigError("invalid_config") that lists every problem; `from` names the source. */
export function checkedRunConfig(
  input: unknown,
  from = "The configuration",
  specs: Registry<EnvSpec> = envs,
  known: KnownIds = knownIds(),
): RunConfig {
  const { config, problems } = inspectRunConfig(input, specs, known);
  if (config) return config;
  throw configError(problems, from);
}

/** All problems as one error, each with its own remedy behind it. */
export function configError(problems: readonly ConfigProblem[], from = "The configuration"): ConfigError {
  const [first, ...others] = problems;
  if (first && others.length === 0) return new ConfigError("invalid_config", first.message, remedy(first));
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => `- ${problem.message} ${remedy(problem)}`.trimEnd());
  const count = problems.length > MAX_PROBLEMS ? `more than ${MAX_PROBLEMS}` : problems.length;
  return new ConfigError("invalid_config", `${from} has ${count} problems:\n${lines.join("\n")}`);
}

/** What to do, with the change as the command line takes it. */
function remedy({ hint, fix }: ConfigProblem): string {
  const change =
    fix && `${fix.path}=${typeof fix.value === "string" ? fix.value : JSON.stringify(fix.value)}`;
  return change ? `${hint} (The nearest that fits: ${change})` : hint;
}

function unknownEnvironment(name: string, ids: readonly string[]): ConfigProblem {
  const message = `env.name is ${JSON.stringify(name)}, but there is no such environment.`;
  return { path: "env.name", value: name, message, hint: suggestion(name, ids) };
}

function checkEnvironment({ env }: RunConfig, spec: EnvSpec): ConfigProblem[] {
  const fields = describeEnv(spec, env.preset);
  // Environment schemas drop unknown keys in silence; a misspelt option must not.
  const known = fields.map(({ path }) => path.split(".").at(-1)!);
  const unknown = Object.keys(env.config)
    .filter((key) => !known.includes(key))
    .slice(0, MAX_PROBLEMS + 1)
    .map((key) => unknownKey("env.config", key, env.config[key], known, spec.title));
  const { error, data } = spec.config.safeParse(optionsWithPreset(spec, env));
  const ofOptions = error
    ? explained(error, { env }, fields, ["env", "config"])
    : impossibleOptions(spec, data);
  return [...unknownPreset(env.preset, spec), ...unknown, ...ofOptions];
}

function unknownPreset(preset: string, spec: EnvSpec): ConfigProblem[] {
  if (hasPreset(spec, preset)) return [];
  const message = `env.preset is ${JSON.stringify(preset)}, but ${spec.title} has no preset of that name.`;
  return [{ path: "env.preset", value: preset, message, hint: presetRemedy(spec, preset) }];
}

/** Options that no level can satisfy, as far as that can be told without drawing one. */
function impossibleOptions(spec: EnvSpec, options: unknown): ConfigProblem[] {
  try {
    spec.create(options);
    return [];
  } catch (error) {
    if (!(error instanceof ImpossibleConfig)) throw error;
    const { path, value } = error;
    return [{ path, value, message: error.message, hint: error.hint ?? "" }];
  }
}

/** What zod found, in our words and each problem once. `prefix` leads from the input to what zod was given. */
function explained(
  { issues }: z.ZodError,
  input: unknown,
  fields: readonly ConfigField[],
  prefix: readonly string[] = [],
): ConfigProblem[] {
  const problems = issues
    .slice(0, MAX_PROBLEMS + 1)
    .flatMap((issue) => explain(issue, [...prefix, ...issue.path], input, fields));
  const first = (problem: ConfigProblem) => problems.find(({ path }) => path === problem.path);
  // Both entries of a list may be wrong in the same way.
  return problems.filter(
    (problem) => first(problem) === problem || first(problem)!.message !== problem.message,
  );
}

function explain(
  issue: z.core.$ZodIssue,
  at: readonly PropertyKey[],
  input: unknown,
  fields: readonly ConfigField[],
): ConfigProblem[] {
  const place = at.map(String).join(".");
  // A list is one value: what is wrong with an entry is told of the list.
  const field =
    fields.find(({ path, entries }) => path === place || (entries && place.startsWith(`${path}.`))) ??
    weightField(place) ??
    undefined;
  const path = field?.path ?? place;
  const value = valueAt(input, field ? field.path.split(".") : at);
  if (issue.code === "unrecognized_keys") {
    const known = keysUnder(path);
    return issue.keys
      .slice(0, MAX_PROBLEMS + 1)
      .map((key) => unknownKey(path, key, valueAt(value, [key]), known));
  }
  const message = `${path || "The configuration"} is ${shown(value, 400)}; ${expectation(issue, field)}.`;
  const fix = withinRange(path, issue, field);
  return [{ path, value, message, hint: remedyFor(path, issue, value, field), ...(fix && { fix }) }];
}

/** The end of the range that a number is outside of. */
function withinRange(
  path: string,
  issue: z.core.$ZodIssue,
  field: ConfigField | undefined,
): ConfigFix | undefined {
  if (!field || !["integer", "number"].includes(field.type)) return undefined;
  const end = issue.code === "too_small" ? field.min : issue.code === "too_big" ? field.max : undefined;
  return end === undefined ? undefined : { path, value: end };
}

function unknownKey(
  path: string,
  key: string,
  value: unknown,
  known: readonly string[],
  of = "",
): ConfigProblem {
  const full = short(path ? `${path}.${key}` : key);
  const place = of ? `option of ${of}` : "setting";
  const message = `${full} = ${shown(value, 400)}: there is no ${place} named "${short(key)}".`;
  return { path: full, value, message, hint: suggestion(key, known) };
}

/** The keys that the schema knows directly below a path. */
function keysUnder(path: string): string[] {
  const prefix = path ? `${path}.` : "";
  const below = describeRunConfig().filter((field) => field.path.startsWith(prefix));
  return [...new Set(below.map((field) => field.path.slice(prefix.length).split(".")[0]!))];
}

function expectation(issue: z.core.$ZodIssue, field: ConfigField | undefined): string {
  if ((field?.entries || field?.registry) && isShape(issue)) return `it must be ${acceptedBy(field)}`;
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "record") return "it must be values by name";
      return issue.expected === "int" ? "it must be a whole number" : `it must be ${article(issue.expected)}`;
    case "too_small":
      return own(issue) ?? `it must be at least ${issue.minimum}`;
    case "too_big":
      return own(issue) ?? `it must be at most ${issue.maximum}`;
    case "invalid_value":
      return `it must be one of ${listed(issue.values)}`;
    default:
      return own(issue) ?? issue.message;
  }
}

/** Of a list: no list at all, another number of entries, or entries of another type. */
function isShape(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_type" || (["too_small", "too_big"].includes(issue.code) && !own(issue));
}

/** A message of the schema's own; null for zod's stock phrases. */
function own({ message }: z.core.$ZodIssue): string | null {
  return /^(Invalid|Too) /.test(message) ? null : message;
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(", ");

function remedyFor(
  path: string,
  issue: z.core.$ZodIssue,
  value: unknown,
  field: ConfigField | undefined,
): string {
  if (issue.code === "invalid_value") {
    if (typeof value === "string") return suggestion(value, issue.values.map(String));
    return `Use one of ${listed(issue.values)}. The default of ${path} is ${JSON.stringify(field?.default)}.`;
  }
  if (field) return remedyOf(field);
  const [setting] = keysUnder(path);
  const example = describeRunConfig().find((known) => known.path === `${path}.${setting}`);
  if (!path || !example) return 'Write sections with settings, e.g. "actor: { lr: 0.0004 }".';
  return `Write its settings by name, e.g. "${path}: { ${setting}: ${JSON.stringify(example.default)} }".`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}
