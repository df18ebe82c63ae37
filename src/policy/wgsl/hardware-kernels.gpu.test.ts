// The whole model with the kernels that real GPUs run: staged tiles, workgroups that reduce together, gradients split many
// ways. Tests have a software adapter, which would never choose them, so the test describes its adapter as hardware.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Gpu } from "../../gpu/device.ts";
import { TILE_CLASSES, type TileClass } from "../../gpu/linear-tiles.ts";
import { download, expectClose, noise, testGpu } from "../../gpu/testing.ts";
import { imageTokens, type ModelArchitecture, type ModelConfig, modelArchitecture } from "./architecture.ts";
import { Engine } from "./engine.ts";
import { describeEngine } from "./engine-buffers.ts";
import { Generator } from "./generator.ts";
import { describeGenerator } from "./generator-buffers.ts";
import type { Sequence } from "./pack.ts";
import { initialParameters, parameterLayout } from "./parameters.ts";
import type { LossKind, StepSettings } from "./step-settings.ts";
import { picture, sftStep, tinyModel } from "./testing.ts";

/** Beyond one tile of 64 in rows and in columns, and no multiple of it. Small heads, because they compile in a moment. */
const base: ModelConfig = {
  ...tinyModel,
  hidden_size: 72,
  num_attention_heads: 9,
  num_key_value_heads: 9,
  intermediate_size: 100,
};
const VOCAB = 67;
const IMAGE_ID = 2;
const END = 1;
const LENGTHS = [90, 37] as const;
const BATCH_TOKENS = 128;

/** The small tile everywhere, and the large one. */
const [SMALL, LARGE] = [[], TILE_CLASSES];

/**
 * Between them every hardware variant is chosen; the test at the end checks that. The first is trained with either tile, the
 * others with one, because linear.gpu.test.ts compares the bits of every product.
 */
const VARIANTS: Record<
  string,
  [Partial<ModelConfig>, Pick<LossKind, "objective" | "kl">, tiles: (readonly TileClass[])[]]
> = {
  "head critic, PPO with exact KL, either tile": [{}, { objective: "ppo", kl: "full" }, [SMALL, LARGE]],
  "tied head, grouped queries, separate critic, PPO with k3": [
    { num_key_value_heads: 3, tie_word_embeddings: true, critic: "separate", num_hidden_layers: 1 },
    { objective: "ppo", kl: "k3" },
    [SMALL],
  ],
  "vision tower with pixel shuffle, imitation": [
    { vision_layers: 1, vision_hidden_size: 40, vision_heads: 5, pixel_shuffle: 2, num_hidden_layers: 1 },
    { objective: "sft", kl: "off" },
    [LARGE],
  ],
};

/** A step with every part of the loss. */
const wholeLoss: StepSettings = {
  ...sftStep,
  kind: { ...sftStep.kind, clipValue: true },
  temperature: 0.7,
  clipHigh: 0.3,
  clipC: 3,
  entropyCoef: 0.1,
  klCoef: 0.3,
  vfCoef: 0.5,
};

const compiled = new Set<string>();

/** The test adapter as a real GPU would describe itself; notes what is compiled for it. */
async function asHardware(largeTiles: readonly TileClass[] = []): Promise<Gpu> {
  const gpu = await testGpu();
  return {
    ...gpu,
    caps: { ...gpu.caps, software: false, largeTiles },
    compile: (spec, constants) => {
      compiled.add(spec.label);
      return gpu.compile(spec, constants);
    },
  };
}

/** Text that is not `END` and no picture. */
const textIds = (length: number, seed: number) =>
  Array.from(noise(length, seed), (x) => 3 + (Math.floor(Math.abs(x) * 1e6) % (VOCAB - 3)));

/** Conversations that open with a picture and whose every other token is predicted. */
function sequences(architecture: ModelArchitecture): Sequence[] {
  const images = imageTokens(architecture);
  let batchStart = 0;
  return LENGTHS.map((length, seed) => {
    const ids = Int32Array.from([
      0,
      ...Array<number>(images).fill(IMAGE_ID),
      ...textIds(length - images - 1, seed + 1),
    ]);
    const sequence = {
      ids,
      imagePatch: Int32Array.from(ids, (_, t) => (t >= 1 && t <= images ? t - 1 : -1)),
      images: [picture(seed, architecture.vision.rows * 8)],
      targetMask: Uint8Array.from(ids, (_, t) => (t > images && t % 2 ? 1 : 0)),
      batchStart,
    };
    batchStart += length;
    return sequence;
  });
}

