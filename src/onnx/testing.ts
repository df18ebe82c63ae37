// Test aid: bundled checkpoints as ONNX sessions of onnxruntime-node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { createMutex } from "../core/mutex.ts";
import type { Trajectory } from "../core/types.ts";
import { loadEnv } from "../envs/index.ts";
import { type Checkpoint, decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { runSize } from "../run/size.ts";
import { policyToOnnx } from "./export-policy.ts";
import { OrtPolicy, type OrtSession } from "./ort-policy.ts";

const folder = join(import.meta.dirname, "../../public/checkpoints");

/** A checkpoint that ships with the studio, and its configuration with the least memory for training. */
export async function bundledPolicy(name: string): Promise<{ checkpoint: Checkpoint; config: RunConfig }> {
  const bytes = new Uint8Array(readFileSync(join(folder, `${name}.safetensors`)));
  const checkpoint = await decodeCheckpoint(bytes, name);
  const stored = checkedRunConfig(checkpoint.meta.config);
  await loadEnv(stored.env.name);
  const config: RunConfig = {
    ...stored,
    rollout: { ...stored.rollout, train_batch_size: 1 },
    sft: { ...stored.sft, train_batch_size: 1 },
    actor: { ...stored.actor, use_kl_loss: false },
    // Two episodes at a time: a kernel that decodes more of them compiles for longer.
    trainer: { ...stored.trainer, val_size: 2, val_sets: {} },
  };
  return { checkpoint, config };
}

export const openSession = (onnx: Uint8Array): Promise<InferenceSession> =>
  InferenceSession.create(onnx, { intraOpNumThreads: 1 });

/** The policy of a checkpoint, exported and opened. */
export async function ortPolicy(checkpoint: Checkpoint, config: RunConfig) {
  const { task, architecture, generatorOptions } = runSize(config);
  const maxPositions = generatorOptions.maxContext;
  const onnx = policyToOnnx(checkpoint, architecture, maxPositions);
  const session = await openSession(onnx);
  const { image, eos: endOfTurn } = task.vocabulary;
  const options = { session, architecture, image, endOfTurn, maxPositions, mutex: createMutex() };
  return { task, architecture, session, onnx, policy: new OrtPolicy(options) };
}

/** Logits and values of all tokens of a conversation, in one pass. */
export async function logitsOf(
  session: OrtSession,
  architecture: ModelArchitecture,
  { tokens: { ids, imagePatch }, turns }: Trajectory,
): Promise<{ logits: Float32Array; values: Float32Array }> {
  const { vision, decoder } = architecture;
  const images = turns.flatMap(({ observation }) => observation.images);
  const int64 = (values: Iterable<number>, dims: number[]) =>
    new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  const places = [...ids.keys()].filter((t) => imagePatch[t] >= 0);
  const size = [images.length, vision.rows * vision.patch, vision.cols * vision.patch, 4];
  const pixels = Uint8Array.from(images.flatMap(({ data }) => [...data]));
  const empty = () => new Tensor("float32", new Float32Array(0), [1, decoder.kvHeads, 0, decoder.headDim]);
  const cache = Array.from({ length: decoder.layers }, (_, i) => [
    [`past_key_values.${i}.key`, empty()],
    [`past_key_values.${i}.value`, empty()],
  ]);
  const { logits, value } = await session.run({
    input_ids: int64(ids, [1, ids.length]),
    position_ids: int64(ids.keys(), [1, ids.length]),
    image_positions: int64(places, [places.length]),
    pixel_values: new Tensor("uint8", pixels, size),
    ...Object.fromEntries(cache.flat()),
  });
  return { logits: logits.data as Float32Array, values: value.data as Float32Array };
}
