// One tab trains a run: two that wrote into one folder would damage each other's checkpoints and log.
import { ProtocolError } from "../core/errors.ts";

/** Holds runs for this worker; the browser lets go of what a closed tab held. */
export interface RunLocks {
  /** Resolves to the way to let go. @throws ProtocolError("busy") when a run is held already. */
  hold(runId: string): Promise<() => void>;
  /** The run that some tab holds, this one included. */
  held(): Promise<string | null>;
}

/** Where only one program can reach the files: every run is free. */
export const noLocks: RunLocks = { hold: async () => () => {}, held: async () => null };

const NAME = "vagen-studio run ";

/** What is used of `navigator.locks`. */
export type Locks = Pick<LockManager, "request" | "query">;

/** How often to ask before refusing: after a reload, the worker of the page before may take a moment to end. */
export interface Patience {
  tries: number;
  everyMs: number;
}

/**
 * Locks between the tabs of a browser. Only one tab may hold a run, whichever it is: they share one GPU, and both would
 * be slower than one after the other.
 */
export function tabLocks(locks: Locks | undefined, patience: Patience = { tries: 1, everyMs: 0 }): RunLocks {
  if (!locks) return noLocks;
  /** The browser lets go a moment after it was asked to; the next run of this tab must not find its own lock. */
  let released: Promise<unknown> = Promise.resolve();
  return {
    async hold(runId) {
      await released;
      const other = await stillHeld(locks, patience);
      if (other !== null) throw openElsewhere(other, runId);
      const lock = await take(locks, runId);
      return () => {
        released = lock.gone;
        lock.release();
      };
    },
    async held() {
      await released;
      return heldRun(locks);
    },
  };
}

async function heldRun(locks: Locks): Promise<string | null> {
  const { held = [] } = await locks.query();
  const name = held.find((lock) => lock.name?.startsWith(NAME))?.name;
  return name === undefined ? null : name.slice(NAME.length);
}

/** The run that is held even after waiting. */
async function stillHeld(locks: Locks, { tries, everyMs }: Patience): Promise<string | null> {
  const held = await heldRun(locks);
  if (held === null || tries <= 1) return held;
  await new Promise((resolve) => setTimeout(resolve, everyMs));
  return stillHeld(locks, { tries: tries - 1, everyMs });
}

interface HeldLock {
  release: () => void;
  /** Resolves when the browser has let go. */
  gone: Promise<unknown>;
}

/** The lock is held for as long as the promise inside it is open. */
function take(locks: Locks, runId: string): Promise<HeldLock> {
  return new Promise((resolve, reject) => {
    const gone: Promise<unknown> = locks.request(NAME + runId, { ifAvailable: true }, (lock) => {
      // Another tab was quicker, between the question and this.
      if (!lock) throw openElsewhere(runId, runId);
      return new Promise<void>((release) => resolve({ release, gone: Promise.resolve().then(() => gone) }));
    });
    gone.catch(reject);
  });
}

/** What to say when a run cannot be had because of `held`. */
export function openElsewhere(held: string, wanted: string): ProtocolError {
  return new ProtocolError(
    "busy",
    held === wanted
      ? `The run ${wanted} is open in another tab.`
      : `Another tab is training the run ${held}; only one tab trains at a time.`,
    "Stop the run there or close that tab, then try again.",
  );
}
