// One task at a time.

export interface Mutex {
  /** Runs `task` when all earlier tasks have ended, whether they succeeded or not. */
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
