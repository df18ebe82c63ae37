// Sequences per turn on the GPU's batch axis: what is uploaded is what the kernels read.
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { expectClose } from "../gpu/testing.ts";
import { estimators } from "../rl/advantage/index.ts";
import { buildRun } from "../run/build-run.ts";
import { packBatch, sequencesOf, tokenCount } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import { advantageOptions, maskOptions } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { perTurnTrajectory } from "./testing/sequences.ts";

let run: Run;
beforeAll(async () => {
  const config = applyChanges(getPreset("frozenlake-nano").config, {
    "trainer.harness": "no_concat",
    "rollout.window_size": 1,
    "rollout.train_batch_size": 2,
    "actor.ppo_mini_batch_size": 2,
    "sft.total_updates": 0,
    "sft.one_turn_updates": 0,
    "algorithm.gamma": 0.99,
    "algorithm.lam": 0.95,
    "algorithm.whiten_advantages": false,
  });
  run = await buildRun("sequences", config, await requestNodeGpu());
}, 120_000);
afterAll(() => run.dispose());

// The worked example of testing/sequences.ts at γ = 0.99, λ = 0.95, for two episodes: nothing may pass from one to the other.
it.each(["no_concat_gae", "no_concat_gae_last", "bi_level_gae", "masked_gae", "turn_wise_gae"])(
  "%s estimates the sequences of two episodes as its function does",
  async (id) => {
    const { engine } = run;
    const config = applyChanges(run.config, { "algorithm.adv_estimator": id });
    const packed = packBatch(
      [perTurnTrajectory().trajectory, perTurnTrajectory().trajectory],
      maskOptions(config),
    );
    const { values } = perTurnTrajectory();
    const n = tokenCount(packed);
    uploadBatch(engine, packed);
    engine.write(engine.buffers.batch.values, Float32Array.of(...values, ...values));
    await engine.advantages(advantageOptions(config), packed.length, n);
    const { batch } = engine.buffers;
    const [advantages, returns] = [
      await engine.readFlat(batch.advantages),
      await engine.readFlat(batch.returns),
    ];

    const { tokens } = packed[0]!.trajectory;
    const twice = (array: ArrayLike<number>) => [...Array.from(array), ...Array.from(array)];
    const want = estimators.get(id).estimate(
      {
        starts: [0, n / 2, n],
        rewards: twice(tokens.rewards),
        values: twice(values),
        gaeMask: twice(tokens.responseMask),
        turnEndMask: twice(tokens.turnEndMask),
      },
      { gamma: 0.99, lambda: 0.95, turnGamma: config.algorithm.high_level_gamma },
    );
    expectClose(advantages.subarray(0, n), want.advantages, { rtol: 1e-5, atol: 1e-5 });
    expectClose(returns.subarray(0, n), want.returns, { rtol: 1e-5, atol: 1e-5 });
    if (!id.startsWith("no_concat")) return;
    const ends = sequencesOf(packed).map(({ batchStart, ids }) => batchStart + ids.length - 1);
    expectClose(
      ends.map((end) => advantages[end] as number),
      twice([0.933988, 0.57415, 0.3]),
      { rtol: 0, atol: 1e-5 },
    );
    // The critic's loss reads returns at the anchors only, and those are the worked ones.
    const valued = Array.from(await engine.readFlat(batch.valueMask)).slice(0, n);
    expectClose(
      Array.from(returns.subarray(0, n)).filter((_, i) => valued[i]),
      twice([1.233988, 1.17415, 1.1]),
      { rtol: 0, atol: 1e-5 },
    );
  },
);

it("a ratio of whole sequences takes the start of each sequence", async () => {
  const packed = packBatch([perTurnTrajectory().trajectory, perTurnTrajectory().trajectory]);
  uploadBatch(run.engine, packed);
  const { sequenceStarts } = run.engine.buffers.batch;
  const raw = new Uint32Array((await run.engine.readFlat(sequenceStarts)).buffer);
  const starts = sequencesOf(packed).map(({ batchStart }) => batchStart);
  expect(Array.from(raw.subarray(0, 7))).toEqual([...starts, tokenCount(packed)]);
});
