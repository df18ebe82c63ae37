// What opened files are: a configuration of ours, or VAGEN's files, which need a word about every key first.
import type { RunConfig } from "../../config/run-config.ts";
import { importVagen, type VagenImport } from "../../config/vagen/import.ts";
import { isVagenConfig } from "../../config/vagen/parse/file.ts";
import { parseRunConfig } from "../../config/yaml.ts";

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
  return { kind: "ours", config: parseRunConfig(first!.text, first!.name) };
}
