// A thread of the command line that simulates, as it is bundled.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { beforeAll, expect, test } from "vitest";
import { ensureBundle } from "../../scripts/lib/headless.mjs";
import { loadEnv } from "../envs/index.ts";
import { goldenGames } from "../envs/primitive-skill/golden.ts";
import { computeJob, type ThreadJob } from "../envs/threads.ts";

const bundle = join(import.meta.dirname, "../../dist-cli/env-thread.js");

beforeAll(ensureBundle);
beforeAll(() => loadEnv("primitive-skill"));

test("answers a job of PrimitiveSkill as the environment does", async () => {
  const [{ env, skills }] = goldenGames();
  const job: ThreadJob = { env: "primitive-skill", job: env.jobFor({ env, actions: skills }) };
  const thread = new Worker(bundle);
  try {
    const answer = new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
    thread.postMessage(job);
    expect(await answer).toEqual(await computeJob(job));
    expect(await answer).toMatchObject({ answer: skills.map((action) => ({ action })) });
  } finally {
    await thread.terminate();
  }
});
