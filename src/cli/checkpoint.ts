// The checkpoint that a command is about: a file, the folder of a run, or by its name one that ships with the studio.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkedRunConfig } from "../config/check.ts";
import { bundledFile, INIT_CHECKPOINT, noSuchCheckpoint } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { stateCriticText } from "../config/state-critic.ts";
import { CheckpointError } from "../core/errors.ts";
import { type Checkpoint, type CheckpointMeta, decodeCheckpoint, PARAM } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import { type Options, UsageError, type Values } from "./args.ts";
import { isFolder, unreadable } from "./disk.ts";
import { assertPlugins } from "./plugins.ts";
import { storedRun } from "./run-folder/stored-run.ts";
import { changed, overrides } from "./source.ts";

/** For commands that take what `readCheckpoint` reads. */
export const checkpointOption: Options = {
  checkpoint: {
    value: "<run|file>",
    help: "A run's folder (its newest checkpoint), a file, or a bundled name.",
  },
};

/** What an export reads and writes. @throws UsageError unless `--checkpoint` and `--out` were both given. */
export function checkpointAndOut(
  values: Values,
  command: string,
  example: string,
): { from: string; to: string } {
  const [from, to] = [values.text("checkpoint"), values.text("out")];
  if (from !== undefined && to !== undefined) return { from, to };
  throw new UsageError(`${command} needs --checkpoint and --out.`, `For example: ${example}`);
}

/**
 * The bytes of a checkpoint: a file, or by its name one that ships with the studio.
 * @param field the option or setting that named it, for messages.
 * @param otherwise what else it may be, for the message that there is none.
 * @throws CheckpointError("not_found") if there is none of that name, or it cannot be read.
 */
export async function readCheckpointFile(
  name: string,
  field = `${INIT_CHECKPOINT} (--from)`,
  otherwise = FOLDER_OR_FILE,
): Promise<Uint8Array<ArrayBuffer>> {
  for (const path of [name, ...bundledPaths(name)]) if (await isFile(path)) return bytesIn(path, field);
  throw noSuchCheckpoint(field, name, otherwise, pathHint(name));
}

/** The hint for a name that must be a path. Undefined for any other name: it may be a misspelt bundled one. */
function pathHint(name: string): string | undefined {
  if (isFolder(name)) return "That is a folder. Give the path of a .safetensors file in it.";
  return /[/\\]/.test(name) ? "Check the path." : undefined;
}

/** Where a checkpoint that ships may lie: the built command is one folder deep in the project, its source two. */
const bundledPaths = (name: string): string[] =>
  ["..", "../.."].map((root) =>
    fileURLToPath(new URL(`${root}/public/checkpoints/${bundledFile(name)}`, import.meta.url)),
  );

/** A device file never ends, and is none. */
const isFile = (path: string): Promise<boolean> =>
  stat(path)
    .then((found) => found.isFile())
    .catch(() => false);

async function bytesIn(path: string, field: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    const reason = `${field}: ${unreadable(path, cause)}`;
    throw new CheckpointError("not_found", reason, "Check the path.", { cause });
  });
  // A copy of its own: small files come out of a shared pool, where floats may be unaligned.
  return new Uint8Array(bytes);
}

/** `readCheckpointFile`, decoded. @throws CheckpointError */
export const decodeCheckpointFile = async (
  name: string,
  field?: string,
  otherwise?: string,
): Promise<Checkpoint> => decodeCheckpoint(await readCheckpointFile(name, field, otherwise), name);

const FOLDER_OR_FILE = "Or give the folder of a run, or the path of a .safetensors file.";

/**
 * A checkpoint: a file, the newest good one of a run's folder, or one that ships with the studio.
 * @param field the option that named it, for messages.
 * @throws CheckpointError
 */
export async function readCheckpoint(name: string, field: string): Promise<Checkpoint> {
  if (!isFolder(name)) return decodeCheckpointFile(name, field, FOLDER_OR_FILE);
  return (await newestIn(name, field)).checkpoint;
}

/** The newest good checkpoint of the run in a folder. @throws CheckpointError */
async function newestIn(folder: string, field: string): Promise<GoodCheckpoint> {
  const { runId, store } = storedRun(folder);
  const good = await store.loadLatestGood(runId);
  if (good) return good;
  throw new CheckpointError(
    "not_found",
    `${field} is ${JSON.stringify(folder)}; this folder has no checkpoint.`,
    "Give the folder of a run that has saved one, or the path of a .safetensors file.",
  );
}

/**
 * The path that a run records as its start. For the folder of a run it is the newest good checkpoint, because that run may save others
 * later; any other name is kept.
 * @throws CheckpointError if the folder has no checkpoint, or none that can be read
 */
export async function startPath(name: string, field: string): Promise<string> {
  if (!isFolder(name)) return name;
  return join(name, "checkpoints", (await newestIn(name, field)).entry.name);
}

/**
 * The checkpoint of `--checkpoint`, with the extensions that it needs.
 * @param otherHouses whether any houses do in place of those that it was trained in.
 * @throws CheckpointError, or ExtensionError if its plugins or houses were not given.
 */
export async function openCheckpoint(name: string, { otherHouses = false } = {}): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(name, "--checkpoint");
  assertPlugins(checkpoint.meta, name, { otherHouses });
  return checkpoint;
}

/** The configuration that a checkpoint was trained with. @throws ConfigError if this version does not accept it. */
export const trainedConfig = ({ config }: CheckpointMeta): RunConfig =>
  checkedRunConfig(config, "The checkpoint's configuration");

/** The configuration of `--checkpoint` with every `--set`; null without that option. @throws CheckpointError, ConfigError */
export async function checkpointConfig(values: Values): Promise<RunConfig | null> {
  const name = values.text("checkpoint");
  if (name === undefined) return null;
  return changed(trainedConfig((await readCheckpoint(name, "--checkpoint")).meta), overrides(values));
}

/** `stateCriticText` of a checkpoint; SFT trains no such critic. */
export function criticOf(meta: CheckpointMeta): string {
  const config = trainedConfig(meta);
  return meta.update > sftUpdates(config) ? stateCriticText(config, meta.stateCritic !== undefined) : "";
}

/** A checkpoint without the optimiser: it starts new runs and can be evaluated, but cannot continue its run. */
export const weightsOnly = ({ meta, tensors }: Checkpoint): Checkpoint => ({
  meta,
  tensors: new Map([...tensors].filter(([name]) => name.startsWith(PARAM))),
});
