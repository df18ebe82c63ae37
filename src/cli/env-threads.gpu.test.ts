// The threads of the command line, as they are bundled.
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { ensureBundle } from "../../scripts/lib/headless.mjs";
import { loadEnv } from "../envs/index.ts";
import { goldenGames } from "../envs/primitive-skill/golden.ts";
import { primitiveSkill } from "../envs/primitive-skill/index.ts";
import { TASK_IDS } from "../envs/primitive-skill/task-ids.ts";
import { computeJob, endThreads, precompute, provideThreads, type ThreadJob } from "../envs/threads.ts";
import { nodeThreads } from "./env-threads.ts";

const root = join(import.meta.dirname, "../..");
const bundles = join(root, "dist-cli");

beforeAll(ensureBundle);
beforeAll(() => loadEnv("primitive-skill"));
afterEach(() => provideThreads(null));

/** Which of the golden games still have skills to simulate after threads had a chance. */
async function leftOver(): Promise<string[]> {
  const games = goldenGames();
  await precompute(games.map(({ env, skills }) => ({ env, actions: skills, spec: primitiveSkill })));
  return games.filter(({ env, skills }) => env.jobFor({ env, actions: skills })).map(({ id }) => id);
}

test("a thread answers a job of PrimitiveSkill as the environment does", async () => {
  const [{ env, skills }] = goldenGames();
  const job: ThreadJob = { env: "primitive-skill", job: env.jobFor({ env, actions: skills }) };
  const thread = nodeThreads(bundles)!.start();
  try {
    expect(await thread.compute(job)).toEqual(await computeJob(job));
    expect(await thread.compute(job)).toMatchObject({ answer: skills.map((action) => ({ action })) });
  } finally {
    thread.end();
  }
});

test("threads simulate all games, and again after they were ended while they computed", async () => {
  provideThreads(nodeThreads(bundles));
  expect(await leftOver()).toEqual([]);
  const ended = leftOver();
  await Promise.resolve();
  endThreads();
  expect((await ended).length).toBeGreaterThan(0);
  expect(await leftOver()).toEqual([]);
});

test("no thread starts from a bundle that is missing, or was made again since", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vagen-threads-"));
  provideThreads(nodeThreads(folder));
  expect(await leftOver()).toEqual(TASK_IDS);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await copyFile(join(bundles, "env-thread.js"), join(folder, "env-thread.js"));
  expect(await leftOver()).toEqual(TASK_IDS);
  provideThreads(nodeThreads(folder));
  expect(await leftOver()).toEqual([]);
});
