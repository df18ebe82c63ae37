// Is this a configuration that can run? Problems are data, so that the form can show each beside its field.
import { ConfigError } from "../core/errors.ts";
import { joined, type Message, message, type Part, setting, value as valuePart } from "../core/message.ts";
import type { Registry } from "../core/registry.ts";
import type { z } from "../core/schema.ts";
import { short } from "../core/short.ts";
import type { EnvSpec } from "../envs/env.ts";
import { ImpossibleConfig } from "../envs/grid.ts";
import { envs } from "../envs/index.ts";
import { mostPictures } from "../envs/pictures.ts";
import { examineEntries, examineSets } from "./check-entries.ts";
import {
  type ConfigField,
  describeEnv,
  describeRunConfig,
  entryFields,
  fieldAt,
  SECTIONS,
  settingPaths,
  weightField,
} from "./describe.ts";
import { hasPreset, optionsWithPreset, presetRemedy } from "./env-preset.ts";
import { acceptedBy, acceptedOrEmpty, remedyOf } from "./expectation.ts";
import { renamedSetting } from "./renamed.ts";
import { rules } from "./rules/index.ts";
import { type ConfigFix, type ConfigProblem, sentenceOf } from "./rules/problem.ts";
import { knownIds } from "./rules/registered.ts";
import type { KnownIds } from "./rules/rule.ts";
import { RunConfig, ValidationSet } from "./run-config.ts";
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
  if (!parsed.success) return { config: null, problems: allProblems(parsed.error, input, specs, known) };
  const { config, problems } = examine(parsed.data, specs, known);
  return problems.length > 0 ? { config: null, problems } : { config, problems: [] };
}

/** What the schema refuses, and what can be found in everything else at the same time. */
function allProblems(
  error: z.ZodError,
  input: unknown,
  specs: Registry<EnvSpec>,
  known: KnownIds,
): ConfigProblem[] {
  const ofSchema = explained(error, input, describeRunConfig());
  const refused = ofSchema.map(({ path }) => path);
  // Defaults replace what is refused, so a problem that names a refused setting may not be one.
  const rest = RunConfig.safeParse(refused.reduce(without, input) ?? {});
  const others = rest.success ? examine(rest.data, specs, known).problems : [];
  const isGuess = (path: string) => refused.some((other) => `${path}.`.startsWith(`${other}.`));
  return [...ofSchema, ...others.filter((problem) => !namedIn(problem).some(isGuess))];
}

/** Paths of the settings that a problem depends on; options of an environment depend on its name. */
function namedIn({ path, expected, hint, fix, reads = [] }: ConfigProblem): string[] {
  const inTexts = [expected, hint].flatMap((text) => (typeof text === "string" ? [] : text.flatMap(pathIn)));
  const ofTask = path.startsWith("env.") ? ["env.name"] : [];
  return [path, ...(fix ? [fix.path] : []), ...reads, ...ofTask, ...inTexts];
}

function pathIn(part: Part): string[] {
  if (typeof part === "string") return [];
  return ["setting" in part ? part.setting : part.of];
}

/** What no single field shows, of all environments of a run. */
function examine(
  config: RunConfig,
  specs: Registry<EnvSpec>,
  ids: KnownIds,
): { config: RunConfig; problems: ConfigProblem[] } {
  const first = examineOne(config, specs, ids);
  const others = examineEntries(first.config, (alone) => examineOne(alone, specs, ids), first.problems);
  const found = [...first.problems, ...others.problems];
  const ofSets = examineSets(others.config, (alone) => examineOne(alone, specs, ids), found);
  return { config: others.config, problems: [...found, ...ofSets] };
}

/**
 * The options of the first environment, and values that contradict each other. The configuration is completed with these options
 * where they are sound.
 */
function examineOne(
  config: RunConfig,
  specs: Registry<EnvSpec>,
  ids: KnownIds,
): { config: RunConfig; problems: ConfigProblem[] } {
  const { name } = config.env;
  // An extension's environment that is not registered: its options cannot be checked.
  if (!specs.ids.includes(name) && ids.environments.includes(name)) return { config, problems: [] };
  // Options beside a misspelt name are those of the environment that was meant.
  const meant = specs.ids.includes(name) ? name : nearest(name, specs.ids);
  const spec = specs.all.find(({ id }) => id === meant);
  const ofName = meant === name ? [] : [unknownEnvironment(name, specs.ids)];
  const { options, problems } = spec ? checkEnvironment(config, spec) : { options: null, problems: [] };
  const ofEnvironment = [...ofName, ...problems];
  const isSound = options !== null && ofEnvironment.length === 0;
  const complete = isSound ? { ...config, env: { ...config.env, config: options } } : config;
  const picture = isSound ? { ...spec!.patches(options), most: mostPictures(spec!, options) } : null;
  const ofRules = rules
    .flatMap((rule) => rule(complete, picture, ids) ?? [])
    .map((found) => possible({ value: valueAt(complete, found.path.split(".")), ...found }));
  return { config: complete, problems: [...ofEnvironment, ...ofRules] };
}

