// Files that somebody opens: a configuration of ours, or VAGEN's files, which need a word about every key first.
import type { RunConfig } from "../../config/run-config.ts";
import type { VagenImport } from "../../config/vagen/import.ts";

export type Opened =
  | { kind: "ours"; config: RunConfig }
  | { kind: "vagen"; names: readonly string[]; imported: VagenImport };

interface TextFile {
  name: string;
  text: string;
}

/**
 * What the files are. Readers of YAML are loaded only now: most visitors never open a file.
 * @throws ConfigError for what cannot be read.
 */
export async function openConfigs(files: readonly TextFile[]): Promise<Opened> {
  const { isVagenConfig } = await import("../../config/vagen/read.ts");
  const [first] = files;
  if (files.some(({ text }) => isVagenConfig(text))) {
    const { importVagen } = await import("../../config/vagen/import.ts");
    return { kind: "vagen", names: files.map(({ name }) => name), imported: importVagen(files) };
  }
  const { parseRunConfig } = await import("../../config/yaml.ts");
  return { kind: "ours", config: parseRunConfig(first!.text, first!.name) };
}

/** The names and contents of files that were chosen in the browser. */
export function textsOf(files: readonly File[]): Promise<TextFile[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
}
