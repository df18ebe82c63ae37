// One schema is the form, the YAML, the defaults, the documentation and the type. Parse at the edge, trust inside.
// Names follow VAGEN and veRL where they have one, so that a file can travel both ways.
import { z } from "zod";
import { choice, flag, num } from "./field.ts";

export const PROMPT_FORMATS = [
  "no_think",
  "free_think",
  "grounding",
  "worldmodeling",
  "grounding_worldmodeling",
] as const;
export type PromptFormat = (typeof PROMPT_FORMATS)[number];

const env = z.strictObject({
  name: z
    .string()
    .default("frozenlake")
    .meta({ title: "Task", help: "The environment to train in.", apply: "restart", basic: true }),
  config: z.record(z.string(), z.unknown()).default({}).meta({
    title: "Task options",
    help: "Options of the environment; its own schema checks them.",
    apply: "restart",
  }),
});

const rollout = z.strictObject({
  prompt_format: choice(PROMPT_FORMATS, "grounding_worldmodeling", {
    title: "Reasoning format",
    help: "Which parts a reply has: nothing but the action, free thought, a description of the state, a prediction, or both.",
    apply: "restart",
    basic: true,
  }),
  max_turns: num(5, {
    title: "Turns per episode",
    help: "An episode is cut after this many replies. More turns give more chances and cost more tokens.",
    apply: "restart",
    min: 1,
    max: 20,
    int: true,
    slider: [1, 10],
    basic: true,
  }),
  train_batch_size: num(64, {
    title: "Episodes per update",
    help: "Episodes collected before each update. More give a steadier gradient and take longer.",
    apply: "restart",
    min: 2,
    max: 1024,
    int: true,
    slider: [8, 256],
    basic: true,
  }),
  n_trajectory: num(1, {
    title: "Episodes per level",
    help: "How many episodes share one level (a group).",
    apply: "restart",
    min: 1,
    max: 64,
    int: true,
    slider: [1, 16],
  }),
  response_length: num(56, {
    title: "Tokens per reply",
    help: "A reply is cut after this many tokens.",
    apply: "restart",
    min: 4,
    max: 2048,
    int: true,
    slider: [16, 128],
    unit: "tokens",
  }),
  temperature: num(1, {
    title: "Temperature",
    help: "Sampling temperature; 0 is greedy. Higher explores more.",
    apply: "next",
    min: 0,
    max: 5,
    slider: [0.1, 2],
  }),
  top_p: num(1, {
    title: "Top-p",
    help: "Sample from the smallest set of tokens with this much probability. Below 1 the policy loss no longer matches what was sampled; use it for evaluation.",
    apply: "next",
    min: 0.05,
    max: 1,
    slider: [0.5, 1],
  }),
  top_k: num(0, {
    title: "Top-k",
    help: "Sample from the k likeliest tokens; 0 is off.",
    apply: "next",
    min: 0,
    max: 1000,
    int: true,
    slider: [0, 100],
  }),
});

