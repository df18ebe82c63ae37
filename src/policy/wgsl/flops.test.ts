import { expect, test } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { modelArchitecture } from "./architecture.ts";
import { flopsOfPasses, TRAINING_PASSES, trajectoryFlops } from "./flops.ts";

const architecture = (critic: "head" | "separate") =>
  modelArchitecture(
    {
      ...RunConfig.parse({}).model,
      hidden_size: 8,
      num_hidden_layers: 1,
      num_attention_heads: 1,
      num_key_value_heads: 1,
      intermediate_size: 16,
      vision_layers: 0,
      pixel_shuffle: 1,
      critic,
    },
    16,
    { rows: 4, cols: 4 },
  );

test("a worked example: two tokens, one of them with logits, and the backbone again for a separate critic", () => {
  // Each token: 2 · 8 · 3 · 8. Attention: 4 · 2 tokens · 1 of context · 8. The token with logits: 2 · (8 · 8 + 3 · 8 · 16 + 8 · 16).
  const [backbone, logits] = [2 * 384 + 64 + 896, 256];
  const of = (critic: "head" | "separate") => trajectoryFlops(architecture(critic), [2], 1, 0);
  expect(of("head")).toEqual({ policy: backbone + logits, critic: 0 });
  expect(of("separate")).toEqual({ policy: backbone + logits, critic: backbone });
  expect(flopsOfPasses(TRAINING_PASSES, of("separate"))).toBe(3 * (2 * backbone + logits));
});
