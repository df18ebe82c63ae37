// A lock, so that only one process writes into a folder: two would mix their lines and overwrite each other's checkpoints.
import { readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../args.ts";
import { makeFolder, unwritable } from "../disk.ts";

/** Name of the lock in the folder. */
export const LOCK = "run.lock";

/** The content of a lock. It is valid only where it was taken, not in a copy of the folder or on another machine. */
interface Holder {
  pid: number;
  host: string;
  /** Without symbolic links. */
  folder: string;
}

/** Locks of this process. Its process id in any other lock is that of an earlier process. */
const own = new Set<string>();

/** Another process may be writing its lock right now, or may take ours for the stale lock that both found. */
const SETTLING_MS = 50;

/** A folder that no other process writes into. A killed process leaves its lock behind; the next one replaces it. */
export interface HeldFolder {
  /** Releases the lock, and removes the folder if it was created for the lock and is empty. */
  release(): void;
  /** Releases the lock, and removes the folder with its content if it was created for the lock. */
  discardIfNew(): void;
}

/** Locks a folder, and creates it if needed. @throws UsageError if it cannot be created, or naming the process that holds it. */
export async function holdFolder(folder: string): Promise<HeldFolder> {
  const made = makeFolder(folder);
  const path = realpathSync(folder);
  const lock = join(path, LOCK);
  const holder: Holder = { pid: process.pid, host: hostname(), folder: path };
  if (own.has(lock)) throw inUse(folder, holder);
  own.add(lock);
  try {
    await take(lock, holder, folder);
  } catch (error) {
    own.delete(lock);
    throw error;
  }
  return heldFolder(resolve(folder), made && resolve(made), lock);
}

function heldFolder(folder: string, made: string | undefined, lock: string): HeldFolder {
  const release = () => {
    process.off("exit", release);
    if (own.delete(lock) && read(lock)?.pid === process.pid) removeIfPossible(lock);
    if (made !== undefined) removeEmpty(folder, made);
  };
  // A second Ctrl+C ends the process at once, as does an unexpected error.
  process.on("exit", release);
  return {
    release,
    discardIfNew() {
      if (made !== undefined) empty(folder);
      release();
    },
  };
}

/** @throws UsageError if another process holds the lock, or was faster. */
async function take(lock: string, holder: Holder, folder: string): Promise<void> {
  if (create(lock, holder)) return;
  const found = read(lock) ?? (await settled(lock));
  if (found && isRunning(found, holder)) throw inUse(folder, found);
  rmSync(lock, { force: true });
  create(lock, holder);
  const winner = await settled(lock);
  if (winner?.pid !== process.pid) throw inUse(folder, winner);
}

/** Whether there was no lock. */
function create(lock: string, holder: Holder): boolean {
  try {
    writeFileSync(lock, `${JSON.stringify(holder)}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw unwritable(lock, error);
  }
}

/** The content of a lock; null if there is none, or an incomplete one. */
function read(lock: string): Holder | null {
  try {
    return JSON.parse(readFileSync(lock, "utf8"));
  } catch {
    return null;
  }
}

async function settled(lock: string): Promise<Holder | null> {
  await new Promise((done) => setTimeout(done, SETTLING_MS));
  return read(lock);
}

const isRunning = (found: Holder, { pid, host, folder }: Holder): boolean =>
  found.host === host && found.folder === folder && found.pid !== pid && isAlive(found.pid);

/** Signal 0 is never delivered; the call only checks whether it could be. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes everything in a folder but the lock. */
function empty(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== LOCK);
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
}

/** A lock that cannot be removed (a missing disk) is replaced later; it must not change how the run ended. */
function removeIfPossible(lock: string): void {
  try {
    rmSync(lock, { force: true });
  } catch {}
}

/** Removes a folder and the parents that were created with it, up to the first that is not empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // It is not empty, or does not exist.
  }
}

function inUse(folder: string, holder: Holder | null): UsageError {
  const who = holder ? `process ${holder.pid}` : "another process";
  return new UsageError(
    `${folder} is in use: ${who} on this machine writes to it.`,
    `Wait until it has ended, or end it, or give another --out. If ${who} is another program by now, delete ${join(folder, LOCK)}.`,
  );
}
