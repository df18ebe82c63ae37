// The file operations that persistence needs; implemented for the browser's private file system, Node, and memory.
import { StorageError } from "../core/errors.ts";

/**
 * Paths are relative, with "/" between their parts. Writing creates missing parent folders. An incomplete write rejects,
 * with `StorageError("full")` when there is no room.
 */
export interface Files {
  /** Names in a folder; empty when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Size and time (epoch milliseconds) of a file, or null. */
  stat(path: string): Promise<{ bytes: number; modified: number } | null>;
  /** Bytes [start, end) of a file, or all of it. Null when there is no such file. */
  read(path: string, end?: number, start?: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Writes a file from its beginning. A failed write may leave a truncated file. */
  write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Adds to the end of a file, or after its first `from` bytes, replacing what follows them. On failure it tries to restore
   * the length.
   */
  append(path: string, bytes: Uint8Array<ArrayBuffer>, from?: number): Promise<void>;
  /** Renames a file within its folder and replaces a file of that name; atomic where the platform supports it. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with everything in it. No error when it does not exist. */
  remove(path: string): Promise<void>;
}

/** Suffix of files that are still being written. */
export const PART = ".part";

/** Bytes that are read back at a time, so that verifying a large checkpoint needs little memory. */
const CHUNK = 4 * 2 ** 20;

/**
 * Replaces a file. The new content is written beside the old file and read back before it replaces it, so a complete file,
 * old or new, exists at any time, even when the process dies or the disk loses a write.
 * @throws StorageError("unreliable") when the file system reported success but did not keep the bytes.
 */
export async function replace(files: Files, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const part = path + PART;
  try {
    await files.write(part, bytes);
    await assertStored(files, part, bytes);
    await files.move(part, path);
    const isStored = (await files.stat(path))?.bytes === bytes.length && (await files.stat(part)) === null;
    if (!isStored) throw unreliable(path);
  } catch (error) {
    // The remains only take up space; the next attempt would overwrite them.
    await files.remove(part).catch(() => {});
    throw error;
  }
}

async function assertStored(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  if ((await files.stat(path))?.bytes !== bytes.length) throw unreliable(path);
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const expected = bytes.subarray(start, start + CHUNK);
    const found = await files.read(path, start + expected.length, start);
    if (!found || !isSame(found, expected)) throw unreliable(path);
  }
}

/** A loop, because a callback for every byte of a large checkpoint would take seconds. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Appends to a file. Afterwards the file has all of the bytes, or the call rejects.
 * @throws StorageError("unreliable") when the file system reported success but did not keep the bytes.
 */
export async function appendChecked(
  files: Files,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
): Promise<void> {
  await files.append(path, bytes, from);
  if ((await files.stat(path))?.bytes !== from + bytes.length) throw unreliable(path);
}

/** The error for a `path` that could not be written because the disk is full. */
export function storageFull(path: string, cause?: unknown): StorageError {
  return new StorageError("full", `there is no room left to write ${path}`, FREE_SPACE, { cause });
}

export const FREE_SPACE = "Free some space on this disk, or delete old runs.";

function unreliable(path: string): StorageError {
  return new StorageError("unreliable", `${path} was written, but the disk holds something else`, FREE_SPACE);
}