const architectureOf = (config: Partial<ModelConfig>) =>
  modelArchitecture({ ...base, ...config }, VOCAB, { rows: 2, cols: 2 });

const optionsOf = (architecture: ModelArchitecture) => ({
  architecture,
  microTokens: BATCH_TOKENS,
  batchEpisodes: LENGTHS.length,
  batchTokens: BATCH_TOKENS,
  refPolicy: true,
  fullKl: true,
  keepsRefDistributions: true,
});

/** Log-probabilities and values, the gradients of one loss, its sums, and what the optimiser made of them. */
async function trainOn(gpu: Gpu, architecture: ModelArchitecture, kind: Pick<LossKind, "objective" | "kl">) {
  const engine = await Engine.create(gpu, optionsOf(architecture));
  const { batch, refParams, grads, totals, valueTotals, optimizerState } = engine.buffers;
  const params = initialParameters(parameterLayout(architecture), 3);
  const shift = noise(params.length, 4, 0.1);
  engine.setParameters(params);
  engine.write(
    refParams,
    params.map((x, i) => x + (shift[i] as number)),
  );
  const seqs = sequences(architecture);
  const step = { ...wholeLoss, kind: { ...wholeLoss.kind, ...kind } };
  await engine.score(seqs, step.temperature);
  await engine.scoreRefPolicy(seqs, step.temperature, kind.kl === "full");
  const [logprobs, values] = [await download(gpu, batch.oldLogprobs), await download(gpu, batch.values)];

  // Facts of another policy, the same for both adapters: a last bit of their own must not decide a clip.
  const around = (of: number, seed: number) => noise(BATCH_TOKENS, seed).map((x) => of + x * 0.1);
  engine.write(batch.oldLogprobs, around(-Math.log(VOCAB), 5) as Float32Array<ArrayBuffer>);
  engine.write(batch.values, around(0, 6) as Float32Array<ArrayBuffer>);
  engine.write(batch.returns, around(0.5, 7) as Float32Array<ArrayBuffer>);
  engine.write(batch.rewards, noise(BATCH_TOKENS, 8) as Float32Array<ArrayBuffer>);
  for (const ones of [batch.gaeMask, batch.valueMask, batch.weights])
    engine.write(ones, new Float32Array(BATCH_TOKENS).fill(1));
  engine.write(batch.starts, Uint32Array.from([0, LENGTHS[0], LENGTHS[0] + LENGTHS[1]]));
  await engine.advantages(
    {
      estimator: "masked_gae",
      gamma: 1,
      lam: 0.95,
      turnGamma: 1,
      turnLam: 1,
      turnAnchor: "end",
      groupStd: true,
      lamBy: "off",
      lamParam: 1,
      clock: { gammaTurn: 1, lambdaTurn: 1, lambdaToken: 1, mix: 1 },
      carry: false,
      whiten: "policy",
      klInReward: "off",
      klAfterwards: false,
      klAtEveryToken: false,
      klCoef: 0,
    },
    LENGTHS.length,
    LENGTHS[0] + LENGTHS[1],
  );
  const advantages = await download(gpu, batch.advantages);
  await engine.lossFacts(
    { behaviour: "off", behaviourCap: 1, advantageScale: 1, refPolicy: true },
    BATCH_TOKENS,
  );
  engine.clearTotals();
  await engine.step(seqs, step);
  const result = {
    logprobs,
    values,
    advantages,
    gradients: await engine.readFlat(grads),
    sums: [...(await download(gpu, totals)), ...(await download(gpu, valueTotals))],
    optimiser: await download(gpu, optimizerState),
  };
  engine.dispose();
  return result;
}

