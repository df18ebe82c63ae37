// `--plugin` and `--houses`: extensions and houses from files, and the copies that a run keeps of them.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { counted } from "../core/format.ts";
import { houseCount, housesFileName, isHousesFile } from "../envs/navigation/houses.ts";
import { FILE_LIMITS, readHouses } from "../envs/navigation/procthor/read-houses.ts";
import type { ExtensionSource } from "../extension/api.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import { assertExtensions, installExtensions } from "../run/extensions.ts";
import { type Options, UsageError } from "./args.ts";
import { readText } from "./disk.ts";

export const pluginOption: Options = {
  plugin: {
    value: "<file.mjs>",
    help: "An extension: environments, estimators, reward terms, filters, metrics of your own (docs/extending.md). Can be repeated.",
    multiple: true,
  },
};

/** For commands that play levels. */
export const housesOption: Options = {
  houses: {
    value: "<file.jsonl>",
    help: "Play Navigation in the ProcTHOR houses of a file: JSON of a house or a list, or a house on each line (docs/environments.md). Can be repeated.",
    multiple: true,
  },
};

/** Tries a plugin where it can do no harm, and returns it as checked. @throws ExtensionError */
export type TryPlugin = (plugin: ExtensionSource) => Promise<ExtensionSource>;

/** Folder in a run's folder that keeps the plugins and houses it was started with. */
export const PLUGINS = "plugins";

/**
 * Registers the files of `--plugin` in place of whatever was registered before.
 * @param tryPlugin tries each plugin before anything of it is read here; by default none is, and the contract is checked here.
 * @throws UsageError, ConfigError, EnvError, ExtensionError
 */
export async function loadPlugins(
  plugins: readonly string[],
  tryPlugin: TryPlugin = async (plugin) => plugin,
): Promise<readonly ExtensionSource[]> {
  const given = await Promise.all(plugins.map(readPlugin));
  const names = given.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new UsageError(
      `--plugin was given two files named ${twice}.`,
      "Rename one: runs keep them by name.",
    );
  const sources: ExtensionSource[] = [];
  for (const plugin of given) sources.push(await tryPlugin(plugin));
  await installExtensions(sources);
  return sources;
}

/**
 * Registers the houses of the files of `--houses` beside the plugins.
 * @param say prints a line of what became of the houses.
 * @throws ConfigError, EnvError
 */
export async function loadHouseFiles(
  paths: readonly string[],
  plugins: readonly ExtensionSource[],
  say: (line: string) => void,
): Promise<void> {
  await installExtensions([...plugins, await readHouseFiles(paths, say)]);
}

const CHECK_HOUSES =
  "Check the path of --houses. Of a file that is too large, give a part: head -n 100 houses.jsonl > fewer.jsonl";

/** All files as one, under the name of the first. */
async function readHouseFiles(
  paths: readonly string[],
  say: (line: string) => void,
): Promise<ExtensionSource> {
  const read = async (path: string) => ({
    name: basename(path),
    text: await readText(path, CHECK_HOUSES, FILE_LIMITS.characters),
  });
  const files = await Promise.all(paths.map(read));
  const { source, houses, rooms, notes } = readHouses(files);
  const name = housesFileName(files[0]!.name);
  say(`${name}: ${counted(houses, "house")} with ${counted(rooms, "room")}`);
  for (const note of notes) say(`  ${note}`);
  return { name, source };
}

const readPlugin = async (path: string): Promise<ExtensionSource> => ({
  name: basename(path),
  source: await readText(path, "Check the path of --plugin."),
});

/**
 * Whether the plugins and houses of a checkpoint were given.
 * @param from where it was read: a run's folder, or a file.
 * @param otherHouses whether any houses do: a policy may be measured in some that it was not trained in.
 * @throws ExtensionError
 */
export function assertPlugins(
  { extensions = [] }: CheckpointMeta,
  from: string,
  { otherHouses = false } = {},
): void {
  const folder = from.endsWith(".safetensors") ? dirname(dirname(from)) : from;
  const isNeeded = (name: string) => !(otherHouses && houseCount() > 0 && isHousesFile(name));
  assertExtensions(
    extensions.filter(({ name }) => isNeeded(name)),
    (name) => {
      const copy = join(folder, PLUGINS, name);
      const option = isHousesFile(name) ? "--houses" : "--plugin";
      return existsSync(copy)
        ? `The run keeps a copy: ${option} ${copy}`
        : `Give the file that the run used: ${option} <path of ${name}>`;
    },
  );
}
