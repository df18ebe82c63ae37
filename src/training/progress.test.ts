import { expect, test } from "vitest";
import type { TrainingFact } from "./events.ts";
import { withProgress } from "./progress.ts";

const event = (done: number): TrainingFact => ({
  type: "phase",
  stage: "ppo",
  update: 1,
  phase: "rollout",
  done,
  of: 5,
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

test("yields completed steps, merges simultaneous ones, and returns the result", async () => {
  const yielded: unknown[] = [];
  const work = withProgress(event, async (step) => {
    for (const steps of [2, 1, 2]) {
      for (let i = 0; i < steps; i++) step();
      await pause();
    }
    return "done";
  });
  let next = await work.next();
  for (; !next.done; next = await work.next()) yielded.push((next.value as { done: number }).done);
  expect(yielded).toEqual([0, 2, 3, 5]);
  expect(next.value).toBe("done");
});

test("fails as the work fails", async () => {
  const work = withProgress(event, () => Promise.reject(new Error("lost")));
  expect((await work.next()).done).toBe(false);
  await expect(work.next()).rejects.toThrow("lost");
});
