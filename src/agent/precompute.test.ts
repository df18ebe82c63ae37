// Episodes whose skills are simulated in threads are those that are played without any.
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { loadEnv } from "../envs/index.ts";
import { PrimitiveSkill } from "../envs/primitive-skill/primitive-skill.ts";
import { computeJob, endThreads, provideThreads } from "../envs/threads.ts";
import type { Episode } from "./episodes.ts";
import { demonstrationBatch, randomPlayer } from "./players.ts";
import { rollout } from "./rollout.ts";
import { testTask } from "./test-task.ts";

beforeAll(() => loadEnv("primitive-skill"));
afterEach(() => provideThreads(null));

const episodes = [11, 12, 13].map(
  (seed, i): Episode => ({ id: `${i}`, seed, groupId: `${i}`, rngKey: 100 + i }),
);
const task = () => testTask("primitive-skill", { maxTurns: 2 }, { max_actions_per_step: 2 });

/** How many jobs were answered while something was played. */
async function answered<T>(play: () => Promise<T>): Promise<{ played: T; plans: number; skills: number }> {
  const count = { plans: 0, skills: 0 };
  provideThreads({
    count: 2,
    start: () => ({
      async compute(job) {
        const answer = await computeJob(structuredClone(job));
        const isPlan = "most" in (job.job as { wanted: object }).wanted;
        if (answer?.answer) count[isPlan ? "plans" : "skills"]++;
        return structuredClone(answer);
      },
      end: () => undefined,
    }),
  });
  return { played: await play(), ...count };
}

test("the plans of demonstrations, for every game of a turn", async () => {
  const skill = { randomFraction: 0.2, expertFraction: 0.8 };
  const play = () => demonstrationBatch({ task: task(), episodes, skill, oneTurn: false, seed: 2 });
  const alone = await play();
  const { played, plans } = await answered(play);
  expect(played).toEqual(alone);
  expect(plans).toBeGreaterThanOrEqual(episodes.length);
});

test("the actions of replies", async () => {
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 3 };
  const play = () => rollout({ task: task(), policy: randomPlayer(task()), episodes, sampling });
  const alone = await play();
  const { played, plans, skills } = await answered(play);
  expect(played).toEqual(alone);
  expect([plans, skills]).toEqual([0, 2 * episodes.length]);
});

test("a run that ended while threads computed leaves no game to simulate", async () => {
  const ended = new AbortController();
  provideThreads({
    count: 2,
    start: () => ({
      compute: () => {
        ended.abort(new Error("The run has ended."));
        endThreads();
        return new Promise(() => {});
      },
      end: () => undefined,
    }),
  });
  const step = vi.spyOn(PrimitiveSkill.prototype, "step");
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 3 };
  const options = { task: task(), policy: randomPlayer(task()), episodes, sampling, signal: ended.signal };
  await expect(rollout(options)).rejects.toThrow("The run has ended.");
  expect(step).not.toHaveBeenCalled();
});
