// The threads of environments in a page: workers of the worker that trains or plays.
import { type ThreadAnswer, type ThreadHost, type ThreadJob, threadCount } from "../envs/threads.ts";

// An extension takes this name from its worker (seal.ts); threads never run user code.
const { Worker } = globalThis;

/** A page shares the memory of its machine with others. */
const MOST_THREADS = 8;

/** Workers, as many as the processor is worth; null where it has one core. */
export function workerThreads(): ThreadHost | null {
  const count = threadCount(navigator.hardwareConcurrency, MOST_THREADS);
  return count > 0 ? { count, start: startThread } : null;
}

function startThread() {
  const worker = new Worker(new URL("./env-thread.ts", import.meta.url), {
    type: "module",
    name: "simulation",
  });
  return {
    compute: (job: ThreadJob) =>
      new Promise<ThreadAnswer | null>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => {
          // It would reach the page as an error of the worker that trains.
          event.preventDefault();
          reject(new Error(event.message));
        };
        worker.onmessageerror = () => reject(new Error("A simulated answer could not be read."));
        worker.postMessage(job);
      }),
    end: () => worker.terminate(),
  };
}
