import { describe, expect, it } from "vitest";
import { download, expectClose, noise, testGpu } from "../../gpu/testing.ts";
import { type ModelArchitecture, type ModelConfig, modelArchitecture } from "./architecture.ts";
import { Engine, type StepSettings } from "./engine.ts";
import { forwardRef, targetLogprobsRef } from "./model.ref.ts";
import { packSequences, type Sequence } from "./pack.ts";
import { initialParameters, parameterLayout } from "./parameters.ts";

const base: ModelConfig = {
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  intermediate_size: 24,
  rope_theta: 2000,
  tie_word_embeddings: false,
  vision_layers: 0,
  vision_hidden_size: 16,
  vision_heads: 2,
  pixel_shuffle: 1,
  critic: "head",
};
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

const settings: StepSettings = {
  kind: { objective: "imitation", kl: "off", valueReachesTrunk: true, clipValue: false },
  temperature: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  entropyCoef: 0,
  klCoef: 0,
  vfCoef: 0.25,
  valueClip: 0.5,
  actorLr: 3e-3,
  criticLr: 3e-3,
  beta1: 0.9,
  beta2: 0.98,
  weightDecay: 0,
  gradClip: 1,
};

function picture(seed: number, size: number) {
  const data = Uint8ClampedArray.from(noise(size * size * 4, seed, 60), (x) => 128 + x);
  return { width: size, height: size, data };
}

/** Two short conversations with one picture each, of different lengths. */
function sequences({ vision }: ModelArchitecture): Sequence[] {
  const imageCount = (vision.rows * vision.cols) / vision.merge ** 2;
  const make = (text: number[], seed: number, batchStart: number): Sequence => {
    const ids = Int32Array.from([0, ...Array<number>(imageCount).fill(IMAGE_ID), ...text]);
    return {
      ids,
      imagePatch: Int32Array.from(ids, (_, t) => (t >= 1 && t <= imageCount ? t - 1 : -1)),
      images: [picture(seed, vision.rows * 8)],
      rowMask: Uint8Array.from(ids, (_, t) => (t > imageCount + 1 ? 1 : 0)),
      batchStart,
    };
  };
  const first = make([5, 7, 9, 11, 7], 1, 0);
  return [first, make([6, 3, 18, 4], 2, first.ids.length)];
}

async function setUp(overrides: Partial<ModelConfig>) {
  const architecture = modelArchitecture({ ...base, ...overrides }, VOCAB, { rows: 2, cols: 2 });
  const gpu = await testGpu();
  const engine = await Engine.create(gpu, {
    architecture,
    microTokens: 64,
    batchEpisodes: 4,
    batchTokens: 64,
    reference: true,
    fullKl: true,
  });
  const params = initialParameters(parameterLayout(architecture), 3);
  engine.setParameters(params);
  const seqs = sequences(architecture);
  const returns = noise(64, 9);
  engine.write(engine.buffers.batch.returns, returns as Float32Array<ArrayBuffer>);
  return { architecture, engine, params, seqs, returns, packed: packSequences(seqs, architecture) };
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
    await engine.gradients(seqs, settings);
    const got = await engine.readFlat(engine.buffers.grads);
    const { layout } = engine.buffers;
    const flat = Float64Array.from(params);
    const loss = () => {
      const { logits, values } = forwardRef(architecture, layout, flat, packed);
      const ce = targetLogprobsRef(architecture, logits, packed).reduce((sum, x) => sum - x, 0);
      const vf = values.reduce(
        (sum, v, r) => sum + 0.5 * (v - (returns[packed.src[r] as number] as number)) ** 2,
        0,
      );
      return (ce + settings.vfCoef * vf) / packed.rows;
    };
    for (const { name, offset, length } of layout.specs) {
      // A used place of each tensor: the largest gradient, and one fixed element.
      const own = got.subarray(offset, offset + length);
      const largest = own.reduce((best, x, i) => (Math.abs(x) > Math.abs(own[best] as number) ? i : best), 0);
      for (const i of new Set([largest, Math.floor(length / 3)])) {
        const at = offset + i;
        const centre = flat[at] as number;
        const h = 1e-5;
        flat[at] = centre + h;
        const up = loss();
        flat[at] = centre - h;
        const want = (up - loss()) / (2 * h);
        flat[at] = centre;
        // f32 forward and backward against f64 central differences: relative 1e-3, absolute 1e-5 of a loss of order 3.
        expect(
          Math.abs((got[at] as number) - want),
          `${name}[${i}]: got ${got[at]}, want ${want}`,
        ).toBeLessThan(1e-5 + 2e-3 * Math.abs(want));
      }
    }
    engine.dispose();
  });
});

describe("training steps", () => {
  it("overfit one batch to near zero loss", async () => {
    const { engine, seqs } = await setUp({});
    for (let i = 0; i < 120; i++) {
      engine.clearTotals();
      await engine.step(seqs, { ...settings, vfCoef: 0, actorLr: 1e-2 });
    }
    const totals = await download(engine.gpu, engine.buffers.totals);
    const rows = seqs.reduce((sum, s) => sum + s.rowMask.reduce((a, b) => a + b, 0), 0);
    expect((totals[0] as number) / rows).toBeLessThan(0.02);
    engine.dispose();
  });

  it("accumulate micro-batches to the gradient of the whole minibatch", async () => {
    const { architecture, engine, params, seqs, returns } = await setUp({});
    await engine.gradients(seqs, settings);
    const whole = await engine.readFlat(engine.buffers.grads);
    const small = await Engine.create(engine.gpu, {
      architecture,
      microTokens: seqs[0]!.ids.length,
      batchEpisodes: 4,
      batchTokens: 64,
      reference: false,
      fullKl: false,
    });
    small.setParameters(params);
    small.write(small.buffers.batch.returns, returns as Float32Array<ArrayBuffer>);
    await small.gradients(seqs, settings);
    expectClose(await small.readFlat(small.buffers.grads), whole, { rtol: 1e-4, atol: 1e-6 });
    small.dispose();
    engine.dispose();
  });

  it("are bit for bit the same when repeated", async () => {
    const run = async () => {
      const { engine, seqs } = await setUp({ vision_layers: 1 });
      for (let i = 0; i < 3; i++) await engine.step(seqs, settings);
      const params = await engine.readFlat(engine.buffers.params);
      engine.dispose();
      return params;
    };
    expect(await run()).toEqual(await run());
  });
});
