import { describe, expect, it } from "vitest";
import { lossFactsRef } from "../../gpu/kernels/loss-facts.ref.ts";
import { PPO_STATS } from "../../gpu/kernels/ppo-loss.ts";
import { download, expectClose, noise, testGpu } from "../../gpu/testing.ts";
import { type ModelArchitecture, type ModelConfig, modelArchitecture } from "./architecture.ts";
import { Engine } from "./engine.ts";
import { forwardRef, type PpoFactsRef, ppoLossesRef, targetLogprobsRef } from "./model.ref.ts";
import { type PackedBatch, packSequences, type Sequence } from "./pack.ts";
import { initialParameters, type ParameterLayout, parameterLayout } from "./parameters.ts";
import { CLIPPED_RATIO, type LossKind, type StepSettings } from "./step-settings.ts";
import { tinyModel as base, picture, sftStep } from "./testing.ts";

const VOCAB = 19;
const IMAGE_ID = 2;

/** Every branch of the graph occurs in one of these. */
const VARIANTS: Record<string, Partial<ModelConfig>> = {
  "head critic, untied": {},
  "tied head, grouped queries": { tie_word_embeddings: true },
  "separate critic": { critic: "separate", num_hidden_layers: 1 },
  "vision tower with pixel shuffle": {
    vision_layers: 2,
    vision_hidden_size: 16,
    pixel_shuffle: 2,
    num_hidden_layers: 1,
  },
};

/** Two short conversations with one picture each, of different lengths. */
function sequences({ vision }: ModelArchitecture): Sequence[] {
  const imageCount = (vision.rows * vision.cols) / vision.merge ** 2;
  const make = (text: number[], seed: number, batchStart: number): Sequence => {
    const ids = Int32Array.from([0, ...Array<number>(imageCount).fill(IMAGE_ID), ...text]);
    return {
      ids,
      imagePatch: Int32Array.from(ids, (_, t) => (t >= 1 && t <= imageCount ? t - 1 : -1)),
      images: [picture(seed, vision.rows * 8)],
      targetMask: Uint8Array.from(ids, (_, t) => (t > imageCount + 1 ? 1 : 0)),
      batchStart,
    };
  };
  const first = make([5, 7, 9, 11, 7], 1, 0);
  return [first, make([6, 3, 18, 4], 2, first.ids.length)];
}

async function setUp(overrides: Partial<ModelConfig>, keepsRefDistributions = false) {
  const architecture = modelArchitecture({ ...base, ...overrides }, VOCAB, { rows: 2, cols: 2 });
  const gpu = await testGpu();
  const engine = await Engine.create(gpu, {
    architecture,
    microTokens: 64,
    batchEpisodes: 4,
    batchTokens: 64,
    refPolicy: true,
    fullKl: true,
    keepsRefDistributions,
  });
  const params = initialParameters(parameterLayout(architecture), 3);
  engine.setParameters(params);
  const seqs = sequences(architecture);
  const returns = noise(64, 9);
  engine.write(engine.buffers.batch.returns, returns as Float32Array<ArrayBuffer>);
  for (const tensor of [engine.buffers.batch.valueMask, engine.buffers.batch.weights])
    engine.write(tensor, new Float32Array(64).fill(1));
  return { architecture, engine, params, seqs, returns, packed: packSequences(seqs, architecture) };
}

/** Holds places of every tensor of `got` against central differences of `loss`, which reads `flat`. */
function expectGradient(
  got: Float32Array,
  flat: Float64Array,
  { specs }: ParameterLayout,
  loss: (name: string) => number,
): void {
  for (const { name, offset, length } of specs) {
    // The largest gradient, a fixed place, and two that are drawn.
    const own = got.subarray(offset, offset + length);
    const largest = own.reduce((best, x, i) => (Math.abs(x) > Math.abs(own[best] as number) ? i : best), 0);
    const drawn = Array.from(noise(2, offset + 1), (x) => Math.floor(Math.abs(x) * 1e6) % length);
    for (const i of new Set([largest, Math.floor(length / 3), ...drawn])) {
      const at = offset + i;
      const centre = flat[at] as number;
      const h = 1e-5;
      flat[at] = centre + h;
      const up = loss(name);
      flat[at] = centre - h;
      const want = (up - loss(name)) / (2 * h);
      flat[at] = centre;
      // f32 forward and backward against f64 central differences of losses of order 3: on SwiftShader at most 2e-6, or 5e-5
      // of the gradient.
      expect(
        Math.abs((got[at] as number) - want),
        `${name}[${i}]: got ${got[at]}, want ${want}`,
      ).toBeLessThan(1e-5 + 5e-4 * Math.abs(want));
    }
  }
}

