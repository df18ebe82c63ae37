// Skills that threads simulate are those that a game simulates itself, to the last bit.
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { loadEnv } from "../index.ts";
import { computeJob, precompute, provideThreads, type ThreadJob } from "../threads.ts";
import { config } from "./config.ts";
import golden from "./golden/states.json" with { type: "json" };
import { goldenGames, playGolden } from "./golden.ts";
import { primitiveSkill } from "./index.ts";
import { PrimitiveSkill } from "./primitive-skill.ts";
import type { SkillJob } from "./simulate.ts";
import { TASK_IDS, type TaskId } from "./task-ids.ts";

beforeAll(() => loadEnv("primitive-skill"));
afterEach(() => provideThreads(null));

/** Threads in name only: jobs and answers are copied as messages are, and computed here. Returns the jobs that get an answer. */
function copying(): SkillJob[] {
  const jobs: SkillJob[] = [];
  const compute = async (job: ThreadJob) => {
    const answer = await computeJob(structuredClone(job));
    // Without an answer, the game would simulate everything itself, and come to the same.
    if (answer?.answer) jobs.push(job.job as SkillJob);
    return structuredClone(answer);
  };
  provideThreads({ count: 2, start: () => ({ compute, end: () => undefined }) });
  return jobs;
}

const gameOf = (task: TaskId, seed: number): PrimitiveSkill => {
  const env = new PrimitiveSkill(config.parse({ env_id: task }));
  env.reset(seed);
  return env;
};

const prepare = (envs: readonly PrimitiveSkill[], what: { actions?: readonly string[]; plan?: number }) =>
  precompute(envs.map((env) => ({ env, spec: primitiveSkill, ...what })));

/** All that a game says of itself. */
const shown = (env: PrimitiveSkill) => [env.save(), env.state(), env.snapshot(), env.moments()];

// The last pushes into the table, and the hand does not get through; the text after it is no skill.
const ACTIONS = ["pick(12,-40,20)", "place(80.5,100,25)", "push(-50,0,-400,60,0,20)", "jump(1)"];

test.each(TASK_IDS)("%s: steps that were precomputed are the steps of the game", async (task) => {
  const seeds = [3, 4];
  const alone = seeds.map((seed) => gameOf(task, seed));
  const ahead = seeds.map((seed) => gameOf(task, seed));
  const jobs = copying();
  await prepare(ahead, { actions: ACTIONS });
  expect(jobs).toHaveLength(2);
  for (const [i, env] of ahead.entries())
    for (const action of ACTIONS.slice(0, 3)) {
      expect(env.step(action)).toEqual(alone[i].step(action));
      expect(shown(env)).toEqual(shown(alone[i]));
    }
});

test("whole episodes that were precomputed come to the stored states", async () => {
  const games = goldenGames();
  const jobs = copying();
  await precompute(games.map(({ env, skills }) => ({ env, actions: skills, spec: primitiveSkill })));
  expect(jobs).toHaveLength(TASK_IDS.length);
  expect(games.map(({ env, skills }) => env.jobFor({ env, actions: skills }))).toEqual(
    TASK_IDS.map(() => null),
  );
  expect(playGolden(games)).toEqual(golden);
});

test("a plan that was precomputed is the plan of the game, and its steps are not simulated again", async () => {
  const alone = [gameOf("StackThreeCube", 7), gameOf("StackThreeCube", 8)];
  const ahead = [gameOf("StackThreeCube", 7), gameOf("StackThreeCube", 8)];
  const jobs = copying();
  await prepare(ahead, { plan: 2 });
  expect(jobs).toHaveLength(2);
  const plans = ahead.map((env) => env.oracle(2));
  expect(plans).toEqual(alone.map((env) => env.oracle(2)));
  const [plan] = plans;
  expect(ahead[0].jobFor({ env: ahead[0], actions: plan! })).toBeNull();
  for (const action of plan!) expect(ahead[0].step(action)).toEqual(alone[0].step(action));
  expect(shown(ahead[0])).toEqual(shown(alone[0]));
});

test("only what is not known is simulated, and nothing for a game that is over", async () => {
  const env = gameOf("AlignTwoCube", 5);
  const [first, ...rest] = env.oracle()!;
  const job = env.jobFor({ env, actions: [first!, "pick(0,0,20)"] });
  expect(job?.wanted).toEqual([{ name: "pick", points: [[0, 0, 20]] }]);
  expect(job?.state).not.toEqual(env.save().state);
  for (const action of [first!, ...rest]) env.step(action);
  expect(env.jobFor({ env, actions: ["pick(0,0,20)"] })).toBeNull();
});

test("what is known of a plan is not simulated again", async () => {
  const [env, other] = [gameOf("StackThreeCube", 7), gameOf("StackThreeCube", 8)];
  const [first] = env.oracle(2)!;
  env.step(first!);
  // The second skill is known, and only what follows is left.
  const job = env.jobFor({ env, plan: 4 });
  expect(job?.wanted).toEqual({ most: 10 - 2, needed: 4 - 1 });
  expect(env.jobFor({ env, plan: 1 })).toBeNull();
  copying();
  await prepare([env, other], { plan: 4 });
  expect(env.jobFor({ env, plan: 4 })).toBeNull();
});

test("nothing is simulated that can no longer be played", () => {
  const env = new PrimitiveSkill(config.parse({ env_id: "AlignTwoCube", max_steps: 1 }));
  env.reset(3);
  expect(env.jobFor({ env, actions: ACTIONS })?.wanted).toHaveLength(1);
});

test("a job that throws has no answer, and where nothing can be loaded there is no thread", async () => {
  const load = vi.spyOn(primitiveSkill, "load");
  const job = { env: "primitive-skill", job: null };
  expect(await computeJob(job)).toEqual({});
  load.mockRejectedValueOnce(new Error("offline"));
  expect(await computeJob(job)).toBeNull();
});
