// `export --as …`: a configuration as the files that VAGEN reads.
import { join } from "node:path";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { exportWithNotes, type VagenExport } from "../config/vagen/export.ts";
import type { VagenGeneration as Generation } from "../config/vagen/key-mapping.ts";
import { UsageError, type Values } from "./args.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { writeInto } from "./disk.ts";
import { type Io, warn } from "./io.ts";
import { changed, inHouses, overrides, readSource } from "./source.ts";

/** Names of --as. */
export const TARGETS: Readonly<Record<string, Generation>> = {
  "vagen-legacy": "legacy",
  "vagen-lite": "lite",
};

/** Writes the files into the folder --out, or prints them without it. */
export async function exportConfig(values: Values, io: Io): Promise<number> {
  const config = await configOf(values);
  const target = targetOf(values.text("as")!);
  const { files, comments, ...notes } = exportWithNotes(config, target);
  reportDifferences(notes, io);
  const folder = values.text("out");
  if (folder === undefined) {
    io.out(files.map(({ name, text }) => `# ${name}\n${text}`).join("---\n"));
    return 0;
  }
  for (const { name, text } of files) await writeInto(join(folder, name), text);
  const names = files.map(({ name }) => join(folder, name)).join(", ");
  io.out(`${names}\n${comments} settings that VAGEN has no key or value for are kept as comments.`);
  return 0;
}

/** Says what VAGEN would do otherwise, and what must be prepared for it. */
function reportDifferences({ otherwise, toPrepare }: Omit<VagenExport, "files" | "comments">, io: Io): void {
  const lost = otherwise.map(({ path, value }) => `${path}=${JSON.stringify(value)}`);
  const text = `VAGEN would train differently; it has no key or value for ${lost.join(", ")}.`;
  if (lost.length > 0) warn(io, text);
  for (const what of toPrepare) io.err(`note: ${what}\n`);
}

/** The configuration of a preset, a file or the defaults, with every `--set`. */
export const sourceConfig = async (values: Values): Promise<RunConfig> =>
  changed(await readSource(values), overrides(values));

/** Of a checkpoint, the configuration of the run that made it; otherwise of a preset, a file or the defaults. */
async function configOf(values: Values): Promise<RunConfig> {
  const from = values.text("checkpoint");
  if (from === undefined) return inHouses(await sourceConfig(values));
  const { meta } = await openCheckpoint(from);
  return changed(checkedRunConfig(meta.config, from), overrides(values));
}

function targetOf(text: string): Generation {
  const target = Object.hasOwn(TARGETS, text) ? TARGETS[text] : undefined;
  if (target) return target;
  throw new UsageError(`--as is "${text}"; expected one of ${Object.keys(TARGETS).join(", ")}.`, "");
}
