// The dispatches of an update, whitening included, on the batches that the reference implementations were run on.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Gpu } from "../../gpu/device.ts";
import { Arena, bufferOf, type Tensor } from "../../gpu/memory.ts";
import { Plan } from "../../gpu/plan.ts";
import { readNamed } from "../../gpu/read.ts";
import { expectClose, type Numbers, noise, testGpu } from "../../gpu/testing.ts";
import {
  GOLDEN_BATCHES,
  type GoldenBatch,
  goldenBatches,
  goldenCases,
  numbersFor,
  paramsFor,
  tokensFor,
} from "../../rl/advantage/golden-testing.ts";
import { DEFAULT_CLOCK } from "../../rl/advantage/variable-clock.ts";
import { type AdvantageOptions, advantageValues, estimatorOnGpu, recordAdvantages } from "./advantages.ts";
import { createBatchAxis } from "./batch-axis.ts";

const lengthOf = ({ rows }: GoldenBatch) => rows.reduce((sum, { mask }) => sum + mask.length, 0);
const TOKENS = Math.max(...goldenBatches.map(lengthOf));
const EPISODES = Math.max(...goldenBatches.map(({ rows }) => rows.length));

const arena = new Arena();
const batchAxis = createBatchAxis(arena, { tokens: TOKENS, episodes: EPISODES, sequences: EPISODES });
const partials = arena.tensor("test", "partials", 4);
let gpu: Gpu;
beforeAll(async () => {
  gpu = await testGpu();
  await arena.create(gpu);
});
afterAll(() => arena.destroy());

type Case = (typeof goldenCases)[string];

function optionsFor(one: Case, batch: GoldenBatch, whiten: AdvantageOptions["whiten"]): AdvantageOptions {
  const { gamma, lambda, turnGamma, groupStd = true } = paramsFor(one, batch);
  return {
    estimator: estimatorOnGpu(one.estimator),
    ...{ gamma, lam: lambda, turnGamma, turnLam: lambda, turnAnchor: "end", groupStd },
    ...{ lamBy: "off", lamParam: 0, clock: DEFAULT_CLOCK, carry: false, whiten },
    ...{ klInReward: "off", klCoef: 0, klAfterwards: false, klAtEveryToken: false },
  };
}

function write(
  tensor: Tensor,
  data: ArrayLike<number>,
  kind: typeof Float32Array | typeof Uint32Array,
): void {
  const numbers: Numbers = kind.from(data);
  gpu.device.queue.writeBuffer(bufferOf(tensor), tensor.offset, numbers.buffer as ArrayBuffer);
}

/** Puts a batch on the axis; what the estimator has to write holds noise. */
function upload(one: Case, batch: GoldenBatch): void {
  const { starts, rewards, values, gaeMask, turnEndMask, groups } = tokensFor(one, batch);
  for (const [name, data] of Object.entries({ rewards, values, gaeMask, turnEndMask }))
    write(batchAxis[name as "rewards"], data, Float32Array);
  write(batchAxis.starts, starts, Uint32Array);
  write(batchAxis.groups, groups!, Uint32Array);
  write(batchAxis.bootstrap, new Float32Array(EPISODES), Float32Array);
  write(batchAxis.advantages, noise(TOKENS, 1), Float32Array);
  write(batchAxis.returns, noise(TOKENS, 2), Float32Array);
}

async function planFor(one: Case, whiten: AdvantageOptions["whiten"]) {
  const plan = new Plan<string>(one.estimator);
  const recording = { plan, caps: gpu.caps, partials, rows: EPISODES };
  recordAdvantages(recording, batchAxis, optionsFor(one, goldenBatches[0]!, whiten));
  await plan.build(gpu);
  return async (batch: GoldenBatch) => {
    upload(one, batch);
    const n = lengthOf(batch);
    plan.run(gpu, { s: batch.rows.length, n, ...advantageValues(optionsFor(one, batch, whiten)) });
    const { advantages, returns } = batchAxis;
    return readNamed(gpu, {
      advantages: { tensor: advantages, length: n },
      returns: { tensor: returns, length: n },
    });
  };
}

test.each(Object.keys(goldenCases))("%s gives the reference's numbers", async (name) => {
  const one = goldenCases[name]!;
  expect(estimatorOnGpu(one.estimator)).toBe(one.estimator);
  const [estimate, whitened] = [await planFor(one, "none"), await planFor(one, "policy")];
  expect(goldenBatches).toHaveLength(GOLDEN_BATCHES);
  for (const batch of goldenBatches) {
    const { places, ...want } = numbersFor(one, batch);
    const close = (got: ArrayLike<number>, numbers: readonly number[] | undefined) => {
      if (!numbers) return;
      expectClose(
        places.map((place) => got[place] as number),
        numbers,
        { rtol: 1e-5, atol: 1e-5 },
      );
    };
    const plain = await estimate(batch);
    close(plain.advantages, want.advantages);
    close(plain.returns, want.returns);
    if (want.whitened) close((await whitened(batch)).advantages, want.whitened);
  }
});
