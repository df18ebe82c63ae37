// Progress of work that takes a while, told between the pulls of a generator.
import { deferred } from "../core/deferred.ts";
import type { TrainingFact } from "./events.ts";

/**
 * Does `work` and yields `event(done)`: with 0 before it begins, then whenever more is done. Steps that happen at once
 * are told together.
 */
export async function* withProgress<T>(
  event: (done: number) => TrainingFact,
  work: (step: () => void) => Promise<T>,
): AsyncGenerator<TrainingFact, T> {
  yield event(0);
  let done = 0;
  let news = deferred();
  const result = work(() => {
    done++;
    news.resolve();
  });
  const over = result.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, news.promise.then(() => false)]))) {
    news = deferred();
    yield event(done);
  }
  return await result;
}