describe.each(Object.entries(VARIANTS))("the whole model: %s", (_, overrides) => {
  it("computes the twin's log-probabilities and values", async () => {
    const { architecture, engine, params, seqs, packed } = await setUp(overrides);
    await engine.score(seqs, 1);
    const { logits, values } = forwardRef(
      architecture,
      engine.buffers.layout,
      Float64Array.from(params),
      packed,
    );
    const logprobs = targetLogprobsRef(architecture, logits, packed);
    const [gotLogprobs, gotValues] = [
      await download(engine.gpu, engine.buffers.batch.oldLogprobs),
      await download(engine.gpu, engine.buffers.batch.values),
    ];
    const rows = Array.from(packed.src);
    // Two layers of f32 products and one softmax: errors of a few 1e-6.
    expectClose(
      rows.map((i) => gotLogprobs[i] as number),
      logprobs,
      { rtol: 1e-4, atol: 2e-5 },
    );
    expectClose(
      rows.map((i) => gotValues[i] as number),
      values,
      { rtol: 1e-4, atol: 1e-5 },
    );
    engine.dispose();
  });

  it("has the twin's gradient in every tensor", async () => {
    const { architecture, engine, params, seqs, packed, returns } = await setUp(overrides);
    // Tokens that count differently.
    const weights = noise(64, 11).map((x) => 1 + x);
    engine.write(engine.buffers.batch.weights, weights);
    await engine.gradients(seqs, sftStep);
    const got = await engine.readFlat(engine.buffers.grads);
    const { layout } = engine.buffers;
    const flat = Float64Array.from(params);
    const loss = () => {
      const { logits, values } = forwardRef(architecture, layout, flat, packed);
      const ce = targetLogprobsRef(architecture, logits, packed).reduce(
        (sum, x, r) => sum - (weights[packed.src[r] as number] as number) * x,
        0,
      );
      const vf = values.reduce(
        (sum, v, r) => sum + 0.5 * (v - (returns[packed.src[r] as number] as number)) ** 2,
        0,
      );
      return (ce + sftStep.vfCoef * vf) / packed.targets;
    };
    expectGradient(got, flat, layout, loss);
    engine.dispose();
  });
});

/** The share of the value gradient that enters the backbone in the case that scales it. */
const VALUE_GRAD_SCALE = 0.3;

const ppo: Omit<StepSettings, "kind"> = {
  ...sftStep,
  temperature: 0.7,
  clipLow: 0.2,
  clipHigh: 0.3,
  clipC: 3,
  tauPos: 1,
  tauNeg: 1.05,
  covKlCoef: 0.1,
  pivotCoef: 0,
  pivotBeta: 5,
  entropyCoef: 0.1,
  klCoef: 0.3,
  vfCoef: 0.5,
  valueGradScale: VALUE_GRAD_SCALE,
  valueClip: 0.5,
};

/** Loss graphs of PPO that differ in what flows where. */
const PPO_CASES: Record<
  string,
  [Partial<ModelConfig>, Pick<LossKind, "kl" | "valueGradient">, keepsRefDistributions?: true]
> = {
  "head critic, exact KL": [{}, { kl: "full", valueGradient: "whole" }],
  "head critic, exact KL to kept distributions": [{}, { kl: "full", valueGradient: "whole" }, true],
  "head critic with a part of its gradient, k3": [{}, { kl: "k3", valueGradient: "scaled" }],
  "detached head critic, k3": [{}, { kl: "k3", valueGradient: "none" }],
  "detached head critic, tied head, exact KL": [
    VARIANTS["tied head, grouped queries"]!,
    { kl: "full", valueGradient: "none" },
  ],
  "separate critic, exact KL": [VARIANTS["separate critic"]!, { kl: "full", valueGradient: "whole" }],
  "separate critic, k3": [VARIANTS["separate critic"]!, { kl: "k3", valueGradient: "none" }],
  "vision tower with pixel shuffle, k3": [
    VARIANTS["vision tower with pixel shuffle"]!,
    { kl: "k3", valueGradient: "whole" },
  ],
};

/**
 * One entry a target position; around the present policy, and far enough from where a clip begins that differences are
 * valid. Ratios e^±0.5 lie outside [0.8, 1.3]: once on either side the clip wins, once it does not, by the advantage's sign.
 */
const ROWS = {
  logRatio: [0.5, -0.5, 0.5, -0.5, 0.1, -0.1, 0.05],
  advantage: [1.2, -0.8, -1, 0.7, 0.6, -1.1, -0.4],
  /** New minus old value, and return minus new value; beyond ±0.5 the clip wins where the two have one sign. */
  valueStep: [0.2, 0.9, -0.9, 0.1, 0.9, -0.9, -0.2],
  valueError: [0.5, 1, -1, 1.3, -1, 1, -0.7],
};
/** Rows whose clip wins, of the policy's loss and of the value loss. */
const CLIPPED = 2;