/** The problem without a fix that its setting would refuse: rules know nothing of ranges. */
function possible(problem: ConfigProblem): ConfigProblem {
  const { fix, ...others } = problem;
  const limit = fix && fieldAt(fix.path)?.max;
  return typeof fix?.value === "number" && limit !== undefined && fix.value > limit ? others : problem;
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

/** The checked configuration. @throws ConfigError("invalid_config") that lists every problem; `from` names the source, such as a file. */
export function checkedRunConfig(input: unknown, from?: string, known: KnownIds = knownIds()): RunConfig {
  const { config, problems } = inspectRunConfig(input, envs, known);
  if (config) return config;
  throw configError(problems, from);
}

/** All problems as one error, each followed by its remedy. */
export function configError(problems: readonly ConfigProblem[], from?: string): ConfigError {
  const [first, ...others] = problems;
  if (first && others.length === 0) {
    const sentence = sentenceOf(first);
    const text = from === undefined ? sentence : message`${from}: ${sentence}`;
    return new ConfigError("invalid_config", text, remedy(first));
  }
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => joined([message`\n- ${sentenceOf(problem)}`, remedy(problem)]));
  const count = problems.length > MAX_PROBLEMS ? `more than ${MAX_PROBLEMS}` : problems.length;
  return new ConfigError(
    "invalid_config",
    message`${from ?? "The configuration"} has ${count} problems:${joined(lines, "")}`,
  );
}

/** What to do, with the change as the command line takes it. */
function remedy({ hint, fix }: ConfigProblem): Message {
  if (!fix) return hint;
  const change = `${fix.path}=${typeof fix.value === "string" ? fix.value : JSON.stringify(fix.value)}`;
  return message`${hint} (The nearest that fits: ${change})`;
}

function unknownEnvironment(name: string, ids: readonly string[]): ConfigProblem {
  const expected = "there is no such environment";
  const near = nearest(name, ids);
  const known = near ? message`Did you mean ${valuePart("env.name", near)}?` : suggestion(name, ids);
  const hint = message`${known} If it is one of your own, add its extension first.`;
  return { path: "env.name", value: name, expected, hint };
}

/** The environment's options, completed, and what is wrong with them; with problems there are none. */
function checkEnvironment(
  { env }: RunConfig,
  spec: EnvSpec,
): { options: Record<string, unknown> | null; problems: ConfigProblem[] } {
  const fields = describeEnv(spec, env.preset);
  // Environment schemas drop unknown keys in silence; a misspelt option must not.
  const known = fields.map(({ path }) => path.split(".").at(-1)!);
  const unknown = Object.keys(env.config)
    .filter((key) => !known.includes(key))
    .slice(0, MAX_PROBLEMS + 1)
    .map((key) => unknownKey("env.config", key, env.config[key], known, optionOf(spec)));
  const { error, data } = spec.config.safeParse(optionsWithPreset(spec, env));
  const ofOptions = error
    ? explained(error, { env }, fields, ["env", "config"])
    : impossibleOptions(spec, data);
  const problems = [...unknownPreset(env.preset, spec), ...unknown, ...ofOptions];
  return { options: problems.length > 0 ? null : (data as Record<string, unknown>), problems };
}

const optionOf = (spec: EnvSpec): Message => message`option of ${valuePart("env.name", spec.id)}`;

function unknownPreset(preset: string, spec: EnvSpec): ConfigProblem[] {
  if (hasPreset(spec, preset)) return [];
  const expected = message`${valuePart("env.name", spec.id)} has no preset of that name`;
  return [{ path: "env.preset", value: preset, expected, hint: presetRemedy(spec, preset) }];
}

