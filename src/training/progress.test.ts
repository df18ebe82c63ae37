import { expect, test } from "vitest";
import type { TrainerEvent } from "./events.ts";
import { withProgress } from "./progress.ts";

const event = (done: number): TrainerEvent => ({
  type: "phase",
  stage: "ppo",
  update: 1,
  phase: "rollout",
  done,
  of: 5,
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

test("tells of steps as they are done, those at once together, and gives the result", async () => {
  const told: unknown[] = [];
  const work = withProgress(event, async (step) => {
    for (const steps of [2, 1, 2]) {
      for (let i = 0; i < steps; i++) step();
      await pause();
    }
    return "done";
  });
  let next = await work.next();
  for (; !next.done; next = await work.next()) told.push((next.value as { done: number }).done);
  expect(told).toEqual([0, 2, 3, 5]);
  expect(next.value).toBe("done");
});

test("fails as the work fails", async () => {
  const work = withProgress(event, () => Promise.reject(new Error("lost")));
  expect((await work.next()).done).toBe(false);
  await expect(work.next()).rejects.toThrow("lost");
});
