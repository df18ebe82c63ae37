// Which configuration a command is about: a preset, a file, or the defaults, with single values set on top.
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { envIdsOf } from "../config/entries.ts";
import { playsHouses } from "../config/houses.ts";
import { methods } from "../config/methods.ts";
import { parseOverride } from "../config/overrides.ts";
import { getPreset, presets } from "../config/presets.ts";
import { partlyIdle, whyIdle } from "../config/rules/idle.ts";
import type { RunConfig } from "../config/run-config.ts";
import { isVagenConfig } from "../config/vagen/parse/file.ts";
import { formatRunConfig, parseRunConfig } from "../config/yaml.ts";
import { ConfigError } from "../core/errors.ts";
import { listed, type Message, message, plainText, setting, value } from "../core/message.ts";
import { houseCount } from "../envs/navigation/houses.ts";
import { type Options, refuseTogether, shellWords, UsageError, type Values } from "./args.ts";
import { readText } from "./disk.ts";
import { type Io, warn } from "./io.ts";
import { housesOption, pluginOption } from "./plugins.ts";

export const sourceOptions: Options = {
  preset: { value: "<id>", help: `One of ${presets.ids.join(", ")}.` },
  config: { value: "<file.yaml>", help: "A configuration file; see docs/configuration.md." },
  method: {
    value: "<id>",
    help: `One of VAGEN's methods, applied on top of the preset or file: ${methods.ids.join(", ")}.`,
  },
  set: {
    value: "<path>=<value>",
    help: "Set a single value, e.g. actor.lr=1e-4. Can be repeated.",
    multiple: true,
  },
  ...pluginOption,
  ...housesOption,
};

/** The length of a run that is trained or planned. */
export const updatesOption: Options = {
  updates: { value: "<n>", help: "PPO updates; the same as --set trainer.total_updates=<n>." },
};

/** What `--updates` changes. @throws UsageError unless it is a whole number of at least 0. */
export function updatesChange(values: Values): Changes {
  const updates = values.number("updates", 0);
  return updates === undefined ? {} : { "trainer.total_updates": updates };
}

/** The configuration that preset or file give. @throws UsageError when both are given. */
export async function readSource(values: Values): Promise<RunConfig> {
  refuseTogether(values, "preset", ["config"], "Give one, and change single values with --set.");
  const [preset, file] = [values.text("preset"), values.text("config")];
  const method = values.text("method");
  return changed(await baseConfig(preset, file), method === undefined ? {} : methods.get(method).changes);
}

async function baseConfig(preset: string | undefined, file: string | undefined): Promise<RunConfig> {
  if (preset !== undefined) return getPreset(preset).config;
  if (file === undefined) return checkedRunConfig({});
  return ownConfig(await readText(file, "Check the path of --config."), file);
}

/** Parses a configuration of the studio. In a VAGEN file, every key would be reported as misspelt. */
function ownConfig(text: string, file: string): RunConfig {
  if (!isVagenConfig(text)) return parseRunConfig(text, file);
  throw new ConfigError(
    "invalid_config",
    `${file} is a configuration of VAGEN or AReaL, not of the studio.`,
    `Turn it into one: npm run import -- ${shellWords(file)} --out run.yaml`,
  );
}

/** A value as one would type it. */
export const nameOfValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** Values of settings by path. */
export type Changes = Readonly<Record<string, unknown>>;

/** @throws ConfigError naming the first change without an effect, and why it has none. */
export function assertEffective(
  changes: Changes,
  hasEffect: (path: string) => boolean,
  why: string,
  hint: Message,
): void {
  const idle = Object.keys(changes).find((path) => !hasEffect(path));
  if (idle === undefined) return;
  const text = message`${setting(idle)} is ${value(idle, changes[idle])}; ${why}.`;
  throw new ConfigError("invalid_config", text, hint);
}

/** The values of every `--set`, by path. */
export function overrides(values: Values): Changes {
  return Object.fromEntries(
    values
      .list("set")
      .map(parseOverride)
      .map(({ path, value }) => [path, value]),
  );
}

/** Warns of every `--set` that has no effect beside the other settings, or none in some environments, and says why. */
export function warnOfIdle(io: Io, config: RunConfig, changes: Changes): void {
  for (const path of Object.keys(changes)) {
    const why = whyIdle(path, config);
    if (why !== "") warn(io, plainText(message`--set ${setting(path)} has no effect. ${why}`));
    const part = partlyIdle(path, config);
    if (part)
      warn(
        io,
        plainText(message`--set ${setting(path)} has no effect in ${listed(part.names)}. ${part.why}`),
      );
  }
}

/** The configuration with changes; without any, as it is. */
export function changed(config: RunConfig, changes: Changes): RunConfig {
  return Object.keys(changes).length > 0 ? applyChanges(config, changes) : config;
}

/**
 * The configuration with every Navigation of it in the houses of `--houses`; without that option, as it is.
 * @throws UsageError if the run does not play Navigation.
 */
export function inHouses(config: RunConfig): RunConfig {
  if (houseCount() === 0) return config;
  const moved = <E extends { name: string; config: Record<string, unknown> }>(env: E): E =>
    env.name === NAVIGATION ? { ...env, config: { ...env.config, homes: "imported" } } : env;
  assertNavigation(config);
  const others = Object.entries(config.envs).map(([name, entry]) => [name, moved(entry)] as const);
  return checkedRunConfig({ ...config, env: moved(config.env), envs: Object.fromEntries(others) });
}

const NAVIGATION = "navigation";

/** @throws UsageError if `--houses` was given for a run that does not play Navigation. */
export function assertNavigation(config: RunConfig): void {
  if (envIdsOf(config).includes(NAVIGATION)) return;
  throw new UsageError(
    `--houses was given, and the run plays ${envIdsOf(config).join(", ")}.`,
    "Houses are for Navigation, for example: --preset navigation-small",
  );
}

/** @throws UsageError if `--houses` was given for a run that was begun in other homes. */
export function assertHousesPlayed(config: RunConfig, source: string): void {
  if (houseCount() === 0 || playsHouses(config)) return;
  throw new UsageError(
    `--houses was given, and the run in ${source} was begun in other homes.`,
    "A resumed run keeps its configuration: leave --houses out, or start a new run with --from.",
  );
}

/** A configuration as a run stores it. */
export const toYaml = (config: RunConfig): string => formatRunConfig(config, { all: true, comments: true });
