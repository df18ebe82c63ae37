// Threads that simulate for environments. The host of a run provides them; without any, environments simulate when they are asked.
import type { EnvSpec, Upcoming } from "./env.ts";
import { envs } from "./registry.ts";

/** A thread that can answer jobs of environments with `computeJob`. */
export interface Thread {
  /** Answers a job; it is given one at a time. Rejects, or resolves to null, when the thread is of no further use. */
  compute(job: ThreadJob): Promise<ThreadAnswer | null>;
  end(): void;
}

/** Part of an environment's work, as plain data that can be sent to a thread. */
export interface ThreadJob {
  /** The id of the environment. */
  env: string;
  job: unknown;
}

/** What became of a job: the environment's answer, or nothing where it failed. */
export type ThreadAnswer = { answer: unknown } | { answer?: never };

/** Where threads come from. */
export interface ThreadHost {
  /** How many may run at a time. */
  readonly count: number;
  start(): Thread;
}

/**
 * How many threads are worth starting on a processor with so many cores; 0 where they would take turns with the caller.
 * @param most for the sake of memory: every thread loads what its environments need. With MuJoCo, one of Node takes some 90 MiB.
 */
export const threadCount = (cores: number, most: number): number => (cores < 2 ? 0 : Math.min(cores, most));

let pool: Pool | null = null;

/** Lets environments use a host's threads, which start when they are first needed. Null: no threads. */
export function provideThreads(host: ThreadHost | null): void {
  pool?.end();
  pool = host && host.count > 0 ? new Pool(host) : null;
}

/** Ends the threads that have started. They start again when they are needed. */
export const endThreads = (): void => pool?.end();

/**
 * Computes what games are about to do, in parallel, where their environments can and the host has threads. No result depends on it: what
 * threads have not computed, because they failed or were ended, is computed by the game itself.
 */
export async function precompute(
  games: readonly (Upcoming & { spec: Pick<EnvSpec, "id" | "precomputation"> })[],
): Promise<void> {
  const { run } = pool ?? {};
  if (!run || games.length < 2) return;
  await Promise.all(
    [...new Set(games.map(({ spec }) => spec))].map((spec) =>
      spec.precomputation?.precompute(
        games.filter((game) => game.spec === spec),
        (jobs) => Promise.all(jobs.map((job) => run({ env: spec.id, job }))),
      ),
    ),
  );
}

/** Answers a job; a thread calls it. Resolves to null where nothing can be loaded, so that the thread is of no use. */
export async function computeJob({ env, job }: ThreadJob): Promise<ThreadAnswer | null> {
  const spec = envs.get(env);
  try {
    await spec.load?.();
  } catch {
    return null;
  }
  try {
    return { answer: spec.precomputation?.compute(job) };
  } catch {
    // The game computes the same, and reports why that fails.
    return {};
  }
}

interface Waiting {
  job: ThreadJob;
  /** Called once. */
  resolve: (answer: unknown) => void;
}

/** Hands jobs to threads in the order in which they come. */
class Pool {
  private readonly queue: Waiting[] = [];
  private idle: Thread[] = [];
  private readonly busy = new Map<Thread, Waiting>();
  /** How many threads have failed. They are not replaced. */
  private failed = 0;

  constructor(private readonly host: ThreadHost) {}

  /** Resolves to the answer; undefined where there is none. */
  run = (job: ThreadJob): Promise<unknown> =>
    new Promise((resolve) => {
      this.queue.push({ job, resolve });
      this.next();
    });

  /** Ends all threads. What they compute, and what waits for them, has no answer. */
  end(): void {
    for (const thread of [...this.idle, ...this.busy.keys()]) thread.end();
    for (const { resolve } of this.busy.values()) resolve(undefined);
    this.idle = [];
    this.busy.clear();
    this.failed = 0;
    this.giveUp();
  }

  private next(): void {
    while (this.queue.length > 0) {
      const thread = this.idle.pop() ?? this.start();
      if (!thread) break;
      void this.serve(thread, this.queue.shift()!);
    }
    if (this.failed >= this.host.count) this.giveUp();
  }

  /** Another thread; null where there can be no more. */
  private start(): Thread | null {
    while (this.busy.size + this.failed < this.host.count) {
      try {
        return this.host.start();
      } catch {
        this.failed++;
      }
    }
    return null;
  }

  private async serve(thread: Thread, waiting: Waiting): Promise<void> {
    this.busy.set(thread, waiting);
    const answer = await thread.compute(waiting.job).catch(() => null);
    // It has been ended in the meantime, and has no place among those that started later.
    if (this.busy.get(thread) !== waiting) return;
    this.busy.delete(thread);
    if (answer) this.idle.push(thread);
    else this.lose(thread);
    waiting.resolve(answer?.answer);
    this.next();
  }

  private lose(thread: Thread): void {
    this.failed++;
    thread.end();
  }

  private giveUp(): void {
    for (const { resolve } of this.queue.splice(0)) resolve(undefined);
  }
}