/** Options that no level can satisfy, as far as that is known without drawing one. */
function impossibleOptions(spec: EnvSpec, options: unknown): ConfigProblem[] {
  try {
    (spec.check ?? spec.create)(options);
    return [];
  } catch (error) {
    if (!(error instanceof ImpossibleConfig)) throw error;
    const { path, value, why, parts, hint } = error;
    return [{ path, value, expected: why, hint: parts?.hint ?? hint ?? "" }];
  }
}

/** Zod's issues as problems, one for each path. `prefix` leads from the input to the value that zod parsed. */
function explained(
  { issues }: z.ZodError,
  input: unknown,
  fields: readonly ConfigField[],
  prefix: readonly string[] = [],
): ConfigProblem[] {
  const problems = issues
    .slice(0, MAX_PROBLEMS + 1)
    .flatMap((issue) => explain(issue, [...prefix, ...issue.path], input, fields));
  // Both entries of a list may be wrong.
  return problems.filter(({ path }, i) => problems.findIndex((first) => first.path === path) === i);
}

function explain(
  issue: z.core.$ZodIssue,
  at: readonly PropertyKey[],
  input: unknown,
  fields: readonly ConfigField[],
): ConfigProblem[] {
  const place = at.map(String).join(".");
  // A list is one value: what is wrong with an entry is a problem of the list.
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
      .map((key) => unknownKey(path, key, valueAt(value, [key]), known, "setting", nameOfEnv(input)));
  }
  const limited = withLimit(field, issue);
  const expected = expectation(issue, path, limited);
  const fix = withinRange(path, issue, limited) ?? multipleNearest(path, issue, value, limited);
  const hint = remedyFor(path, issue, value, limited);
  const accepted = limited && SHAPE.includes(issue.code) ? acceptedOrEmpty(limited) : undefined;
  return [{ path, value, expected, hint, ...(accepted && { accepted }), ...(fix && { fix }) }];
}

