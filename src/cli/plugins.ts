// `--plugin`: extensions from files, and the copies that a run keeps of them.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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

/** Folder in a run's folder that keeps the plugins it was started with. */
export const PLUGINS = "plugins";

/** Registers the files in place of whatever was registered before. @throws UsageError, ConfigError, ExtensionError */
export async function loadPlugins(files: readonly string[]): Promise<void> {
  const sources = await Promise.all(files.map(readPlugin));
  const names = sources.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new UsageError(
      `--plugin was given two files named ${twice}.`,
      "Rename one: runs keep them by name.",
    );
  await installExtensions(sources);
}

const readPlugin = async (path: string): Promise<ExtensionSource> => ({
  name: basename(path),
  source: await readText(path, "Check the path of --plugin."),
});

/** Whether the plugins of a checkpoint were given. `from` is where it was read: a run's folder, or a file. @throws ExtensionError */
export function assertPlugins({ extensions }: CheckpointMeta, from: string): void {
  const folder = from.endsWith(".safetensors") ? dirname(dirname(from)) : from;
  assertExtensions(extensions, (name) => {
    const copy = join(folder, PLUGINS, name);
    return existsSync(copy)
      ? `The run keeps a copy: --plugin ${copy}`
      : `Give the file that the run used: --plugin <path of ${name}>`;
  });
}