/** Puts a number for every row on a batch axis that is zero elsewhere. */
function onAxis({ src }: PackedBatch, of: (row: number) => number): Float32Array<ArrayBuffer> {
  const axis = new Float32Array(64);
  src.forEach((at, row) => {
    axis[at] = of(row);
  });
  return axis;
}

/** Old log-probabilities, advantages, old values and returns as `ROWS` has them around the present policy's. */
function factsAround(
  packed: PackedBatch,
  logprobs: Float64Array,
  values: Float64Array,
  refLogprobs: Float64Array,
) {
  expect(packed.targets).toBe(ROWS.logRatio.length);
  const at = (list: ArrayLike<number>, row: number) => list[row] as number;
  return {
    old_logprobs: onAxis(packed, (r) => at(logprobs, r) - at(ROWS.logRatio, r)),
    advantages: onAxis(packed, (r) => at(ROWS.advantage, r)),
    ref_logprobs: onAxis(packed, (r) => at(refLogprobs, r)),
    // Rows that weigh differently, and one whose value is not trained.
    weights: onAxis(packed, (r) => 0.5 + 0.25 * r),
    valueMask: onAxis(packed, (r) => (r === 3 ? 0 : 1)),
    oldValues: onAxis(packed, (r) => at(values, r) - at(ROWS.valueStep, r)),
    returns: onAxis(packed, (r) => at(values, r) + at(ROWS.valueError, r)),
  };
}

/** The same facts as the losses of the twin read them. */
function twinFacts(around: ReturnType<typeof factsAround>): PpoFactsRef {
  const { oldValues, returns, valueMask } = around;
  const facts = lossFactsRef(
    { ...around, rollout_logprobs: around.old_logprobs },
    { advantage_scale: 1, cap: 1, behaviour: "off", refPolicy: true },
  );
  return { facts, groups: [], policyWeights: [], oldValues, returns, valueMask };
}

describe.each(Object.entries(PPO_CASES))("a PPO step: %s", (_, [overrides, kind, keepsRefDistributions]) => {
  it("has the twin's losses, and their gradient in every tensor", async () => {
    const {
      architecture,
      engine,
      params: initial,
      seqs,
      packed,
    } = await setUp(overrides, keepsRefDistributions);
    const { layout, batch, refParams, totals, valueTotals } = engine.buffers;
    const step: StepSettings = {
      ...ppo,
      kind: {
        objective: "ppo",
        clipValue: true,
        weightsValues: false,
        trains: "all",
        separateNorms: false,
        policy: CLIPPED_RATIO,
        ...kind,
      },
    };
    // Biases that are not zero, and a value head whose gradient is felt in the backbone; a ref policy that is another policy.
    const moved = (from: Float32Array, seed: number) => {
      const shift = noise(from.length, seed, 0.1);
      return Float32Array.from(from, (x, i) => x + (shift[i] as number));
    };
    const params = moved(initial, 11);
    const frozen = moved(params, 12);
    engine.setParameters(params);
    engine.write(refParams, frozen);

    const flat = Float64Array.from(params);
    const now = forwardRef(architecture, layout, flat, packed);
    const refLogits = forwardRef(architecture, layout, Float64Array.from(frozen), packed).logits;
    const logprobs = targetLogprobsRef(architecture, now.logits, packed, step.temperature);
    const refLogprobs = targetLogprobsRef(architecture, refLogits, packed, step.temperature);
    const around = factsAround(packed, logprobs, now.values, refLogprobs);
    const trained = seqs.map((seq) => ({
      ...seq,
      valueMask: Uint8Array.from(seq.ids, (_, t) => around.valueMask[seq.batchStart + t] as number),
    }));
    const facts = twinFacts(around);
    engine.write(batch.oldLogprobs, around.old_logprobs);
    engine.write(batch.advantages, around.advantages);
    engine.write(batch.weights, around.weights);
    engine.write(batch.valueMask, around.valueMask);
    engine.write(batch.values, around.oldValues);
    engine.write(batch.returns, around.returns);
    await engine.scoreRefPolicy(seqs, step.temperature, engine.keepsRefDistributions);
    const scored = await download(engine.gpu, batch.refLogprobs);
    expectClose(scored, around.ref_logprobs, { rtol: 1e-4, atol: 2e-5 });
    await engine.lossFacts(
      { behaviour: "off", behaviourCap: 1, advantageScale: 1, refPolicy: true },
      around.weights.length,
    );

    engine.clearTotals();
    await engine.gradients(trained, step);
    const got = await engine.readFlat(engine.buffers.grads);
    const lossesAt = () =>
      ppoLossesRef(
        architecture,
        forwardRef(architecture, layout, flat, packed),
        refLogits,
        packed,
        facts,
        step,
      );
    const here = lossesAt();
    // Every part of the loss is at work, or its gradient would not be tested.
    expect(here.totals[PPO_STATS.clipped]).toBe(CLIPPED);
    expect(here.valueTotals[1]).toBe(CLIPPED);
    expect(here.totals[PPO_STATS.kl]).toBeGreaterThan(0.1);
    expectClose(await download(engine.gpu, totals), here.totals, { rtol: 1e-4, atol: 1e-4 });
    expectClose(await download(engine.gpu, valueTotals), here.valueTotals, { rtol: 1e-4, atol: 1e-4 });
    // What reaches the backbone; a separate critic has its own, where no factor applies.
    const share =
      architecture.critic === "head"
        ? { none: 0, scaled: VALUE_GRAD_SCALE, whole: 1 }[kind.valueGradient]
        : 1;
    expectGradient(got, flat, layout, (name) => {
      const { policy, value } = lossesAt();
      return policy + (name.startsWith("value.") ? value : share * value);
    });
    engine.dispose();
  });
});

