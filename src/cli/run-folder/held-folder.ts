// One process writes into a folder: two would mix their lines and save over each other's checkpoints.
import { readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../args.ts";
import { makeFolder, unwritable } from "../disk.ts";

/** Name of the lock in the folder. */
export const LOCK = "run.lock";

/** What a lock says. It counts where it was taken: a copy of the folder, or another machine, has nothing to do with it. */
interface Holder {
  pid: number;
  host: string;
  /** Without symbolic links. */
  folder: string;
}

/** Locks of this process: its number in a lock that is none of them is that of a process before it. */
const own = new Set<string>();

/** Another process may just be writing its lock, or have taken ours for the remains that it found as well. */
const SETTLING_MS = 50;

/** A folder that nobody else writes into. A process that is killed leaves its lock behind; the next one takes it over. */
export interface HeldFolder {
  /** Lets go; a folder that was made for this and has nothing in it goes, too. */
  release(): void;
  /** What could not begin leaves nothing behind where nothing was. */
  discardIfNew(): void;
}

/** Holds a folder, which is made if it is not there. @throws UsageError when it cannot be made, or naming the process of this machine that holds it. */
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
  // A second Ctrl+C ends the process at once, as does an error that nobody expected.
  process.on("exit", release);
  return {
    release,
    discardIfNew() {
      if (made !== undefined) empty(folder);
      release();
    },
  };
}

/** @throws UsageError when another process has it, or was quicker. */
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

/** What a lock says; null when there is none, or none that is whole. */
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

/** Signal 0 is not sent; asking for it tells whether it could be. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes what is in a folder, but for the lock. */
function empty(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== LOCK);
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
}

/** What cannot be removed (a disk that is gone) is taken over later; the run has ended as it has. */
function removeIfPossible(lock: string): void {
  try {
    rmSync(lock, { force: true });
  } catch {}
}

/** Removes a folder and those above it that were made with it, as far as nothing is in them. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // Something is in it, or it is gone.
  }
}

function inUse(folder: string, holder: Holder | null): UsageError {
  const who = holder ? `process ${holder.pid}` : "another process";
  return new UsageError(
    `${folder} is in use: ${who} of this machine writes into it.`,
    `Wait until it has ended, or end it, or give another --out. If ${who} is something else by now, delete ${join(folder, LOCK)}.`,
  );
}
