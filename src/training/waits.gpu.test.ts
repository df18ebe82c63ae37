// How often an update waits for the device. On a graphics card a wait costs what hundreds of dispatches do.
import { expect, it, vi } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { samplingOf } from "./hyperparameters.ts";
import { train } from "./trainer.ts";

const TURNS = 5;

const configOf = (micro_batch_tokens: number, train_batch_size = 4) =>
  RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
    rollout: { train_batch_size, max_turns: TURNS, response_length: 40 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 0, train_batch_size: 2 },
    actor: { ppo_mini_batch_size: 2, ppo_epochs: 2 },
    trainer: { total_updates: 3, test_freq: 0, val_size: 2, save_freq: 3, micro_batch_tokens },
  });

it("plays a turn in one submission and one wait, and prefills beforehand what one micro-batch cannot hold", async () => {
  const whole = await submissionsOf(configOf(2048, 32));
  expect(whole.submitted).toBe(whole.waited);
  expect(whole.waited).toBeLessThanOrEqual(TURNS);
  const parts = await submissionsOf(configOf(256, 32));
  expect(parts.submitted).toBeGreaterThan(parts.waited);
  expect(parts.waited).toBe(whole.waited);
});

/** Submissions and waits of a played batch. */
async function submissionsOf(config: RunConfig): Promise<{ submitted: number; waited: number }> {
  const run = await buildRun("submissions", config, await requestNodeGpu());
  const { gpu } = run.engine;
  await run.policy.prepare();
  const submitted = vi.spyOn(gpu.device.queue, "submit");
  const waited = vi.spyOn(gpu, "readParts");
  const count = config.rollout.train_batch_size;
  const seeds = Array.from({ length: count }, (_, i) => i);
  await play({
    task: run.task,
    policy: run.policy,
    episodes: trainingEpisodes({ seeds, runSeed: 1, update: 1, count, perLevel: 1 }),
    sampling: samplingOf(config, 1),
  });
  const counts = { submitted: submitted.mock.calls.length, waited: waited.mock.calls.length };
  submitted.mockRestore();
  run.dispose();
  return counts;
}

it("waits at most eight times in an update of five turns, four steps and a KL to the ref policy", async () => {
  const run = await buildRun("waits", configOf(512), await requestNodeGpu());
  const { gpu } = run.engine;
  const waits = [vi.spyOn(gpu, "settle"), vi.spyOn(gpu, "read"), vi.spyOn(gpu, "readParts")];
  const made = () => waits.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const each: { waits: number; turns: number; steps: number }[] = [];
  const step = vi.spyOn(run.engine, "step");
  let [waited, stepped] = [made(), 0];
  for await (const fact of train(run, new AbortController().signal, "all")) {
    if (fact.type !== "metrics") continue;
    const turns = fact.values["num_turns/mean"] ?? 0;
    each.push({ waits: made() - waited, turns, steps: step.mock.calls.length - stepped });
    [waited, stepped] = [made(), step.mock.calls.length];
  }
  run.dispose();
  // The first update follows a validation, the last one precedes a checkpoint.
  expect(each[1]).toEqual({ waits: expect.any(Number), turns: TURNS, steps: 4 });
  expect(each[1]!.waits).toBeLessThanOrEqual(8);
});