describe("training steps", () => {
  it("overfit one batch to near zero loss", async () => {
    const { engine, seqs } = await setUp({});
    for (let i = 0; i < 120; i++) {
      engine.clearTotals();
      await engine.step(seqs, { ...sftStep, vfCoef: 0, actorLr: 1e-2 });
    }
    const totals = await download(engine.gpu, engine.buffers.totals);
    const rows = seqs.reduce((sum, s) => sum + s.targetMask.reduce((a, b) => a + b, 0), 0);
    expect((totals[0] as number) / rows).toBeLessThan(0.02);
    engine.dispose();
  });

  it("accumulate micro-batches to the gradient of the whole minibatch", async () => {
    const { architecture, engine, params, seqs, returns } = await setUp({});
    await engine.gradients(seqs, sftStep);
    const whole = await engine.readFlat(engine.buffers.grads);
    const small = await Engine.create(engine.gpu, {
      architecture,
      microTokens: seqs[0]!.ids.length,
      batchEpisodes: 4,
      batchTokens: 64,
      refPolicy: false,
      fullKl: false,
    });
    small.setParameters(params);
    small.write(small.buffers.batch.returns, returns as Float32Array<ArrayBuffer>);
    for (const tensor of [small.buffers.batch.valueMask, small.buffers.batch.weights])
      small.write(tensor, new Float32Array(64).fill(1));
    await small.gradients(seqs, sftStep);
    expectClose(await small.readFlat(small.buffers.grads), whole, { rtol: 1e-4, atol: 1e-6 });
    small.dispose();
    engine.dispose();
  });

  it("have the same gradient whether the ref policy runs in the step or its distributions are kept", async () => {
    const gradient = async (keepsRefDistributions: boolean) => {
      const { engine, params, seqs } = await setUp({}, keepsRefDistributions);
      const shift = noise(params.length, 12, 0.1);
      engine.write(
        engine.buffers.refParams,
        params.map((x, i) => x + (shift[i] as number)),
      );
      const kind = { ...sftStep.kind, objective: "ppo", kl: "full" } as const;
      // Scored in another order and packing than they are trained in.
      for (const seq of [...seqs].reverse())
        await engine.scoreRefPolicy([seq], ppo.temperature, keepsRefDistributions);
      const facts = { behaviour: "off", behaviourCap: 1, advantageScale: 1, refPolicy: false } as const;
      await engine.lossFacts(facts, 64);
      await engine.gradients(seqs, { ...ppo, kind, entropyCoef: 0, vfCoef: 0 });
      const got = await engine.readFlat(engine.buffers.grads);
      engine.dispose();
      return got;
    };
    const kept = await gradient(true);
    expect(Math.max(...kept)).toBeGreaterThan(1e-3);
    expectClose(kept, await gradient(false), { rtol: 1e-4, atol: 1e-6 });
  });

  it("are bit for bit the same when repeated", async () => {
    const run = async () => {
      const { engine, seqs } = await setUp({ vision_layers: 1 });
      for (let i = 0; i < 3; i++) await engine.step(seqs, sftStep);
      const params = await engine.readFlat(engine.buffers.params);
      engine.dispose();
      return params;
    };
    expect(await run()).toEqual(await run());
  });
});
