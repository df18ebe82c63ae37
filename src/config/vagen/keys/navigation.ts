// Options of Navigation in a dataset's entry.
import { entry, type KeyMapping, legacyEntry, liteEntry } from "../key-mapping.ts";

/** Models of billions of parameters read larger pictures, whose size is no multiple of a patch. */
const PICTURES = "The studio's policies have pictures of a size of their own: env.config.resolution.";

const EVALUATED = ["base", "common_sense", "complex_instruction", "visual_appearance", "long_horizon"];
const TRAINED = ["base_train", "common_sense_train", "long_horizon_train"];

/**
 * All options have the same names in both generations, except for those about the format: legacy's `format_reward` and Lite's
 * `per_turn_format_reward` are for a turn, Lite's `format_reward` is for an episode.
 */
export const navigationKeys: readonly KeyMapping[] = [
  legacyEntry("config.eval_set", "env.config.eval_set", { default: "base", theirs: EVALUATED }),
  liteEntry("config.eval_set", "env.config.eval_set", {
    default: "base",
    theirs: [...EVALUATED, ...TRAINED],
  }),
  entry("config.down_sample_ratio", "env.config.down_sample_ratio", { default: 1 }),
  entry("config.fov", "env.config.fov", { default: 100 }),
  legacyEntry("config.step_length", "env.config.step_length", { default: 0.5, assumed: true }),
  liteEntry("config.step_length", "env.config.step_length", { default: 0.3 }),
  legacyEntry("config.success_threshold", "env.config.success_threshold", { default: 1.5, assumed: true }),
  liteEntry("config.success_threshold", "env.config.success_threshold", { default: 1 }),
  entry("config.max_objects_in_state", "env.config.max_objects_in_state", { default: 5 }),
  liteEntry("config.max_steps", "env.config.max_steps", { default: 30 }),
  liteEntry("config.per_turn_format_reward", "env.config.format_reward", { default: 0.01 }),
  liteEntry("config.format_reward", "env.config.episode_format_reward", { default: 0 }),
  ...entry.ignored(PICTURES, ["config.resolution"]),
  ...entry.ignored("The studio shows one view at a time.", ["config.multiview"]),
  ...entry.ignored("VAGEN declares it and does not use it.", ["config.max_action_penalty"]),
  ...liteEntry.ignored("The studio's prompts have no examples.", ["config.example_count"]),
].map((mapping) => ({ ...mapping, env: "navigation" }));
