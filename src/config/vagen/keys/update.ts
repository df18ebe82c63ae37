// The policy's and the critic's update.
import { getPath } from "../../changes.ts";
import type { RunConfig } from "../../run-config.ts";
import {
  both,
  inEpisodes,
  type KeyMapping,
  legacy,
  lite,
  named,
  type ReadResult,
  type Source,
} from "../key-mapping.ts";
import { KL_NAMES } from "./algorithm.ts";
import { HARDWARE, ONE_OPTIMISER } from "./reasons.ts";

const ACTOR = "actor_rollout_ref.actor";
/** Of VAGEN's rates and of the studio's alike: it is reported when a file is read, and written above the key. */
export const LR_NOTE =
  "A model of billions of parameters needs a rate some hundred times lower than the studio's small policies.";

/** The value of one estimator with the gradient of k2; k2 has its own. */
const STRAIGHT_THROUGH = {
  "k1+": "k1+",
  "kl+": "k1+",
  "k2+": "k2",
  "mse+": "k2",
  "k3+": "k3+",
  "low_var_kl+": "k3+",
};

const CLIP = `${ACTOR}.clip_ratio`;
/** A bound of veRL's; `clip_ratio` counts where it is null. */
const bound = (value: unknown, source: Source): unknown => value ?? source.get(CLIP);

const liteClipLow: KeyMapping = lite(`${CLIP}_low`, "actor.clip_ratio", {
  default: 0.2,
  assumed: true,
  readsNull: true,
  read: (value, source) => ({ value: bound(value, source) }),
  converted: "null is `clip_ratio`.",
});

/** Ours is 0 where the upper bound equals the lower one. */
const liteClipHigh: KeyMapping = lite(`${CLIP}_high`, "actor.clip_ratio_high", {
  default: 0.2,
  assumed: true,
  readsNull: true,
  read: (value, source) => {
    const [high, low] = [bound(value, source), bound(source.get(`${CLIP}_low`), source)];
    return { value: high === low ? 0 : high };
  },
  converted: "null is `clip_ratio`. 0 here if it equals the lower one.",
  write: ({ actor }) => actor.clip_ratio_high || actor.clip_ratio,
});

/** Lite counts prompts with `rollout.n` episodes each; we count episodes. */
const liteMinibatch: KeyMapping = lite(`${ACTOR}.ppo_mini_batch_size`, "actor.ppo_mini_batch_size", {
  default: 256,
  read: (value, source) => inEpisodes(value, source.get("actor_rollout_ref.rollout.n")),
  converted: "VAGEN counts prompts, the studio episodes: multiplied by `actor_rollout_ref.rollout.n`.",
  write: ({ actor, rollout }) => Math.max(1, Math.round(actor.ppo_mini_batch_size / rollout.n_trajectory)),
});

const beta = (index: 0 | 1): KeyMapping =>
  both(`${ACTOR}.optim.betas`, `actor.beta${index + 1}`, {
    read: (value) => ({ value: Array.isArray(value) ? value[index] : value }),
    write: ({ actor }) => [actor.beta1, actor.beta2],
  });

