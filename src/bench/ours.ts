// The studio's own model as an implementation: the engine and generator that training uses, with text only.
import { RunConfig } from "../config/run-config.ts";
import { type Gpu, openGpu } from "../gpu/device.ts";
import { fasterWithLarge, probeTiles, type TileTime } from "../gpu/tile-probe.ts";
import type { GenerateRequest } from "../policy/policy.ts";
import { Engine } from "../policy/wgsl/engine.ts";
import { describeEngine } from "../policy/wgsl/engine-buffers.ts";
import { Generator } from "../policy/wgsl/generator.ts";
import { describeGenerator } from "../policy/wgsl/generator-buffers.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import type { StepSettings } from "../policy/wgsl/step-settings.ts";
import { sftSettings } from "../training/hyperparameters.ts";
import {
  type BenchCase,
  DECODE_CHUNK,
  OPTIMIZER,
  predictions,
  promptTokens,
  startParameters,
} from "./cases.ts";
import type { Implementation } from "./implementation.ts";

/** No id: replies of the benchmark never end early. */
const NEVER = 0xffff_ffff;

/** A step of SFT with everything else off; the value head is computed all the same. */
const settings: StepSettings = {
  ...sftSettings(RunConfig.parse({}), 1),
  vfCoef: 0,
  actorLr: OPTIMIZER.lr,
  criticLr: OPTIMIZER.lr,
  beta1: OPTIMIZER.beta1,
  beta2: OPTIMIZER.beta2,
  weightDecay: OPTIMIZER.weightDecay,
  gradClip: 1e9,
};

export interface OurImplementation extends Implementation {
  readonly engine: Engine;
  /** What chose the tiles of matrix products; none on a software adapter, which has no choice. */
  readonly tiles: readonly TileTime[];
}

/** Allocates the studio's model for `bench` on the best adapter of `provider`. */
export async function ourImplementation(
  provider: GPU | undefined,
  bench: BenchCase,
): Promise<OurImplementation> {
  const { gpu, tiles } = await openTuned(provider);
  const { engine, generator } = await createModel(gpu, bench);
  return {
    name: "studio",
    notes:
      "this repository's engine; also computes the value head and the gradient norm; " +
      `decodes ${DECODE_CHUNK} tokens between two read-backs`,
    engine,
    tiles,
    ...trainingOf(engine, bench),
    ...decodingOf(engine, generator, bench),
    dispose() {
      engine.dispose();
      gpu.destroy();
    },
  };
}

/** The device with the tiles that a probe found to be the fastest. */
async function openTuned(provider: GPU | undefined): Promise<{ gpu: Gpu; tiles: TileTime[] }> {
  const opened = await openGpu(provider);
  const tiles = opened.caps.software ? [] : await probeTiles(opened);
  return { gpu: { ...opened, caps: { ...opened.caps, largeTiles: fasterWithLarge(tiles) } }, tiles };
}

async function createModel(gpu: Gpu, bench: BenchCase): Promise<{ engine: Engine; generator: Generator }> {
  const { architecture, batch, context } = bench;
  const tokens = batch * context;
  const options = {
    architecture,
    microTokens: tokens,
    batchEpisodes: batch,
    batchTokens: tokens,
    refPolicy: false,
    fullKl: false,
  };
  const buffers = describeEngine(options);
  const decoding = { slots: batch, maxContext: context + 1, maxReply: DECODE_CHUNK, endOfTurn: NEVER };
  const generatorBuffers = describeGenerator(buffers.arena, architecture, decoding, tokens);
  const engine = await Engine.create(gpu, options, buffers);
  const generator = new Generator(engine, generatorBuffers, decoding, () => false);
  engine.setParameters(startParameters(bench));
  // The weight of every token in the loss, which a training uploads with its batch.
  engine.write(buffers.batch.weights, new Float32Array(tokens).fill(1));
  return { engine, generator };
}

function trainingOf(engine: Engine, bench: BenchCase) {
  const step = (ids: Int32Array) => engine.step(sequencesOf(bench, ids), settings);
  return {
    async resetTraining() {
      engine.setParameters(startParameters(bench));
      engine.clearTotals();
      await engine.gpu.settle();
    },
    async trainStep(ids: Int32Array) {
      await step(ids);
      await engine.gpu.settle();
    },
    async trainRow(batches: readonly Int32Array[]) {
      for (const ids of batches) await step(ids);
      await engine.gpu.settle();
    },
    async lastLoss() {
      const [sum = Number.NaN] = await engine.readFlat(engine.buffers.totals);
      engine.clearTotals();
      return sum / predictions(bench);
    },
  };
}

function decodingOf(engine: Engine, generator: Generator, bench: BenchCase) {
  const { batch } = bench;
  return {
    async beginDecoding() {
      engine.setParameters(startParameters(bench));
      generator.begin(batch);
      await generator.generate(promptRequests(bench), greedy(1));
    },
    async decodeChunk() {
      const replies = await generator.generate(continuations(batch), greedy(DECODE_CHUNK));
      const ids = new Int32Array(batch * DECODE_CHUNK);
      replies.forEach((reply, i) => {
        ids.set(reply.ids, i * DECODE_CHUNK);
      });
      return ids;
    },
  };
}

/** Every token but the first of each sequence is predicted. */
function sequencesOf({ batch, context }: BenchCase, ids: Int32Array): Sequence[] {
  const imagePatch = new Int32Array(context).fill(-1);
  const targetMask = new Uint8Array(context).fill(1, 1);
  return Array.from({ length: batch }, (_, i) => ({
    ids: ids.subarray(i * context, (i + 1) * context),
    imagePatch,
    images: [],
    targetMask,
    batchStart: i * context,
  }));
}

const greedy = (maxTokens: number) => ({ temperature: 0, topP: 1, topK: 0, maxTokens, seed: 1 });

/** The policy reads no pictures here. */
const request = (slot: number, promptIds: Int32Array): GenerateRequest => ({
  slot,
  promptIds,
  images: [],
  rngKey: slot,
});

function promptRequests(bench: BenchCase): GenerateRequest[] {
  const ids = promptTokens(bench);
  return Array.from({ length: bench.batch }, (_, i) =>
    request(i, ids.subarray(i * bench.prompt, (i + 1) * bench.prompt)),
  );
}

/** An empty prompt: the last sampled token opens the next reply, so no prefill is timed. */
const continuations = (batch: number): GenerateRequest[] =>
  Array.from({ length: batch }, (_, i) => request(i, new Int32Array(0)));
