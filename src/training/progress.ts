// Yields the progress of a promise from a generator.
import { deferred } from "../core/deferred.ts";
import type { TrainingFact } from "./events.ts";

/**
 * Runs `work` and yields `event(done)`: first with 0, then after each call of `step`. Simultaneous steps are merged.
 */
export async function* withProgress<T>(
  event: (done: number) => TrainingFact,
  work: (step: () => void) => Promise<T>,
): AsyncGenerator<TrainingFact, T> {
  yield event(0);
  let done = 0;
  let stepped = deferred();
  const result = work(() => {
    done++;
    stepped.resolve();
  });
  const settled = result.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([settled, stepped.promise.then(() => false)]))) {
    stepped = deferred();
    yield event(done);
  }
  return await result;
}