const actorKeys: readonly KeyMapping[] = [
  both(`${ACTOR}.optim.lr`, "actor.lr", { default: 1e-6, note: LR_NOTE }),
  both(`${ACTOR}.optim.weight_decay`, "actor.weight_decay", { default: 0.01 }),
  beta(0),
  beta(1),
  both(`${ACTOR}.optim.lr_warmup_steps`, "actor.lr_warmup_updates", {
    read: (value) =>
      typeof value === "number" && value < 0
        ? { ignored: "Negative: veRL reads lr_warmup_steps_ratio instead." }
        : { value },
  }),
  both(`${ACTOR}.optim.lr_warmup_steps_ratio`, "actor.lr_warmup_steps_ratio", { default: 0, builtIn: 0 }),
  both(`${ACTOR}.optim.min_lr_ratio`, "actor.min_lr_ratio", {}),
  both(`${ACTOR}.optim.warmup_style`, "actor.lr_schedule", { default: "constant" }),
  both(`${ACTOR}.optim.lr_scheduler_type`, "actor.lr_schedule", { default: "constant" }),
  legacy(`${ACTOR}.ppo_mini_batch_size`, "actor.ppo_mini_batch_size", { default: 256 }),
  liteMinibatch,
  both(`${ACTOR}.ppo_epochs`, "actor.ppo_epochs", { default: 1, assumed: true }),
  legacy(CLIP, "actor.clip_ratio", { default: 0.2, assumed: true }),
  lite.written(
    CLIP,
    "veRL reads it only where clip_ratio_low or clip_ratio_high is null; its own file sets both.",
    ({ actor }) => actor.clip_ratio,
    { default: 0.2 },
  ),
  liteClipLow,
  liteClipHigh,
  lite(`${ACTOR}.clip_ratio_c`, "actor.clip_ratio_c", {
    default: 3,
    assumed: true,
    write: ({ actor }) => actor.clip_ratio_c || undefined,
  }),
  lite(`${ACTOR}.policy_loss.loss_mode`, "actor.loss_mode", { default: "vanilla", assumed: true }),
  legacy(`${ACTOR}.entropy_coeff`, "actor.entropy_coeff", { default: 0.001, assumed: true }),
  lite(`${ACTOR}.entropy_coeff`, "actor.entropy_coeff", { default: 0, assumed: true }),
  both(`${ACTOR}.use_kl_loss`, "actor.use_kl_loss", { default: false, assumed: true }),
  both(`${ACTOR}.kl_loss_coef`, "actor.kl_loss_coef", { default: 0.001, assumed: true }),
  both(`${ACTOR}.kl_loss_type`, "actor.kl_loss_type", {
    default: "low_var_kl",
    assumed: true,
    ...named("actor.kl_loss_type", { ...KL_NAMES, ...STRAIGHT_THROUGH }, "low_var_kl"),
  }),
  both(`${ACTOR}.grad_clip`, "actor.grad_clip", { default: 1, assumed: true }),
  legacy(`${ACTOR}.grad_norm_threshold`, "actor.grad_norm_threshold", {
    default: 1000,
    assumed: true,
    write: ({ actor }) => actor.grad_norm_threshold || undefined,
  }),
  ...both.ignored("Every batch is sampled afresh, so its order does not matter.", [`${ACTOR}.shuffle`]),
  ...both.ignoredIn(ACTOR, "Used only by policy losses that the studio does not have.", "policy_loss.*"),
  ...both.ignoredIn(
    ACTOR,
    HARDWARE,
    `strategy ppo_micro_batch_size use_dynamic_bsz ppo_max_token_len_per_gpu ulysses_sequence_parallel_size fsdp_config.* megatron.*
    use_torch_compile entropy_from_logits_with_chunking entropy_checkpointing profiler.*`,
  ),
  ...both.ignored("The learning rate's schedule ends with the run.", [`${ACTOR}.optim.total_training_steps`]),
];

const AS_ACTORS = "0 here if it equals the actor's: the critic is then trained in the policy's steps.";

/** 0 where the actor has the same value: nothing but the number of optimiser steps would tell the critic's own apart. */
const unlessActors =
  (name: string, read: NonNullable<KeyMapping["read"]>): NonNullable<KeyMapping["read"]> =>
  (value, source) =>
    value === source.get(`${ACTOR}.${name}`) ? { value: 0 } : read(value, source);

export const VALUE_CLIP_OFF = "There 0 keeps values about where they were; here it means no clipping.";

/** How far the critic's values may move, of VAGEN's and AReaL's. */
export const readValueClip = (range: unknown): ReadResult =>
  range === 0 ? { value: range, note: VALUE_CLIP_OFF } : { value: range };

