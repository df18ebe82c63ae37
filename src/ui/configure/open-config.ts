// What opened files are: a configuration of ours, or VAGEN's files, which need a word about every key first.

import { readYaml } from "../../config/read-yaml.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { importVagen, type VagenImport } from "../../config/vagen/import.ts";
import { isVagenConfig } from "../../config/vagen/parse/file.ts";
import { parseRunConfig } from "../../config/yaml.ts";
import { ConfigError } from "../../core/errors.ts";

export type Opened =
  | { kind: "ours"; config: RunConfig }
  | { kind: "vagen"; names: readonly string[]; imported: VagenImport };

export interface TextFile {
  name: string;
  text: string;
}

/** Reads the files as one configuration. @throws ConfigError for what cannot be read. */
export function openConfigs(files: readonly TextFile[]): Opened {
  const [first] = files;
  if (files.some(({ text }) => isVagenConfig(text)))
    return { kind: "vagen", names: files.map(({ name }) => name), imported: importVagen(files) };
  if (isEmpty(first!)) throw withoutSettings(first!);
  return { kind: "ours", config: parseRunConfig(first!.text, first!.name) };
}

/** Whether a file has no setting. For the command line it is the default configuration; here it is the wrong file. */
function isEmpty({ text }: TextFile): boolean {
  const read = readYaml(text);
  return "value" in read && (read.value === null || JSON.stringify(read.value) === "{}");
}

const withoutSettings = ({ name }: TextFile): ConfigError =>
  new ConfigError(
    "invalid_config",
    `${name} has no settings.`,
    "Choose another file, or write at least the environment into it: “env: { name: frozenlake }”.",
  );
