// The threads of environments on the command line.
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type ThreadAnswer, type ThreadHost, type ThreadJob, threadCount } from "../envs/threads.ts";

/** What threads run: `env-thread.ts`, bundled beside the command line without most of its packages, which would take 100 MiB a thread. */
const THREAD = "env-thread.js";

/** Threads of Node, as many as the processor is worth; null where it has one core. */
export function nodeThreads(): ThreadHost | null {
  const count = threadCount(availableParallelism());
  return count > 0 ? { count, start: startThread } : null;
}

function startThread() {
  const worker = new Worker(join(dirname(fileURLToPath(import.meta.url)), THREAD));
  // The process may end while a thread waits for a job.
  worker.unref();
  return {
    compute: (job: ThreadJob) => answerOf(worker, job).finally(() => worker.unref()),
    end: () => void worker.terminate(),
  };
}

const answerOf = (worker: Worker, job: ThreadJob): Promise<ThreadAnswer> =>
  new Promise((resolve, reject) => {
    worker.ref();
    worker.removeAllListeners();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("A thread has ended.")));
    worker.postMessage(job);
  });
