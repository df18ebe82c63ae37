// One tab trains a run: two that wrote into one folder would damage each other's checkpoints and log.
import { ProtocolError } from "../core/errors.ts";

/** Holds the right to train for this worker; the browser releases what a closed tab held. */
export interface RunLocks {
  /** Resolves to a function that releases it. @throws ProtocolError("busy") when a tab trains already. */
  hold(runId: string): Promise<() => void>;
  /** The run that some tab trains, this one included; null when none does. */
  held(): Promise<string | null>;
}

/** Where only one program can reach the files: every run is free. */
export const noLocks: RunLocks = { hold: async () => () => {}, held: async () => null };

/** Exclusive between all tabs: who holds it trains. */
const TRAINING = "vagen-studio training";
/** Held beside it under a name that ends in the run's id, so that other tabs can say which run it is. */
const RUN = "vagen-studio run ";

/** What is used of `navigator.locks`. */
export type Locks = Pick<LockManager, "request" | "query">;

/** How often to try before refusing: after a reload, the worker of the page before may take a moment to end. */
interface Patience {
  tries: number;
  everyMs: number;
}

/**
 * Locks between the tabs of a browser. Only one tab may train, whichever run it is: they share one GPU, and both would be
 * slower than one after the other.
 */
export function tabLocks(locks: Locks | undefined, patience: Patience = { tries: 1, everyMs: 0 }): RunLocks {
  if (!locks) return noLocks;
  /** The browser releases a lock a moment after it was asked to; the next run of this tab must not find its own lock. */
  let released: Promise<unknown> = Promise.resolve();
  return {
    async hold(runId) {
      await released;
      const training = await orDenied(takeWithPatience(locks, TRAINING, patience), NOTHING_HELD);
      if (!training) throw openElsewhere((await heldRun(locks)) ?? "", runId);
      // It only says which run it is, so training does not depend on it.
      const run = (await take(locks, RUN + runId).catch(() => null)) ?? NOTHING_HELD;
      return () => {
        released = Promise.all([training.gone, run.gone]);
        run.release();
        training.release();
      };
    },
    async held() {
      await released;
      return orDenied(heldRun(locks), null);
    },
  };
}

/** Where site data is blocked, the browser denies locks. Tabs then share no files either, so each may train. */
async function orDenied<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as DOMException).name === "SecurityError") return instead;
    throw error;
  }
}

/** The id of the run that some tab trains; empty in the moment in which its tab has not said yet which one. */
async function heldRun(locks: Locks): Promise<string | null> {
  const { held = [] } = await locks.query();
  if (!held.some(({ name }) => name === TRAINING)) return null;
  return held.find(({ name }) => name?.startsWith(RUN))?.name?.slice(RUN.length) ?? "";
}

interface HeldLock {
  release: () => void;
  /** Resolves when the browser has released it. */
  gone: Promise<unknown>;
}

const NOTHING_HELD: HeldLock = { release: () => {}, gone: Promise.resolve() };

/** The lock, or null when it is still held after waiting. */
async function takeWithPatience(
  locks: Locks,
  name: string,
  { tries, everyMs }: Patience,
): Promise<HeldLock | null> {
  const lock = await take(locks, name);
  if (lock || tries <= 1) return lock;
  await new Promise((resolve) => setTimeout(resolve, everyMs));
  return takeWithPatience(locks, name, { tries: tries - 1, everyMs });
}

/** The lock, or null when it is held. It is held for as long as the promise inside the request is open. */
function take(locks: Locks, name: string): Promise<HeldLock | null> {
  return new Promise((resolve, reject) => {
    const gone: Promise<unknown> = locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
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
      : `Another tab is training${held && ` the run ${held}`}; only one tab trains at a time.`,
    "Stop the run there or close that tab, then try again.",
  );
}