/** Replies to two turns of each conversation, over the cache. */
async function decodeWith(
  gpu: Gpu,
  architecture: ModelArchitecture,
  inOneDispatch: boolean,
  conversations = 2,
) {
  const options = optionsOf(architecture);
  const buffers = describeEngine(options);
  const decoding = { slots: conversations + 1, maxContext: 80, maxReply: 20, endOfTurn: END, inOneDispatch };
  const own = describeGenerator(buffers.arena, architecture, decoding, options.microTokens);
  const engine = await Engine.create(gpu, options, buffers);
  engine.setParameters(initialParameters(buffers.layout, 3));
  const generator = new Generator(engine, own, decoding, (id) => id === IMAGE_ID);
  generator.begin(conversations);
  const slots = Array.from({ length: conversations }, (_, slot) => slot);
  const replies = [];
  for (const turn of [0, 1])
    replies.push(
      ...(await generator.generate(
        slots.map((slot) => ({
          slot,
          promptIds: Int32Array.from([
            ...Array<number>(imageTokens(architecture)).fill(IMAGE_ID),
            ...textIds(3 + slot, 20 + 2 * turn + slot),
          ]),
          images: [picture(30 + 2 * turn + slot, architecture.vision.rows * 8)],
          rngKey: 7 + slot,
        })),
        { temperature: 1, topP: 0.95, topK: 40, maxTokens: 20, seed: 5 + turn },
      )),
    );
  engine.dispose();
  return replies;
}

describe.each(Object.entries(VARIANTS))("the kernels of real GPUs: %s", (_, [config, kind, tiles]) => {
  const architecture = architectureOf(config);

  it("train as those of software adapters do, with the same bits for all tiles that are tried", async () => {
    const want = await trainOn(await testGpu(), architecture, kind);
    const [first, ...others] = tiles;
    const got = await trainOn(await asHardware(first), architecture, kind);
    // f32 sums of up to 127 terms in another order.
    expectClose(got.logprobs, want.logprobs, { rtol: 0, atol: 2e-5 });
    expectClose(got.values, want.values, { rtol: 0, atol: 2e-5 });
    expectClose(got.advantages, want.advantages, { rtol: 1e-5, atol: 1e-5 });
    const largest = Math.max(...want.gradients.map(Math.abs));
    expect(largest).toBeGreaterThan(0.01);
    expectClose(got.gradients, want.gradients, { rtol: 1e-4, atol: 1e-5 * largest });
    expectClose(got.sums, want.sums, { rtol: 1e-4, atol: 1e-4 });
    expectClose(got.optimiser, want.optimiser, { rtol: 1e-4, atol: 1e-6 });
    // A run may therefore resume under another choice of tiles.
    for (const other of others)
      expect(await trainOn(await asHardware(other), architecture, kind)).toEqual(got);
  });
});

describe.each([
  ["a dispatch for each layer", false],
  ["one dispatch for a reply", true],
])("decoding on real GPUs with %s", (_, inOneDispatch) => {
  it("samples the same tokens with the same log-probabilities as layer by layer on software", async () => {
    const architecture = architectureOf({ num_key_value_heads: 3, intermediate_size: 104 });
    const want = await decodeWith(await testGpu(), architecture, false);
    const got = await decodeWith(await asHardware(), architecture, inOneDispatch);
    expect(got.map(({ ids }) => [...ids])).toEqual(want.map(({ ids }) => [...ids]));
    expect(want.reduce((sum, { ids }) => sum + ids.length, 0)).toBeGreaterThan(20);
    got.forEach(({ logprobs }, i) => {
      expectClose(logprobs, want[i]!.logprobs, { rtol: 0, atol: 3e-5 });
    });
  });
});

it("decodes three conversations, more than share a workgroup of a small software adapter, as layer by layer", async () => {
  const architecture = architectureOf({ num_key_value_heads: 3, intermediate_size: 104 });
  const gpu = await testGpu();
  // Room for two; the cases of the kernel have four and eight, which compile for longer.
  const small = { ...gpu, caps: { ...gpu.caps, maxWorkgroupMemory: 4096 } };
  const want = await decodeWith(gpu, architecture, false, 3);
  const got = await decodeWith(small, architecture, true, 3);
  expect(got.map(({ ids }) => [...ids])).toEqual(want.map(({ ids }) => [...ids]));
  got.forEach(({ logprobs }, i) => {
    expectClose(logprobs, want[i]!.logprobs, { rtol: 0, atol: 3e-5 });
  });
});

it("ran every variant that only real GPUs choose", () => {
  const folder = join(import.meta.dirname, "../../../shaders");
  const shaders = readdirSync(folder).filter((file) => file.endsWith(".wgsl"));
  const expected = shaders.flatMap((file) => {
    const name = file.replace(".wgsl", "");
    if (/_(staged|large|group)$/.test(name)) return [name];
    const code = readFileSync(join(folder, file), "utf8");
    if (code.includes("lib/decode_workgroup")) return [`${name}_workgroup`];
    return /fn process_(row|column)\(/.test(code) ? [`${name}_workgroup`] : [];
  });
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.filter((label) => !compiled.has(label))).toEqual([]);
});