const model = z.strictObject({
  hidden_size: num(64, {
    title: "Width",
    help: "Channels of the residual stream.",
    apply: "restart",
    min: 16,
    max: 4096,
    int: true,
    slider: [32, 512],
  }),
  num_hidden_layers: num(2, {
    title: "Layers",
    help: "Decoder layers.",
    apply: "restart",
    min: 1,
    max: 64,
    int: true,
    slider: [1, 12],
  }),
  num_attention_heads: num(2, {
    title: "Attention heads",
    help: "Query heads per layer; they divide the width.",
    apply: "restart",
    min: 1,
    max: 64,
    int: true,
    slider: [1, 16],
  }),
  num_key_value_heads: num(2, {
    title: "Key/value heads",
    help: "Grouped-query attention: key and value heads; they divide the query heads.",
    apply: "restart",
    min: 1,
    max: 64,
    int: true,
    slider: [1, 16],
  }),
  intermediate_size: num(176, {
    title: "MLP width",
    help: "Channels inside the SwiGLU block; a multiple of 16.",
    apply: "restart",
    min: 16,
    max: 16384,
    int: true,
    slider: [64, 2048],
  }),
  rope_theta: num(2000, {
    title: "RoPE base",
    help: "Base of the rotary position frequencies.",
    apply: "restart",
    min: 10,
    max: 1e7,
  }),
  tie_word_embeddings: flag(false, {
    title: "Tied head",
    help: "Use the token embedding as output head.",
    apply: "restart",
  }),
  vision_layers: num(0, {
    title: "Vision layers",
    help: "Transformer layers in front of the decoder that see one picture at a time; 0 feeds patches straight in.",
    apply: "restart",
    min: 0,
    max: 32,
    int: true,
    slider: [0, 4],
  }),
  vision_hidden_size: num(64, {
    title: "Vision width",
    help: "Channels of the vision tower.",
    apply: "restart",
    min: 16,
    max: 4096,
    int: true,
    slider: [32, 512],
  }),
  vision_heads: num(2, {
    title: "Vision heads",
    help: "Attention heads of the vision tower.",
    apply: "restart",
    min: 1,
    max: 64,
    int: true,
    slider: [1, 16],
  }),
  pixel_shuffle: num(1, {
    title: "Pixel shuffle",
    help: "Merge s×s neighbouring patches into one token before the connector; 1 is off.",
    apply: "restart",
    min: 1,
    max: 4,
    int: true,
  }),
  critic: choice(["head", "separate"], "head", {
    title: "Critic",
    help: "A value head on the policy's trunk (cheap) or a network of its own (about twice the work).",
    apply: "restart",
  }),
});

const sft = z.strictObject({
  total_updates: num(1000, {
    title: "Warm-up updates",
    help: "Supervised imitation before PPO; 0 skips it. Stop late rather than early: clean replies make PPO stable.",
    apply: "restart",
    min: 0,
    max: 100000,
    int: true,
    slider: [0, 4000],
    basic: true,
  }),
  one_turn_updates: num(400, {
    title: "One-turn updates",
    help: "The first warm-up updates show only the first turn, which is several times cheaper.",
    apply: "next",
    min: 0,
    max: 100000,
    int: true,
    slider: [0, 2000],
  }),
  train_batch_size: num(16, {
    title: "Demonstrations per update",
    help: "Freshly generated demonstrations in each warm-up update.",
    apply: "restart",
    min: 1,
    max: 512,
    int: true,
    slider: [8, 64],
  }),
  lr: num(4e-3, {
    title: "Warm-up learning rate",
    help: "Peak learning rate of the warm-up.",
    apply: "live",
    min: 1e-7,
    max: 0.1,
    slider: [1e-4, 1e-2],
    log: true,
  }),
  lr_warmup_steps: num(50, {
    title: "Learning rate warm-up",
    help: "Updates of linear increase to the peak.",
    apply: "next",
    min: 0,
    max: 10000,
    int: true,
  }),
  min_lr_ratio: num(0.05, {
    title: "Final share of the rate",
    help: "The cosine schedule ends at this share of the peak.",
    apply: "next",
    min: 0,
    max: 1,
  }),
  weight_decay: num(0.01, {
    title: "Weight decay",
    help: "Decoupled weight decay on matrices.",
    apply: "live",
    min: 0,
    max: 1,
  }),
  vf_coef: num(0.25, {
    title: "Value loss weight",
    help: "Trains the critic on the demonstrations' returns, so that PPO starts with a warm critic.",
    apply: "live",
    min: 0,
    max: 10,
  }),
  expert_fraction: num(1, {
    title: "Expert share",
    help: "Share of demonstrated turns that are not random and take a shortest-path action instead of the heuristic's. 0: no expert anywhere.",
    apply: "next",
    min: 0,
    max: 1,
    slider: [0, 1],
  }),
  random_fraction: num(0.75, {
    title: "Random share",
    help: "Share of demonstrated turns with random actions.",
    apply: "next",
    min: 0,
    max: 1,
    slider: [0, 1],
  }),
});

