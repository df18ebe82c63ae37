import { afterEach, expect, test } from "vitest";
import type { Env, EnvSpec } from "./env.ts";
import {
  endThreads,
  precompute,
  provideThreads,
  type Thread,
  type ThreadJob,
  threadCount,
} from "./threads.ts";

afterEach(() => provideThreads(null));

const env = {} as Env;

/** An environment whose jobs are numbers, and the answers that it got. */
function counting(jobs: readonly number[]) {
  const answers: unknown[] = [];
  const spec: Pick<EnvSpec, "id" | "precomputation"> = {
    id: "counting",
    precomputation: {
      precompute: async (_games, run) => void answers.push(...(await run(jobs))),
      compute: (job) => job,
    },
  };
  const games = [
    { env, spec, actions: [] },
    { env, spec, actions: [] },
  ];
  return { answers, play: () => precompute(games) };
}

/** Threads that answer with the double of a job's number. */
function doubling(count: number, compute: (job: number) => Promise<unknown> | unknown = (job) => 2 * job) {
  const seen = { started: 0, ended: 0, most: 0, running: 0 };
  const start = (): Thread => {
    seen.started++;
    return {
      async compute({ job }: ThreadJob) {
        seen.most = Math.max(seen.most, ++seen.running);
        try {
          await Promise.resolve();
          return { answer: await compute(job as number) };
        } finally {
          seen.running--;
        }
      },
      end: () => void seen.ended++,
    };
  };
  provideThreads({ count, start });
  return seen;
}

test("answers come in the order of the jobs, with no more threads than there may be", async () => {
  const seen = doubling(3, async (job) => {
    for (let i = 0; i < 20 - job; i++) await Promise.resolve();
    return 2 * job;
  });
  const { answers, play } = counting([1, 2, 3, 4, 5, 6, 7, 8]);
  await play();
  expect(answers).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
  expect(seen).toMatchObject({ started: 3, most: 3, ended: 0 });
});

test("threads are used again, and start again after they were ended", async () => {
  const seen = doubling(2);
  const { play } = counting([1, 2, 3]);
  await play();
  await play();
  expect(seen).toMatchObject({ started: 2, ended: 0 });
  endThreads();
  expect(seen.ended).toBe(2);
  const { answers, play: again } = counting([4, 5]);
  await again();
  expect(answers).toEqual([8, 10]);
  expect(seen.started).toBe(4);
});

test("the job of a thread that fails has no answer, and the others do its work", async () => {
  const seen = doubling(2, (job) => (job === 1 ? Promise.reject(new Error("out of memory")) : 2 * job));
  const { answers, play } = counting([1, 2, 3, 4]);
  await play();
  expect(answers).toEqual([undefined, 4, 6, 8]);
  expect(seen).toMatchObject({ started: 2, ended: 1 });
});

test.each([
  ["fail", () => doubling(2, () => Promise.reject(new Error("out of memory")))],
  ["cannot start", () => provideThreads({ count: 2, start: () => raise("no more threads") })],
])("no job waits for ever when all threads %s", async (_, provide) => {
  provide();
  const { answers, play } = counting([1, 2, 3, 4]);
  await play();
  expect(answers).toEqual([undefined, undefined, undefined, undefined]);
  await play();
  expect(answers).toHaveLength(8);
});

function raise(message: string): never {
  throw new Error(message);
}

test("no job waits for a thread that was ended while it computed", async () => {
  doubling(1, () => new Promise(() => {}));
  const { answers, play } = counting([1, 2]);
  const played = play();
  await Promise.resolve();
  endThreads();
  await played;
  expect(answers).toEqual([undefined, undefined]);
});

test("a single game is not worth a thread, nor is a processor with one core", async () => {
  const seen = doubling(2);
  const { precomputation, id } = {
    id: "counting",
    precomputation: { precompute: () => raise("asked"), compute: () => 0 },
  };
  await precompute([{ env, spec: { id, precomputation }, actions: [] }]);
  expect(seen.started).toBe(0);
  expect([1, 2, 8, 200].map((cores) => threadCount(cores, 16))).toEqual([0, 2, 8, 16]);
});
