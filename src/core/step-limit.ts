// The steps that a call of an extension may take: rounds of its loops and calls of its functions. `extension/count-steps.ts` makes its
// modules count them. A count gives the same result on every machine; the clock only ends what would hang for minutes.
import { platformClock } from "./clock.ts";

/** Most steps of one call: about a second, if they are short. */
export const MOST_STEPS = 50_000_000;
/** Longest time of one call in milliseconds. */
const LONGEST_MS = 30_000;
/**
 * Longest time of a trial in milliseconds, which reads an extension and checks its environments where it can do no harm: of its processor on
 * the command line, where other programs may keep the machine busy, and of the clock in the page.
 */
export const LONGEST_TRIAL_MS = 10_000;
/** What helps when a trial takes longer. */
export const LONG_TRIAL_HINT =
  "Look for a loop or a regular expression without an end: in the module itself, or in start, step, where or plan of an environment. Where the search for plans takes that long, give the environment a plan(state).";
/** The clock is read once in so many steps. */
const BETWEEN_READINGS = 2 ** 12;

/** The global variable through which a module counts, because it has no imports. */
export const STEPS = "vagenStudioSteps";

/** What a call throws when it has used up its steps or its time. */
export class StepLimitError extends Error {
  override readonly name = "StepLimitError";
}

const used = {
  steps: () =>
    `it did not end within ${MOST_STEPS / 1e6} million steps (rounds of its loops and calls of its functions)`,
  time: () => `it did not end within ${LONGEST_MS / 1000} seconds`,
};

const steps = {
  left: MOST_STEPS,
  began: 0,
  take(): void {
    // It stays below 0: code that catches the error fails again with its next step.
    if (--this.left < 0) throw new StepLimitError(used.steps());
    if (this.left % BETWEEN_READINGS !== 0 || platformClock.now() - this.began < LONGEST_MS) return;
    this.left = 0;
    throw new StepLimitError(used.time());
  },
};
(globalThis as Record<string, unknown>)[STEPS] = steps;

/** Gives code that runs next all its steps. */
export function restoreSteps(): void {
  Object.assign(steps, { left: MOST_STEPS, began: platformClock.now() });
}

/**
 * Calls a function of an extension, with all steps to spend. What an async function does later has none left, and its error is nobody's.
 * @throws StepLimitError, and what the call throws
 */
export function withinSteps<T>(call: () => T): T {
  restoreSteps();
  try {
    const result = call();
    if (result instanceof Promise) result.catch(() => undefined);
    return result;
  } finally {
    steps.left = 0;
  }
}
