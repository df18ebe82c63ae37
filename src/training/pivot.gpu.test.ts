// PIVOT in an update: what the teacher says of the same tokens, what is reported, and that nothing changes without it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { NO_TEACHER } from "../gpu/kernels/ppo-loss.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "../run/build-run.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { watchNonFinite } from "./skipped-steps.ts";

const warmedUp = "public/checkpoints/frozenlake-nano-warmup.safetensors";

async function runWith(changes: Readonly<Record<string, unknown>>): Promise<Run> {
  const config = applyChanges(getPreset("frozenlake-nano").config, {
    "rollout.train_batch_size": 6,
    "rollout.max_turns": 3,
    "actor.ppo_mini_batch_size": 3,
    ...changes,
  });
  const checkpoint = await decodeCheckpoint(new Uint8Array(readFileSync(warmedUp)), "SFT");
  return buildRun("pivot", config, await requestNodeGpu(), checkpoint);
}

async function oneUpdate(run: Run) {
  const update = ppoUpdate(run, 1, watchNonFinite(0));
  for (;;) {
    const next = await update.next();
    if (next.done) return { ...next.value, params: await run.engine.readFlat(run.engine.buffers.params) };
  }
}

const differences = (a: Float32Array, b: Float32Array) => a.filter((x, i) => x !== b[i]).length;

it("gives sampled tokens of failed episodes a teacher, and moves the policy by its weight", async () => {
  const [off, on, unweighted] = [
    await runWith({}),
    await runWith({ "actor.use_pivot": true, "actor.pivot_coef": 1 }),
    await runWith({ "actor.use_pivot": true, "actor.pivot_coef": 0 }),
  ];
  const plain = await oneUpdate(off);
  const taught = await oneUpdate(on);
  const failed = taught.trajectories.filter(({ success }) => !success);
  expect(failed.length).toBeGreaterThan(0);

  const { policyWeights } = on.engine.buffers.batch;
  const logprobs = (await on.engine.readFlat(policyWeights)).subarray(on.engine.options.batchTokens);
  let [at, sampled, wrong] = [0, 0, 0];
  for (const { success, tokens } of taught.trajectories)
    for (const mark of tokens.responseMask) {
      const isTaught = mark === 1 && !success;
      const teacher = logprobs[at++] as number;
      if (isTaught ? teacher > 0 : teacher !== NO_TEACHER) wrong++;
      sampled += mark;
    }
  expect(wrong).toBe(0);
  const own = failed.reduce((sum, { tokens }) => sum + tokens.responseMask.filter((m) => m).length, 0);
  expect(taught.metrics["actor/pivot_tokens"]).toBeCloseTo(own / sampled);
  expect(taught.metrics["actor/pivot_gate"]).toBeGreaterThan(0);
  expect(taught.metrics["actor/pivot_gate"]).toBeLessThan(1);
  expect(plain.metrics["actor/pivot_loss"]).toBeUndefined();

  expect(differences(taught.params, plain.params)).toBeGreaterThan(plain.params.length / 2);
  // The teacher with weight 0 leaves what it reads as it was, bit for bit.
  expect(differences((await oneUpdate(unweighted)).params, plain.params)).toBe(0);
  for (const run of [off, on, unweighted]) run.dispose();
}, 240_000);

it.each([
  [
    "GSPO, one sequence for each turn, a random turn, words",
    {
      "actor.loss_mode": "gspo",
      "trainer.concat_multi_turn": false,
      "rollout.window_size": 1,
      "actor.pivot_step": "random",
      "actor.pivot_prefix": "words",
    },
  ],
  ["a loss over every token", { "rollout.use_loss_mask": false, "actor.ppo_mini_batch_size": 6 }],
  ["the exact KL", { "actor.use_kl_loss": true, "actor.kl_loss_type": "full" }],
])(
  "takes a finite step with %s",
  async (_, changes) => {
    const run = await runWith({ "actor.use_pivot": true, ...changes });
    const { metrics } = await oneUpdate(run);
    for (const [name, value] of Object.entries(metrics)) expect(value, name).toSatisfy(Number.isFinite);
    expect(metrics["actor/pivot_tokens"]).toBeGreaterThan(0);
    expect(metrics["training/skipped_steps"]).toBe(0);
    run.dispose();
  },
  240_000,
);
