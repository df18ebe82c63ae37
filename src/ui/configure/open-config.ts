// What opened files are: a configuration of ours, or VAGEN's files, which need a word about every key first.

import { readYaml } from "../../config/read-yaml.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { ofKind } from "../../config/vagen/findings.ts";
import { importVagen, type VagenImport } from "../../config/vagen/import.ts";
import { isVagenConfig } from "../../config/vagen/parse/file.ts";
import { parseRunConfig } from "../../config/yaml.ts";
import { ConfigError } from "../../core/errors.ts";
import { namedAfterTask } from "../settings/run-name.ts";

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
    return { kind: "vagen", names: files.map(({ name }) => name), imported: named(importVagen(files)) };
  const settings = settingsIn(first!);
  // For the command line it is the default configuration; here it is the wrong file.
  if (settings?.length === 0) throw withoutSettings(first!);
  const config = parseRunConfig(first!.text, first!.name);
  return { kind: "ours", config: settings?.includes("name") ? config : namedAfterTask(config) };
}

/** The outermost settings that a file has; null where it has something else, which its reader refuses. */
function settingsIn({ text }: TextFile): string[] | null {
  const read = readYaml(text);
  return "value" in read && typeof read.value === "object" ? Object.keys(read.value ?? {}) : null;
}

function named(imported: VagenImport): VagenImport {
  const isNamed = ofKind(imported.findings, "applied").some(({ path }) => path === "name");
  return isNamed ? imported : { ...imported, config: namedAfterTask(imported.config) };
}

const withoutSettings = ({ name }: TextFile): ConfigError =>
  new ConfigError(
    "invalid_config",
    `${name} has no settings.`,
    "Choose another file, or write at least the environment into it: “env: { name: frozenlake }”.",
  );
