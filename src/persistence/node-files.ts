// Files on disk, for the command line and the tests.
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Files, PART } from "./files.ts";

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
    read: (path, end) => orElse(end === undefined ? readAll(at(path)) : readHead(at(path), end), null),
    async replace(path, bytes) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeThrough(at(path + PART), bytes);
      await rename(at(path + PART), at(path));
    },
    async append(path, bytes) {
      await mkdir(dirname(at(path)), { recursive: true });
      await appendFile(at(path), bytes);
    },
    remove: (path) => rm(at(path), { recursive: true, force: true }),
  };
}

/** "Not there" is an answer; any other failure (rights, a broken disk) is the caller's to see. */
async function orElse<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return fallback;
    throw error;
  }
}

async function readAll(path: string): Promise<Uint8Array<ArrayBuffer>> {
  // A copy of its own: small files come out of a shared pool, where floats may be unaligned.
  return new Uint8Array(await readFile(path));
}

async function readHead(path: string, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(end), 0, end, 0);
    return buffer.slice(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Data reaches the disk before the rename does, so that a power cut cannot leave an empty file under the final name. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts a text in place of a file, which is whole at any time: as it was, or as it is to be. */
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