const algorithm = z.strictObject({
  adv_estimator: choice(["gae", "masked_gae", "bi_level_gae"], "bi_level_gae", {
    title: "Advantage estimator",
    help: "How credit flows back: over every token, over the policy's own tokens, or over turns first and then within each turn.",
    apply: "next",
    basic: true,
  }),
  gamma: num(1, {
    title: "γ token",
    help: "Discount from token to token.",
    apply: "next",
    min: 0,
    max: 1,
    slider: [0.8, 1],
    basic: true,
  }),
  lam: num(1, {
    title: "λ",
    help: "GAE's trade between bias (0) and variance (1).",
    apply: "next",
    min: 0,
    max: 1,
    slider: [0.8, 1],
    basic: true,
  }),
  high_level_gamma: num(0.95, {
    title: "γ turn",
    help: "Discount from turn to turn; only Bi-Level GAE uses it. Below 1 it also rewards finishing early.",
    apply: "next",
    min: 0,
    max: 1,
    slider: [0.5, 1],
    basic: true,
  }),
  whiten_advantages: flag(true, {
    title: "Whiten advantages",
    help: "Scale the batch's advantages to mean 0 and variance 1 over the policy's tokens.",
    apply: "next",
  }),
  use_kl_in_reward: flag(false, {
    title: "KL in reward",
    help: "Subtract kl_coef·KL from each token's reward.",
    apply: "restart",
  }),
  kl_coef: num(0.001, {
    title: "KL coefficient (reward)",
    help: "Strength of the KL penalty in the reward.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 0.1],
  }),
  kl_penalty: choice(["k1", "k2", "k3"], "k1", {
    title: "KL estimator (reward)",
    help: "Per-token estimator of the KL penalty in the reward.",
    apply: "next",
  }),
});

const actor = z.strictObject({
  lr: num(4e-4, {
    title: "Actor learning rate",
    help: "Too high rises fast and then decays.",
    apply: "live",
    min: 1e-8,
    max: 0.1,
    slider: [1e-6, 3e-3],
    log: true,
    basic: true,
  }),
  clip_ratio: num(0.2, {
    title: "Clip ratio",
    help: "How far a token's probability may move per update before its gradient stops.",
    apply: "live",
    min: 0.001,
    max: 1,
    slider: [0.05, 0.5],
    basic: true,
  }),
  ppo_epochs: num(1, {
    title: "Epochs",
    help: "Passes over each batch.",
    apply: "next",
    min: 1,
    max: 16,
    int: true,
    slider: [1, 8],
  }),
  ppo_mini_batch_size: num(32, {
    title: "Minibatch",
    help: "Episodes per optimiser step.",
    apply: "next",
    min: 1,
    max: 1024,
    int: true,
    slider: [8, 256],
  }),
  entropy_coeff: num(0, {
    title: "Entropy bonus",
    help: "Rewards uncertainty; above 0.01 it dissolves the format.",
    apply: "live",
    min: 0,
    max: 1,
    slider: [0, 0.05],
  }),
  use_kl_loss: flag(true, {
    title: "KL in loss",
    help: "Keep the policy near the warmed-up reference; without it, grounding drifts.",
    apply: "restart",
  }),
  kl_loss_coef: num(0.1, {
    title: "KL coefficient (loss)",
    help: "Strength of the pull to the reference.",
    apply: "live",
    min: 0,
    max: 10,
    slider: [0, 0.5],
    basic: true,
  }),
  kl_loss_type: choice(["full", "k1", "k2", "k3"], "full", {
    title: "KL estimator (loss)",
    help: "full: exact over the vocabulary; k1, k2, k3: from the sampled token.",
    apply: "next",
  }),
  grad_clip: num(1, {
    title: "Gradient clip",
    help: "Largest global gradient norm of a step.",
    apply: "live",
    min: 0.01,
    max: 1000,
    slider: [0.1, 10],
  }),
  beta1: num(0.9, {
    title: "Adam β₁",
    help: "Decay of the first moment.",
    apply: "restart",
    min: 0,
    max: 0.9999,
  }),
  beta2: num(0.98, {
    title: "Adam β₂",
    help: "Decay of the second moment.",
    apply: "restart",
    min: 0,
    max: 0.99999,
  }),
  weight_decay: num(0, {
    title: "Weight decay",
    help: "Decoupled weight decay during PPO.",
    apply: "live",
    min: 0,
    max: 1,
  }),
});

