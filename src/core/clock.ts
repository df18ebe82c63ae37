// Time, as an object, so that tests can let minutes pass.

// Every platform has it; the pure layers are compiled without the types of any.
declare const setTimeout: (callback: () => void, ms: number) => unknown;

export interface Clock {
  /** Milliseconds; only differences matter, except that `run_started` shows it as epoch time. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The clock of the page, its worker and Node. */
export const platformClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
