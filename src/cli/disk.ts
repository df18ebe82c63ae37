// Reads and writes paths that the user named: every error gives the path, the reason and a remedy.
import { mkdirSync, statSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "./args.ts";
import { reasonOf } from "./unreadable.ts";

/** No text that the studio reads is larger; a device file never ends. */
const MAX_TEXT_BYTES = 2 ** 24;

/**
 * Makes a folder and those above it; returns the first that was made, undefined when all were there. Node's own recursive
 * mkdir never ends below /proc, where the folder above is there and nothing can be made in it.
 * @throws UsageError naming the path. `option` is where it was given.
 */
export function makeFolder(folder: string, option = "--out"): string | undefined {
  const missing: string[] = [];
  try {
    for (let path = resolve(folder); !isFolder(path); path = dirname(path)) missing.unshift(path);
    for (const path of missing) mkdirSync(path);
  } catch (cause) {
    throw unwritable(folder, cause, option);
  }
  return missing[0];
}

/** @throws an error with the code ENOTDIR when something else is there. */
function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw Object.assign(new Error(path), { code: "ENOTDIR" });
  return found !== undefined;
}

/** Writes a file, and the folders above it. @throws UsageError naming the path. */
export async function writeInto(path: string, content: string | Uint8Array, option = "--out"): Promise<void> {
  makeFolder(dirname(path), option);
  try {
    await writeFile(path, content);
  } catch (cause) {
    throw unwritable(path, cause, option);
  }
}

/** The error for a path that cannot be written. */
export function unwritable(path: string, cause: unknown, option = "--out"): UsageError {
  return new UsageError(
    `${path} cannot be written: ${reasonOf(cause)}.`,
    `Give another path with ${option}, in a folder that you may write to.`,
  );
}

/** A file as text. @throws what the system says, or an error with the code EFBIG for a file that is too large. */
export async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    return new TextDecoder().decode(await readUpTo(file, MAX_TEXT_BYTES));
  } finally {
    await file.close();
  }
}

/** Reads piece by piece, since a pipe or a device does not report its size. */
async function readUpTo(file: FileHandle, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(2 ** 16));
    if (bytesRead === 0) return Buffer.concat(pieces);
    bytes += bytesRead;
    if (bytes > limit) throw Object.assign(new Error("too large"), { code: "EFBIG" });
    pieces.push(buffer.subarray(0, bytesRead));
  }
}
