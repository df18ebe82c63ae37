// Time as the runtime sees it, so that tests can let minutes pass.

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
