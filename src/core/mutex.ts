// A few tasks at a time, or one.

export interface Mutex {
  /** Runs `task` when there is a place for it, after all tasks that came earlier have begun. A task that fails frees its place too. */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** Runs one task at a time. */
export const createMutex = (): Mutex => createSemaphore(1);

/** Runs up to `places` tasks at a time, in the order in which they come. */
export function createSemaphore(places: number): Mutex {
  const waiting: (() => void)[] = [];
  let free = places;
  const next = () => {
    if (free === 0 || waiting.length === 0) return;
    free--;
    waiting.shift()!();
  };
  const place = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      next();
    });
  const leave = () => {
    free++;
    next();
  };
  return { run: (task) => place().then(task).finally(leave) };
}