const criticKeys: readonly KeyMapping[] = [
  both("critic.optim.lr", "critic.lr", { default: 1e-5, note: LR_NOTE }),
  both("critic.grad_clip", "critic.grad_clip", {
    default: 1,
    assumed: true,
    write: ({ critic }) => critic.grad_clip || undefined,
  }),
  both("critic.cliprange_value", "critic.cliprange_value", {
    default: 0.5,
    assumed: true,
    read: readValueClip,
    converted: VALUE_CLIP_OFF,
    write: ({ critic }) => critic.cliprange_value || undefined,
  }),
  both("critic.ppo_epochs", "critic.ppo_epochs", {
    read: unlessActors("ppo_epochs", (value) => ({ value })),
    converted: AS_ACTORS,
    write: ({ critic }) => critic.ppo_epochs || undefined,
  }),
  legacy("critic.ppo_mini_batch_size", "critic.ppo_mini_batch_size", {
    read: unlessActors("ppo_mini_batch_size", (value) => ({ value })),
    converted: AS_ACTORS,
    write: ({ critic }) => critic.ppo_mini_batch_size || undefined,
  }),
  lite("critic.ppo_mini_batch_size", "critic.ppo_mini_batch_size", {
    read: unlessActors("ppo_mini_batch_size", (value, source) =>
      inEpisodes(value, source.get("actor_rollout_ref.rollout.n")),
    ),
    converted: `${AS_ACTORS} VAGEN counts prompts, the studio episodes: multiplied by \`actor_rollout_ref.rollout.n\`.`,
    write: ({ critic: { ppo_mini_batch_size: size }, rollout }) =>
      size ? Math.max(1, Math.round(size / rollout.n_trajectory)) : undefined,
  }),
  ...both.ignoredIn(
    "critic",
    ONE_OPTIMISER,
    `optim.weight_decay optim.betas optim.lr_warmup_steps
    optim.lr_warmup_steps_ratio optim.min_lr_ratio optim.warmup_style optim.lr_scheduler_type
    optim.total_training_steps shuffle`,
  ),
  ...both.ignoredIn(
    "critic",
    HARDWARE,
    `strategy ppo_micro_batch_size forward_micro_batch_size
    forward_micro_batch_size_per_gpu use_dynamic_bsz ppo_max_token_len_per_gpu
    forward_max_token_len_per_gpu ulysses_sequence_parallel_size rollout_n profiler.* megatron.*`,
  ),
];

/** veRL's value is the first step that trains the policy; ours is the number of updates before it. */
const criticWarmup: KeyMapping = both("trainer.critic_warmup", "trainer.critic_warmup", {
  default: 0,
  assumed: true,
  read: (step) =>
    typeof step === "number" && step > 0
      ? { value: step - 1, note: `VAGEN trains the policy from step ${step} on.` }
      : { value: step },
  converted:
    "VAGEN's value is the first step that trains the policy, ours the number of updates before it: one less, except that 0 is 0.",
  write: ({ trainer: { critic_warmup: updates } }) => (updates > 0 ? updates + 1 : 0),
});

/** The longest interval that the schema allows. */
const LONGEST = 100000;
const NEVER_SAVED = "Never becomes the longest interval; the end of a run is always saved.";
const isNever = (value: unknown): boolean => typeof value === "number" && value <= 0;

const lengthKeys: readonly KeyMapping[] = [
  both("trainer.total_training_steps", "trainer.total_updates", { default: null }),
  criticWarmup,
  both("trainer.test_freq", "trainer.test_freq", {
    default: -1,
    read: (value) => (isNever(value) ? { value: 0, note: "Never is 0 here: only at the end." } : { value }),
    converted: "Never is -1 in VAGEN and 0 here, which means only at the end.",
    write: never("trainer.test_freq", 0),
  }),
  both("trainer.save_freq", "trainer.save_freq", {
    default: -1,
    read: (value) => (isNever(value) ? { value: LONGEST, note: NEVER_SAVED } : { value }),
    converted: `Never is -1 in VAGEN and the longest interval, ${LONGEST}, here.`,
    write: never("trainer.save_freq", LONGEST),
  }),
  both("trainer.experiment_name", "name", { default: "gsm8k" }),
];

/** Writes -1, VAGEN's value for never, where ours is `never`. */
function never(path: string, never: number) {
  return (config: RunConfig) => (getPath(config, path) === never ? -1 : getPath(config, path));
}

export const updateKeys: readonly KeyMapping[] = [...actorKeys, ...criticKeys, ...lengthKeys];
