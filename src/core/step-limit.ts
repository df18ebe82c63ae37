// The steps that a call of an extension may take: rounds of its loops and calls of its functions. `extension/count-steps.ts` makes its
// modules count them. A count gives the same result on every machine; a clock would not.

/** Most steps of one call: about a second. */
export const MOST_STEPS = 50_000_000;

/** The name under which a module finds `steps`, because it has no imports: of a symbol of the global object. */
export const STEPS_KEY = "vagen-studio.extension-steps";

/** What a call throws when it has used up its steps. */
export class StepLimitError extends Error {
  override readonly name = "StepLimitError";
  constructor() {
    super(
      `it did not end within ${MOST_STEPS / 1e6} million steps (rounds of its loops and calls of its functions)`,
    );
  }
}

const steps = {
  left: MOST_STEPS,
  take(): void {
    // It stays below 0: code that catches the error fails again with its next step.
    if (--this.left < 0) throw new StepLimitError();
  },
};
(globalThis as Record<symbol, unknown>)[Symbol.for(STEPS_KEY)] = steps;

/** Calls a function of an extension, with all steps to spend. @throws StepLimitError, and what the call throws */
export function withinSteps<T>(call: () => T): T {
  steps.left = MOST_STEPS;
  return call();
}
