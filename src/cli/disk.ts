// Reads and writes paths that the user named: every error gives the path, the reason and a remedy.
import { accessSync, constants, createReadStream, mkdirSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import { UsageError } from "./args.ts";

/** The limit for configurations and plugins, which people write. */
const MAX_TEXT_BYTES = 2 ** 24;
/** The limit for files that runs write: about what fits into a string. */
export const MAX_RECORDING_BYTES = 2 ** 29;

/**
 * Makes a folder and those above it; returns the first that was made, undefined when all were there. Node's own recursive
 * mkdir never ends below /proc, where the folder above is there and nothing can be made in it.
 * @throws UsageError naming the path. `option` is where it was given.
 */
export function makeFolder(folder: string, option = "--out"): string | undefined {
  const missing: string[] = [];
  try {
    for (let path = resolve(folder); !folderExists(path); path = dirname(path)) missing.unshift(path);
    for (const path of missing) mkdirSync(path);
  } catch (cause) {
    throw unwritable(folder, cause, option);
  }
  return missing[0];
}

/** Whether a folder is there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @throws an error with the code ENOTDIR when something other than a folder is there. */
function folderExists(path: string): boolean {
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

/**
 * Checks, before long work, that a folder is there or can be made. It makes none.
 * @throws UsageError naming the path.
 */
export function assertFolder(folder: string, option = "--out"): void {
  try {
    let path = resolve(folder);
    while (!folderExists(path)) path = dirname(path);
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw unwritable(folder, cause, option);
  }
}

/** The same for a file that is written later. @throws UsageError naming the path. */
export function assertFile(path: string, option = "--out"): void {
  assertFolder(dirname(path), option);
  if (isFolder(path)) throw unwritable(path, { code: "EISDIR" }, option);
}

/** The error for a path that cannot be written. */
export function unwritable(path: string, cause: unknown, option = "--out"): UsageError {
  return new UsageError(
    `${path} cannot be written: ${reasonOf(cause)}.`,
    `Give another path with ${option}, in a folder that you may write to.`,
  );
}

/**
 * A text file of at most `limit` bytes. @throws ConfigError naming the path. `remedy` says how to give another one.
 */
export const readText = async (path: string, remedy: Message, limit = MAX_TEXT_BYTES): Promise<string> =>
  new TextDecoder().decode(await readBytes(path, remedy, limit));

/** A file of at most `limit` bytes. @throws ConfigError naming the path. `remedy` says how to give another one. */
export async function readBytes(path: string, remedy: Message, limit: number): Promise<Uint8Array> {
  try {
    return await readUpTo(path, limit);
  } catch (cause) {
    throw new ConfigError("invalid_config", unreadable(path, cause), remedy, { cause });
  }
}

/** Reads piece by piece, because a pipe or a device reports no size and may never end. */
async function readUpTo(path: string, limit: number): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    bytes += piece.length;
    if (bytes > limit) throw new Error(`it is larger than ${limit / 2 ** 20} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** "run.yaml cannot be read: there is no such file." */
export const unreadable = (file: string, cause: unknown): string =>
  `${file} cannot be read: ${reasonOf(cause)}.`;

/** The system's messages name calls and codes. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EACCES: "you may not access it",
  EPERM: "you may not access it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its symbolic links form a loop",
};

function reasonOf(cause: unknown): string {
  const { code, message = String(cause) } = cause as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message.split(",")[0]!;
}
