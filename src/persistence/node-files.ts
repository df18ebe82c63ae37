// Files on disk, for the command line and the tests.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Files, PART, storageFull } from "./files.ts";

/** Files below a folder of the disk. */
export function nodeFiles(root: string): Files {
  const at = (path: string) => join(root, path);
  return {
    list: (folder) => orElse(readdir(at(folder)), []),
    stat: (path) =>
      orElse(
        stat(at(path)).then(({ size, mtimeMs }) => ({ bytes: size, modified: mtimeMs })),
        null,
      ),
    read: (path, end, start = 0) =>
      orElse(end === undefined && start === 0 ? readAll(at(path)) : readRange(at(path), start, end), null),
    async write(path, bytes) {
      await mkdir(dirname(at(path)), { recursive: true });
      await reportFull(path, writeThrough(at(path), bytes));
    },
    async append(path, bytes, from) {
      await mkdir(dirname(at(path)), { recursive: true });
      await reportFull(path, appendTo(at(path), bytes, from));
    },
    move: (from, to) => rename(at(from), at(to)),
    remove: (path) => rm(at(path), { recursive: true, force: true }),
  };
}

/** Error codes of a path that does not exist; ENOTDIR where one of its folders is a file. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** A missing file gives the fallback; any other failure (permissions, a broken disk) is rethrown. */
async function orElse<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return fallback;
    throw error;
  }
}

async function readAll(path: string): Promise<Uint8Array<ArrayBuffer>> {
  // A copy: Node reads small files into a shared pool, where floats may be unaligned.
  return new Uint8Array(await readFile(path));
}

async function readRange(path: string, start: number, end?: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.max(0, Math.min(end ?? size, size) - start);
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, start);
    return buffer.slice(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Turns the system's error codes of a full disk or quota into StorageError("full"). */
async function reportFull(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ENOSPC" || code === "EDQUOT" ? storageFull(path, error) : error;
  }
}

async function appendTo(path: string, bytes: Uint8Array, from?: number): Promise<void> {
  const file = await open(path, "a");
  try {
    const { size } = await file.stat();
    const at = Math.min(from ?? size, size);
    if (at < size) await file.truncate(at);
    // Do not leave half a line behind.
    await file.writeFile(bytes).catch(async (error) => {
      await file.truncate(at).catch(() => {});
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** Data reaches the disk before the rename, so that a power cut cannot leave an empty file under the final name. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a file with a text; a complete file, old or new, exists at any time. */
export function replaceFile(path: string, text: string): void {
  const file = openSync(path + PART, "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(path + PART, path);
}