const critic = z.strictObject({
  lr: num(1e-3, {
    title: "Critic learning rate",
    help: "Learning rate of the value head or the separate critic.",
    apply: "live",
    min: 1e-8,
    max: 0.1,
    slider: [1e-5, 1e-2],
    log: true,
  }),
  vf_coef: num(0.5, {
    title: "Value loss weight",
    help: "Weight of the value loss.",
    apply: "live",
    min: 0,
    max: 10,
  }),
  cliprange_value: num(0.5, {
    title: "Value clip",
    help: "How far a value may move per update before its gradient stops.",
    apply: "live",
    min: 0.01,
    max: 100,
    slider: [0.05, 1],
  }),
  detach_trunk: flag(true, {
    title: "Detach critic",
    help: "The value loss does not reach the policy's trunk during PPO.",
    apply: "next",
  }),
});

const reward = z.strictObject({
  use_state_reward: flag(true, {
    title: "Reasoning reward",
    help: "Reward right observations and predictions, judged against the true state.",
    apply: "next",
    basic: true,
  }),
  grounding_reward_weight: num(0.25, {
    title: "Grounding weight",
    help: "Reward for a right description of the state.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 2],
  }),
  worldmodeling_reward_weight: num(0.25, {
    title: "World-modelling weight",
    help: "Reward for a right prediction of the next state.",
    apply: "next",
    min: 0,
    max: 10,
    slider: [0, 2],
  }),
  scale_by_turns: flag(true, {
    title: "Divide by turns",
    help: "Divide format and reasoning rewards by the turns per episode. Without it, talking well for longer pays more than finishing.",
    apply: "next",
  }),
});

const trainer = z.strictObject({
  total_updates: num(80, {
    title: "PPO updates",
    help: "Updates to run.",
    apply: "live",
    min: 0,
    max: 100000,
    int: true,
    slider: [10, 500],
    basic: true,
  }),
  test_freq: num(20, {
    title: "Validate every",
    help: "Updates between validations; 0 only at the end.",
    apply: "next",
    min: 0,
    max: 100000,
    int: true,
    slider: [0, 100],
  }),
  val_size: num(256, {
    title: "Validation levels",
    help: "Levels per validation, from seed 10001 on.",
    apply: "next",
    min: 1,
    max: 1000,
    int: true,
    slider: [16, 256],
  }),
  save_freq: num(20, {
    title: "Checkpoint every",
    help: "Updates between checkpoints.",
    apply: "next",
    min: 1,
    max: 100000,
    int: true,
    slider: [1, 100],
  }),
  micro_batch_tokens: num(4096, {
    title: "Tokens per micro-step",
    help: "Packed tokens in one submission; the largest share of the memory.",
    apply: "restart",
    min: 256,
    max: 1048576,
    int: true,
    slider: [1024, 32768],
  }),
  init_checkpoint: z.string().default("").meta({
    title: "Start from",
    help: "A checkpoint to start from instead of a random policy: a bundled name or a file.",
    apply: "restart",
    basic: true,
  }),
});

/** The complete, checked configuration of a run. */
export const RunConfig = z.strictObject({
  version: z.literal(1).default(1).meta({ title: "Version", help: "Format of this file.", apply: "restart" }),
  name: z
    .string()
    .default("run")
    .meta({ title: "Name", help: "What lists and files call the run.", apply: "live" }),
  description: z
    .string()
    .default("")
    .meta({ title: "Description", help: "What the run is for.", apply: "live" }),
  expected_time: z
    .string()
    .default("")
    .meta({ title: "Expected time", help: "How long it takes and on what, in words.", apply: "live" }),
  seed: num(0, {
    title: "Seed",
    help: "Every random choice of the run follows from it.",
    apply: "restart",
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    int: true,
    basic: true,
  }),
  env: env.prefault({}),
  rollout: rollout.prefault({}),
  model: model.prefault({}),
  sft: sft.prefault({}),
  algorithm: algorithm.prefault({}),
  actor: actor.prefault({}),
  critic: critic.prefault({}),
  reward: reward.prefault({}),
  trainer: trainer.prefault({}),
});
export type RunConfig = z.output<typeof RunConfig>;
export type RunConfigInput = z.input<typeof RunConfig>;

/** Seeds that training draws levels from; validation uses 10001… so no level is ever shared (reference, Lite). */
export const TRAIN_SEEDS = { first: 1, last: 10000 } as const;
export const VALIDATION_FIRST_SEED = 10001;
