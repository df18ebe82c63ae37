// Stored runs: a few checkpoints of each, its event log, and texts beside them.
import { CheckpointError, StorageError } from "../core/errors.ts";
import { type Checkpoint, type CheckpointMeta, decodeCheckpoint, decodeMeta } from "./checkpoint.ts";
import { appendChecked, type Files, PART, replace } from "./files.ts";
import { pack, unpack } from "./packed.ts";
import { outdated } from "./retention.ts";
import { headBytes } from "./safetensors.ts";

/** One stored checkpoint. */
interface CheckpointEntry {
  /** File name, e.g. `update-000020.safetensors`. */
  name: string;
  update: number;
  bytes: number;
  /** Epoch milliseconds. */
  savedAt: number;
}

/** A checkpoint that passed every check, and the newer ones that did not. */
export interface GoodCheckpoint {
  entry: CheckpointEntry;
  checkpoint: Checkpoint;
  /** Why newer checkpoints were skipped, newest first; the run reports these errors. */
  skipped: readonly CheckpointError[];
}

export interface CheckpointStore {
  /**
   * Stores the bytes as the run's checkpoint of this update. Once they are verified on disk, it removes outdated checkpoints
   * (`retention.ts`): the newest two stay, the newest two milestones, and others at growing distances, at most eight in all.
   * When the disk is full, it first removes all older ones but the newest valid one.
   * @param milestoneEvery an update that this divides is a milestone. Default 1: every one is.
   * @throws StorageError; earlier checkpoints are then still there.
   */
  save(
    runId: string,
    update: number,
    bytes: Uint8Array<ArrayBuffer>,
    milestoneEvery?: number,
  ): Promise<CheckpointEntry>;
  /** Removes a run's checkpoints after an update. */
  removeAfter(runId: string, update: number): Promise<void>;
  /** Checkpoints of a run, newest first. */
  list(runId: string): Promise<CheckpointEntry[]>;
  /** The bytes of one checkpoint. @throws CheckpointError("not_found") */
  load(runId: string, name: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The newest valid checkpoint; null when the run has none at all.
   * @throws CheckpointError of the newest one when all are invalid.
   */
  loadLatestGood(runId: string): Promise<GoodCheckpoint | null>;
  /** The metadata of the newest readable checkpoint, without loading its weights. */
  describe(runId: string): Promise<{ entry: CheckpointEntry; meta: CheckpointMeta } | null>;
  /** Appends to the run's log. Events are plain data, opaque to the store. A failed call may be retried. */
  appendEvents(runId: string, events: readonly object[]): Promise<void>;
  /** Replaces the run's log. */
  replaceEvents(runId: string, events: readonly object[]): Promise<void>;
  /** The run's log without incomplete lines, which a crash may leave. */
  loadEvents(runId: string): Promise<unknown[]>;
  /** Replaces the run's stored trajectories. They are plain data with typed arrays. */
  saveTrajectories(runId: string, trajectories: readonly object[]): Promise<void>;
  /** The stored trajectories; none when their file is missing or damaged, as losing them is no error. */
  loadTrajectories(runId: string): Promise<unknown[]>;
  /** Stores a text with the run under a file name; replaces an earlier one. */
  saveText(runId: string, name: string, text: string): Promise<void>;
  /** Appends to a text that is stored with the run. */
  appendText(runId: string, name: string, text: string): Promise<void>;
  /** A text that is stored with the run; null when there is none. */
  loadText(runId: string, name: string): Promise<string | null>;
  /** Whether the run has such a text. */
  hasText(runId: string, name: string): Promise<boolean>;
  /** Stores the texts of a run's extensions: plain data, opaque to the store. */
  saveExtensions(runId: string, extensions: readonly object[]): Promise<void>;
  /** The texts of the run's extensions; none when it has no such file, or none that can be read. */
  loadExtensions(runId: string): Promise<unknown[]>;
  /** Ids of the stored runs. */
  runs(): Promise<string[]>;
  /** Deletes a run and everything stored with it. */
  discard(runId: string): Promise<void>;
}

const LOG = "events.jsonl";
const TRAJECTORIES = "trajectories.packed";
const EXTENSIONS = "extensions.jsonl";

type Checkpoints = Pick<
  CheckpointStore,
  "save" | "list" | "removeAfter" | "load" | "loadLatestGood" | "describe"
>;

/**
 * A store over any file system: `<run>/checkpoints/update-000020.safetensors`, `<run>/events.jsonl`, and optionally
 * `<run>/trajectories.packed` and `<run>/extensions.jsonl`.
 */
export function openStore(files: Files): CheckpointStore {
  return {
    ...openCheckpoints(files),
    ...openRecords(files),
    runs: async () => (await files.list("")).sort(),
    discard: (runId) => files.remove(safeId(runId)),
  };
}

/** The checkpoints of runs. */
function openCheckpoints(files: Files): Checkpoints {
  const store: Checkpoints = {
    async save(runId, update, bytes, milestoneEvery = 1) {
      const name = checkpointName(update);
      const put = () => replace(files, checkpointPath(runId, name), bytes);
      await put().catch(async (error) => {
        if (!isFull(error) || !(await makeRoom(store, files, runId))) throw error;
        await put();
      });
      await removeParts(files, `${safeId(runId)}/checkpoints`);
      const entries = await store.list(runId);
      // A run that resumed from an older checkpoint may have damaged newer ones. They must not displace the one just saved.
      const upToNow = entries.filter((entry) => entry.update <= update);
      // Failing to remove an old one is no error: the next save tries again.
      for (const old of outdated(upToNow, milestoneEvery))
        await files.remove(checkpointPath(runId, old.name)).catch(() => {});
      return (
        entries.find((entry) => entry.name === name) ?? { name, update, bytes: bytes.length, savedAt: 0 }
      );
    },
    async list(runId) {
      const names = await files.list(`${safeId(runId)}/checkpoints`);
      const entries = await Promise.all(names.map((name) => entryOf(files, runId, name)));
      return entries.filter((entry) => entry !== null).sort((a, b) => b.update - a.update);
    },
    async removeAfter(runId, update) {
      for (const later of (await store.list(runId)).filter((entry) => entry.update > update))
        await files.remove(checkpointPath(runId, later.name));
    },
    async load(runId, name) {
      const bytes = await files.read(checkpointPath(runId, name));
      if (!bytes) throw notFound(runId, name);
      return bytes;
    },
    async loadLatestGood(runId) {
      const skipped: CheckpointError[] = [];
      for (const entry of await store.list(runId)) {
        const found = await tryOr(skipped, async () =>
          decodeCheckpoint(await store.load(runId, entry.name), entry.name),
        );
        if (found) return { entry, checkpoint: found, skipped };
      }
      if (skipped[0]) throw skipped[0];
      return null;
    },
    async describe(runId) {
      for (const entry of await store.list(runId)) {
        const meta = await tryOr([], () => readMeta(files, runId, entry));
        if (meta) return { entry, meta };
      }
      return null;
    },
  };
  return store;
}

/** Everything beside the checkpoints: events, trajectories, extensions and texts. */
function openRecords(files: Files): Omit<CheckpointStore, keyof Checkpoints | "runs" | "discard"> {
  const { put, appendLines } = textFiles(files);
  return {
    appendEvents: (runId, events) => appendLines(`${safeId(runId)}/${LOG}`, toLines(events)),
    replaceEvents: (runId, events) => put(`${safeId(runId)}/${LOG}`, toLines(events)),
    async loadEvents(runId) {
      const bytes = await files.read(`${safeId(runId)}/${LOG}`);
      return bytes ? fromLines(new TextDecoder().decode(bytes)) : [];
    },
    saveTrajectories: async (runId, trajectories) =>
      replace(files, `${safeId(runId)}/${TRAJECTORIES}`, await pack(trajectories)),
    async loadTrajectories(runId) {
      const bytes = await files.read(`${safeId(runId)}/${TRAJECTORIES}`);
      const found = bytes && (await tryOr([], () => unpack(bytes, TRAJECTORIES)));
      return Array.isArray(found) ? found : [];
    },
    saveText: (runId, name, text) => put(textPath(runId, name), text),
    appendText: (runId, name, text) => appendLines(textPath(runId, name), text),
    async loadText(runId, name) {
      const bytes = await files.read(textPath(runId, name));
      return bytes && new TextDecoder().decode(bytes);
    },
    hasText: async (runId, name) => (await files.stat(textPath(runId, name))) !== null,
    saveExtensions: (runId, extensions) => put(`${safeId(runId)}/${EXTENSIONS}`, toLines(extensions)),
    async loadExtensions(runId) {
      const bytes = await files.read(`${safeId(runId)}/${EXTENSIONS}`);
      return bytes ? fromLines(new TextDecoder().decode(bytes)) : [];
    },
  };
}

/**
 * Removes the incomplete files that a process left when it died while it wrote. A run is written by one process at a time, so
 * none of them is still being written. Failing to remove one is no error: the next save tries again.
 */
async function removeParts(files: Files, folder: string): Promise<void> {
  for (const name of await files.list(folder))
    if (name.endsWith(PART)) await files.remove(`${folder}/${name}`).catch(() => {});
}

const isFull = (error: unknown): boolean => error instanceof StorageError && error.code === "full";

/** Removes incomplete files and every checkpoint but the newest valid one. Returns whether it removed anything. */
async function makeRoom(store: Checkpoints, files: Files, runId: string): Promise<boolean> {
  const folder = `${safeId(runId)}/checkpoints`;
  const newest = await store.loadLatestGood(runId).catch(() => null);
  const names = await files.list(folder);
  // If all are damaged, keep them: the user may still want to inspect them.
  const removable = names.filter((name) => name.endsWith(PART) || (newest && name !== newest.entry.name));
  for (const name of removable) await files.remove(`${folder}/${name}`);
  return removable.length > 0;
}

const LINE_FEED = 10;

/** Text files that are replaced, or grow by whole lines. */
function textFiles(files: Files) {
  /** By path, the length before a failed append. The next append overwrites any bytes that the failed one left. */
  const lengths = new Map<string, number>();
  return {
    async put(path: string, text: string): Promise<void> {
      await replace(files, path, new TextEncoder().encode(text));
      lengths.delete(path);
    },
    /** After an incomplete line, starts a new one, so that only the incomplete line is lost. */
    async appendLines(path: string, lines: string): Promise<void> {
      const stored = (await files.stat(path))?.bytes ?? 0;
      const length = Math.min(lengths.get(path) ?? stored, stored);
      const last = length > 0 ? await files.read(path, length, length - 1) : null;
      const begin = last && last[0] !== LINE_FEED ? "\n" : "";
      lengths.set(path, length);
      await appendChecked(files, path, new TextEncoder().encode(begin + lines), length);
      lengths.delete(path);
    },
  };
}

async function entryOf(files: Files, runId: string, name: string): Promise<CheckpointEntry | null> {
  const update = /^update-(\d+)\.safetensors$/.exec(name)?.[1];
  const stat = update && !name.endsWith(PART) && (await files.stat(checkpointPath(runId, name)));
  return stat ? { name, update: Number(update), bytes: stat.bytes, savedAt: stat.modified } : null;
}

async function readMeta(files: Files, runId: string, { name, bytes }: CheckpointEntry) {
  const path = checkpointPath(runId, name);
  const first = await files.read(path, 8);
  const head = first && (await files.read(path, headBytes(first)));
  if (!head) throw notFound(runId, name);
  return decodeMeta(head, name, bytes);
}

/** The result; null for a CheckpointError, which is added to `bad`. Other errors are rethrown. */
async function tryOr<T>(bad: CheckpointError[], work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    bad.push(error);
    return null;
  }
}

const toLines = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

function fromLines(text: string): unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line ? [JSON.parse(line)] : [];
    } catch {
      // An incomplete line: the process died while writing it. The lines around it are complete.
      return [];
    }
  });
}

/** The file name of a run's checkpoint of an update. */
export const checkpointName = (update: number): string =>
  `update-${String(update).padStart(6, "0")}.safetensors`;
const checkpointPath = (runId: string, name: string): string => `${safeId(runId)}/checkpoints/${name}`;

const textPath = (runId: string, name: string): string => `${safeId(runId)}/${safeId(name)}`;

/** Checks a name that becomes part of a path, so that it cannot lead out of the folder. */
function safeId(name: string): string {
  if (/^[^./\\][^/\\]*$/.test(name)) return name;
  throw new StorageError(
    "invalid_name",
    `${JSON.stringify(name)} cannot name a stored run or one of its files: it is empty, begins with a dot or has a slash in it.`,
    "Choose a name without slashes and without a dot in front.",
  );
}

function notFound(runId: string, name: string): CheckpointError {
  return new CheckpointError(
    "not_found",
    `Run ${runId} has no checkpoint ${name}.`,
    "Choose another checkpoint.",
  );
}
