// Locks that let only one tab train: two tabs writing to one folder would damage each other's checkpoints and log.
import { ProtocolError } from "../core/errors.ts";

/** The lock that a tab holds while it trains; the browser releases the lock of a closed tab. */
export interface RunLocks {
  /** Resolves to a release function. @throws ProtocolError("busy") if another tab is training. */
  hold(runId: string): Promise<() => void>;
  /** The id of the run that a tab is training, this one included, or null. */
  held(): Promise<string | null>;
}

/** No locking, for files that only one program can reach. */
export const noLocks: RunLocks = { hold: async () => () => {}, held: async () => null };

/** The tab that holds this lock may train. */
const TRAINING = "vagen-studio training";
/** A second lock whose name ends in the run's id, so that other tabs can name the run. */
const RUN = "vagen-studio run ";

/** The used part of `navigator.locks`. */
export type Locks = Pick<LockManager, "request" | "query">;

/** How often to try: after a reload, the worker of the previous page may take a moment to end. */
interface Patience {
  tries: number;
  everyMs: number;
}

/**
 * Locks between the tabs of a browser. Only one tab may train, whichever the run: tabs share one GPU, and two runs at once
 * would be slower than one after the other.
 */
export function tabLocks(locks: Locks | undefined, patience: Patience = { tries: 1, everyMs: 0 }): RunLocks {
  if (!locks) return noLocks;
  /** The browser releases locks with a delay; the next run of this tab must not find its own lock. */
  let released: Promise<unknown> = Promise.resolve();
  return {
    async hold(runId) {
      await released;
      const training = await orDenied(takeWithPatience(locks, TRAINING, patience), NOTHING_HELD);
      if (!training) throw openElsewhere((await heldRun(locks)) ?? "", runId);
      // Only names the run, so training does not depend on it.
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

/** If site data is blocked, the browser denies locks. Tabs then share no files either, so each may train. */
async function orDenied<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as DOMException).name === "SecurityError") return instead;
    throw error;
  }
}

/** The id of the run that a tab is training; empty until that tab has taken the second lock. */
async function heldRun(locks: Locks): Promise<string | null> {
  const { held = [] } = await locks.query();
  if (!held.some(({ name }) => name === TRAINING)) return null;
  return held.find(({ name }) => name?.startsWith(RUN))?.name?.slice(RUN.length) ?? "";
}

interface HeldLock {
  release: () => void;
  /** Resolves when the browser has released the lock. */
  gone: Promise<unknown>;
}

const NOTHING_HELD: HeldLock = { release: () => {}, gone: Promise.resolve() };

/** The lock, or null if it is still held after waiting. */
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

/** The lock, or null if it is held. It is held as long as the promise inside the request is pending. */
function take(locks: Locks, name: string): Promise<HeldLock | null> {
  return new Promise((resolve, reject) => {
    const gone: Promise<unknown> = locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((release) => resolve({ release, gone: Promise.resolve().then(() => gone) }));
    });
    gone.catch(reject);
  });
}

/** The error for a run that cannot be used because another tab is training `held`. */
export function openElsewhere(held: string, wanted: string): ProtocolError {
  return new ProtocolError(
    "busy",
    held === wanted
      ? `The run ${wanted} is open in another tab.`
      : `Another tab is training${held && ` the run ${held}`}; only one tab can train at a time.`,
    "Stop the run there or close that tab, then try again.",
  );
}
