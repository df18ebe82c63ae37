// The threads of environments on the command line.
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type ThreadAnswer, type ThreadHost, type ThreadJob, threadCount } from "../envs/threads.ts";

/** What threads run: `env-thread.ts`, bundled beside the command line without most of its packages, which would take 100 MiB a thread. */
const BUNDLE = "env-thread.js";

const MOST_THREADS = 16;

/**
 * Threads of Node, as many as the processor is worth; null where it has one core.
 * @param folder of the bundles.
 */
export function nodeThreads(folder = dirname(fileURLToPath(import.meta.url))): ThreadHost | null {
  const count = threadCount(availableParallelism(), MOST_THREADS);
  if (count === 0) return null;
  const bundle = join(folder, BUNDLE);
  const version = versionOf(bundle);
  return {
    count,
    start() {
      // A later command may have bundled other sources, which compute something else.
      if (versionOf(bundle) !== version) throw new Error(`${bundle} is not that of this process any more.`);
      return startThread(bundle);
    },
  };
}

/** What changes when a file is written again. */
function versionOf(file: string): string {
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}

function startThread(bundle: string) {
  const worker = new Worker(bundle);
  // The process may end while a thread waits for a job.
  worker.unref();
  return {
    compute: (job: ThreadJob) => answerOf(worker, job).finally(() => worker.unref()),
    end: () => void worker.terminate(),
  };
}

const answerOf = (worker: Worker, job: ThreadJob): Promise<ThreadAnswer | null> =>
  new Promise((resolve, reject) => {
    worker.ref();
    worker.removeAllListeners();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("A thread has ended.")));
    worker.postMessage(job);
  });
