// The stored runs of this browser: what the page lists, and the files that it downloads.
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { totalUpdates } from "../config/run-length.ts";
import { CheckpointError } from "../core/errors.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { type CheckpointMeta, decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { idsKnownTo } from "../run/extensions.ts";
import { loadHistory } from "../supervision/event-log.ts";
import { RECORDING, VERDICTS } from "./page-judge-host.ts";
import type { Commands, StoredRun } from "./protocol.ts";

/** Every run that can be shown and resumed, newest first. @param elsewhere the run that another tab trains. */
export async function listStored(store: CheckpointStore, elsewhere: string | null): Promise<StoredRun[]> {
  const runs = await Promise.all(
    // A run that cannot be read must not hide the others.
    (await store.runs()).map((runId) => describeStored(store, runId, runId === elsewhere).catch(() => null)),
  );
  return runs.filter((run) => run !== null).sort((a, b) => b.savedAt - a.savedAt);
}

/** The newest intact checkpoint of a run. @throws CheckpointError("not_found") if it has none. */
export async function newestCheckpoint(store: CheckpointStore, runId: string): Promise<GoodCheckpoint> {
  const good = await store.loadLatestGood(runId);
  if (good) return good;
  throw new CheckpointError("not_found", `The run ${runId} has no checkpoint.`, "Start a new run.");
}

/** A run's intact checkpoint of an update, and its file. @throws CheckpointError if it has none, or a damaged one */
export async function storedAt(
  store: CheckpointStore,
  runId: string,
  update: number,
): Promise<{ good: GoodCheckpoint; bytes: Uint8Array<ArrayBuffer> }> {
  const entry = (await store.list(runId)).find((known) => known.update === update);
  if (!entry)
    throw new CheckpointError(
      "not_found",
      `The run ${runId} has no checkpoint of update ${update} any more.`,
      "Go back to another update.",
    );
  const bytes = await store.load(runId, entry.name);
  const checkpoint = await decodeCheckpoint(bytes, entry.name);
  return { good: { entry, checkpoint, skipped: [] }, bytes };
}

/**
 * Makes a checkpoint of a run its newest one, and stores it again if another has displaced it.
 * @param milestoneEvery as in `CheckpointStore.save`
 */
export async function keepUpTo(
  store: CheckpointStore,
  runId: string,
  {
    update,
    bytes,
    milestoneEvery,
  }: { update: number; bytes: Uint8Array<ArrayBuffer>; milestoneEvery: number },
): Promise<void> {
  const isStored = (await store.list(runId)).some((known) => known.update === update);
  if (!isStored) await store.save(runId, update, bytes, milestoneEvery);
  await store.removeAfter(runId, update);
}

/** The file of the newest checkpoint. It is read as a resume would read it, so that a download is never damaged. */
export async function checkpointFile(
  store: CheckpointStore,
  runId: string,
): Promise<Commands["storedCheckpoint"][1]> {
  const { name } = (await newestCheckpoint(store, runId)).entry;
  return { name: `${runId}-${name}`, bytes: (await store.load(runId, name)).buffer };
}

/** The verdicts that a model gave in a run, as a recording; null if there are none. */
export async function verdictsFile(store: CheckpointStore, runId: string): Promise<Commands["verdicts"][1]> {
  const text = await store.loadText(runId, VERDICTS);
  return text ? { name: `${runId}-${VERDICTS}`, bytes: new TextEncoder().encode(text).buffer } : null;
}

/** Null for a run without a readable checkpoint, or of an older version. */
async function describeStored(
  store: CheckpointStore,
  runId: string,
  elsewhere: boolean,
): Promise<StoredRun | null> {
  const newest = await store.describe(runId);
  if (!newest) return null;
  const { entry, meta } = newest;
  const config = readConfig(meta);
  if (!config) return null;
  return {
    runId,
    name: config.name,
    update: entry.update,
    totalUpdates: totalUpdates(config),
    savedAt: entry.savedAt,
    config,
    elsewhere,
    recordingKept: await store.hasText(runId, RECORDING),
    events: await loadHistory(store, runId),
    ...(meta.extensions && { extensions: (await store.loadExtensions(runId)).filter(isExtensionSource) }),
  };
}

function isExtensionSource(value: unknown): value is ExtensionSource {
  const { name, source } = (value ?? {}) as Partial<ExtensionSource>;
  return typeof name === "string" && typeof source === "string";
}

function readConfig({ config, extensions }: CheckpointMeta): RunConfig | null {
  try {
    return checkedRunConfig(config, undefined, idsKnownTo(extensions));
  } catch {
    // A version with other settings saved this run, so it cannot resume and is not listed.
    return null;
  }
}
