// From what `train` was asked for to a run that can be supervised: a new one, or one that is read back from its folder.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { counted } from "../core/format.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { loadHistory } from "../supervision/event-log.ts";
import type { Resumption } from "../supervision/resume.ts";
import { UsageError } from "./args.ts";
import { assertPlugins } from "./plugins.ts";
import { storedRun } from "./run-folder/stored-run.ts";
import { assertHousesPlayed, type Changes } from "./source.ts";

/** How a run begins. */
export interface Beginning {
  /** The run's folder, as the user named it. */
  out: string;
  /** What the run begins with, for messages: "preset frozenlake-nano", or the folder or file that is resumed. */
  source: string;
  start: NewRun | ResumedRun;
}

interface NewRun {
  config: RunConfig;
}

interface ResumedRun {
  /** Where the run continues; undefined: at the newest good checkpoint of its folder. */
  checkpoint: Checkpoint | undefined;
  /** Settings to change, by path. */
  changes: Changes;
}

/** A run whose folder is locked and read: what the supervisor starts. */
export interface OpenRun {
  config: RunConfig;
  out: string;
  runId: string;
  store: CheckpointStore;
  /** Undefined for a new run. */
  resumption: Resumption | undefined;
}

/**
 * Reads what the folder of a run holds; writes nothing.
 * @throws UsageError, ConfigError, CheckpointError or ExtensionError when the run cannot begin so.
 */
export async function openRun({ out, source, start }: Beginning): Promise<OpenRun> {
  const { runId, store } = storedRun(out);
  const [newest] = await store.list(runId);
  if ("config" in start) {
    if (newest) throw holdsRun(out, newest.update);
    return { out, runId, store, config: start.config, resumption: undefined };
  }
  if (start.checkpoint) assertNewest(start.checkpoint, newest?.update, source, out);
  const good = start.checkpoint ? goodFrom(start.checkpoint, source) : await store.loadLatestGood(runId);
  if (!good) throw noCheckpointIn(source);
  const config = resumedConfig(good, start.changes, source);
  return { out, runId, store, config, resumption: { good, history: await loadHistory(store, runId) } };
}

function resumedConfig({ checkpoint }: GoodCheckpoint, changes: Changes, source: string): RunConfig {
  assertPlugins(checkpoint.meta, source);
  const config = continuedConfig(checkedRunConfig(checkpoint.meta.config, source), changes);
  assertHousesPlayed(config, source);
  if (LENGTH in changes) assertNotDone(config, checkpoint.meta.update, source);
  return config;
}

const LENGTH = "trainer.total_updates";

/** A run has no use for a length that it is past. @throws UsageError */
function assertNotDone(config: RunConfig, update: number, source: string): void {
  const [done, wanted] = [update - sftUpdates(config), config.trainer.total_updates];
  if (done <= wanted) return;
  throw new UsageError(
    `${LENGTH} (--updates) is ${wanted}; the run in ${source} has done ${counted(done, "PPO update")} already.`,
    `Give more than ${done}, or ${done} to end the run here with a validation.`,
  );
}

const holdsRun = (out: string, update: number) =>
  new UsageError(
    `${out} already holds a run, saved at update ${update}.`,
    `Give another --out, or continue that run: --resume ${out}`,
  );

/** The error for a `--resume` without a checkpoint behind it. */
export const noCheckpointIn = (source: string): UsageError =>
  new UsageError(
    existsSync(source) ? `${source} holds no checkpoint.` : `${source} does not exist.`,
    "Give the folder of a run, or a .safetensors file.",
  );

/** A run that went back in time would store its new checkpoints behind the old ones, and lose them. @throws UsageError */
function assertNewest({ meta }: Checkpoint, newest: number | undefined, file: string, out: string): void {
  if (newest === undefined || newest <= meta.update) return;
  throw new UsageError(
    `${file} is from update ${meta.update}, but ${out} holds the run up to update ${newest}.`,
    `Continue from the newest (--resume ${out}), or give another --out to branch off a new run.`,
  );
}

function goodFrom(checkpoint: Checkpoint, file: string): GoodCheckpoint {
  const entry = { name: basename(file), update: checkpoint.meta.update, bytes: 0, savedAt: 0 };
  return { entry, checkpoint, skipped: [] };
}
