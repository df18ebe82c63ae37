// The threads of environments in a page: workers of the worker that trains or plays.
import { type ThreadAnswer, type ThreadHost, type ThreadJob, threadCount } from "../envs/threads.ts";

// An extension takes this name from its worker (seal.ts); threads run none of its code.
const { Worker } = globalThis;

/** Workers, as many as the processor is worth; null where it has one core. */
export function workerThreads(): ThreadHost | null {
  const count = threadCount(navigator.hardwareConcurrency);
  return count > 0 ? { count, start: startThread } : null;
}

function startThread() {
  const worker = new Worker(new URL("./env-thread.ts", import.meta.url), {
    type: "module",
    name: "simulation",
  });
  return {
    compute: (job: ThreadJob) =>
      new Promise<ThreadAnswer>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.onmessageerror = () => reject(new Error("A simulated answer could not be read."));
        worker.postMessage(job);
      }),
    end: () => worker.terminate(),
  };
}