/** The field with the largest whole number that can be written exactly, where it has no limit of its own. */
function withLimit(field: ConfigField | undefined, issue: z.core.$ZodIssue): ConfigField | undefined {
  const isOwn = issue.code !== "too_big" || field?.type !== "integer" || field.max !== undefined;
  return isOwn ? field : { ...field, max: Number(issue.maximum) };
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

/** The multiple that is nearest to a number and within the range. */
function multipleNearest(
  path: string,
  issue: z.core.$ZodIssue,
  value: unknown,
  field: ConfigField | undefined,
): ConfigFix | undefined {
  if (!field || issue.code !== "not_multiple_of" || typeof value !== "number") return undefined;
  const { divisor } = issue;
  const { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
  // Without the rounding errors of 0.6 / 0.2 and 3 × 0.1.
  const exact = (number: number) => Number(number.toPrecision(12));
  const [least, most] = [Math.ceil(exact(min / divisor)), Math.floor(exact(max / divisor))];
  const count = Math.min(most, Math.max(least, Math.round(exact(value / divisor))));
  return { path, value: exact(count * divisor) };
}

function unknownKey(
  path: string,
  key: string,
  value: unknown,
  known: readonly string[],
  place: Message = "setting",
  env?: unknown,
): ConfigProblem {
  const whole = path ? `${path}.${key}` : key;
  const renamed = renamedSetting(whole);
  if (renamed) {
    const expected = message`${setting(renamed.path)} has replaced it, and says something else`;
    return { path: whole, value, expected, hint: `Leave it out; ${renamed.note}.` };
  }
  const expected = message`there is no ${place} named "${short(key)}"`;
  return { path: short(whole), value, expected, hint: nameRemedy(path, key, value, known, env) };
}

/** The environment that a file names, or that it has without a name. */
const nameOfEnv = (input: unknown): unknown => valueAt(input, ["env", "name"]) ?? envs.ids[0];

/** What else an unknown key may be called. A value in a section is a setting, perhaps of another section. */
function nameRemedy(
  path: string,
  key: string,
  value: unknown,
  known: readonly string[],
  env: unknown,
): string {
  const whole = path ? `${path}.${key}` : key;
  if (key.includes(".") && fieldAt(whole)) return nested(whole);
  const isSetting = path in SECTIONS && typeof value !== "object";
  return isSetting ? suggestion(whole, settingPaths(env), known) : suggestion(key, known);
}

/** A name with points is a path of the command line; a file has sections. */
function nested(path: string): string {
  const [name, ...sections] = path.split(".").reverse();
  const text = sections.reduce((inner, section) => `${section}: { ${inner} }`, `${name}: …`);
  return `Write it below its section: "${text}".`;
}

/** The keys that the schema knows directly below a path. */
function keysUnder(path: string): string[] {
  if (/^envs\.[^.]+$/.test(path)) return entryFields.map((field) => field.path);
  if (path.startsWith(OF_SETS)) return Object.keys(ValidationSet.shape);
  const prefix = path ? `${path}.` : "";
  const below = describeRunConfig().filter((field) => field.path.startsWith(prefix));
  return [...new Set(below.map((field) => field.path.slice(prefix.length).split(".")[0]!))];
}

/** Begins the paths of single validation sets. */
const OF_SETS = "trainer.val_sets.";
const SET_EXAMPLE = 'Write sets by name, e.g. "trainer: { val_sets: { steps: { seeds: 20000-20063 } } }".';

/** What to write in a validation set: for its turns what the run's setting accepts, for all else an example. */
const setRemedy = (path: string): Message => usualRemedy(path) ?? SET_EXAMPLE;

const usualRemedy = (path: string): Message | null => {
  const field = likeField(path);
  return field ? message`Use ${acceptedBy(field)}, or leave it out.` : null;
};

/** The field that a setting of a further environment or of a validation set is like. */
function likeField(path: string): ConfigField | undefined {
  if (path.startsWith(OF_SETS)) return path.endsWith(".max_turns") ? fieldAt("rollout.max_turns") : undefined;
  return path.startsWith("envs.")
    ? entryFields.find((known) => path.endsWith(`.${known.path}`) && path !== `envs.${known.path}`)
    : undefined;
}

const ENTRY_EXAMPLE = 'Write environments by name, e.g. "envs: { sokoban: { weight: 0.5 } }".';

/** What to write in `envs`, for all of it, an entry, or a setting of an entry. */
const entryRemedy = (path: string): Message => usualRemedy(path) ?? ENTRY_EXAMPLE;

const SHAPE = ["invalid_type", "too_small", "too_big"];

function expectation(issue: z.core.$ZodIssue, path: string, field: ConfigField | undefined): Message {
  if ((field?.entries || field?.registry) && SHAPE.includes(issue.code))
    return message`it must be ${acceptedBy(field)}`;
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "object")
        return path === ""
          ? "it must be a mapping of sections, such as env: and actor:"
          : "it must be a mapping of settings";
      if (issue.expected === "record") return "it must be values by name";
      return issue.expected === "int" ? "it must be a whole number" : `it must be ${article(issue.expected)}`;
    // The schema names the limits of exact integers first, which are wider than the setting's own.
    case "too_small":
      return `it must be at least ${(field ?? likeField(path))?.min ?? issue.minimum}`;
    case "too_big":
      return `it must be at most ${(field ?? likeField(path))?.max ?? issue.maximum}`;
    case "not_multiple_of":
      return `it must be a multiple of ${issue.divisor}`;
    case "invalid_value":
      return message`it must be one of ${allOf(path, issue.values)}`;
    default:
      return issue.message;
  }
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
const allOf = (path: string, values: readonly unknown[]): Message =>
  joined(
    values.map((value) => valuePart(path, value)),
    ", ",
  );

function remedyFor(
  path: string,
  issue: z.core.$ZodIssue,
  value: unknown,
  field: ConfigField | undefined,
): Message {
  if (issue.code === "invalid_value") return choiceRemedy(path, value, issue.values, field);
  if (`${path}.`.startsWith("envs.")) return entryRemedy(path);
  if (path.startsWith(OF_SETS)) return setRemedy(path);
  if (field) return remedyOf(field);
  const [setting] = keysUnder(path);
  const example = describeRunConfig().find((known) => known.path === `${path}.${setting}`);
  if (!path || !example) return 'Write sections with settings, e.g. "actor: { lr: 0.0004 }".';
  return `Write its settings by name, e.g. "${path}: { ${setting}: ${JSON.stringify(example.default)} }".`;
}

/** The choice that was probably meant, else the default: the problem lists all there are. */
function choiceRemedy(
  path: string,
  typed: unknown,
  choices: readonly unknown[],
  field: ConfigField | undefined,
): Message {
  const near = typeof typed === "string" ? nearest(typed, choices.map(String)) : null;
  if (near !== null) return message`Did you mean ${valuePart(path, near)}?`;
  return message`Use one of these.${field ? message` The default is ${valuePart(path, field.default)}.` : ""}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}
