// A tiny checkpoint for tests; the numbers mean nothing.
import type { Checkpoint, CheckpointMeta } from "../checkpoint.ts";
import type { Tensor } from "../safetensors.ts";

/** Two weights with their moments, and a description whose fields can be overridden. */
export function sampleCheckpoint(meta: Partial<CheckpointMeta> = {}): Checkpoint {
  const names = ["param.embed", "param.head", "adam_m.embed", "adam_v.embed"];
  const tensors = names.map((name, i): [string, Tensor] => [
    name,
    { shape: [2, 2], data: Float32Array.of(i, -0.5, 1 / 3, meta.update ?? 0) },
  ]);
  return { meta: { ...base, ...meta }, tensors: new Map(tensors) };
}

const base: CheckpointMeta = {
  format: "vagen-studio-checkpoint",
  version: 1,
  runId: "sample",
  update: 0,
  stage: "ppo",
  config: { name: "sample", seed: 3 },
  vocabulary: { version: 1, hash: "0123456789abcdef", surfaces: ["<eos>", "player at"] },
  counters: { tokens: 1234, episodes: 56, wallMs: 7890 },
  architecture: { hidden_size: 2 },
};
