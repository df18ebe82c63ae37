// Test aid: the smallest model that has every part.
import type { ModelConfig } from "./architecture.ts";

/** Two layers, two heads over one, a value head, and no vision tower. */
export const tinyModel: ModelConfig = {
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
