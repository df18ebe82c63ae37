// AReaL's configuration of an experiment. Its pictures with questions become visual-math, asked in AReaL's own workflow.
import { NORM_EPS } from "../../../rl/normalise.ts";
import { areal, inEpisodes, type KeyMapping, type ReadResult, type Source } from "../key-mapping.ts";
import { advantageKeys } from "./areal-advantages.ts";
import { decoupledKeys, SAPO } from "./areal-decoupled.ts";
import { HARDWARE, LOGGING, MODEL, STORAGE } from "./reasons.ts";
import { LR_NOTE, readValueClip, VALUE_CLIP_OFF } from "./update.ts";

const SAMPLES = "gconfig.n_samples";
const BATCH = "train_dataset.batch_size";
/** The longest reply that the studio samples. */
const LONGEST_REPLY = 2048;
const INTERVAL = "The studio counts updates; set trainer.save_freq and trainer.test_freq.";

const ADV_NORM = "actor.adv_norm";

/** What AReaL's `NormConfig` has where a section leaves a level out. */
const USUAL_LEVEL = "batch";

/** A level of a normalisation; null is none. `off` is ours where there is no such section. */
const level = (section: string, name: string, path: string, off: string): KeyMapping =>
  areal(`${section}.${name}`, path, {
    default: USUAL_LEVEL,
    assumed: true,
    readsNull: true,
    read: (value, source) => ({ value: source.gives(section) ? (value ?? "none") : off }),
    converted: `null is \`none\`. Without the section: \`${off}\`.`,
  });

/** A number of the deviation, of which the studio has one value. Where no deviation is taken, it is not read. */
const ofDeviation = (section: string, name: string, path: string, builtIn: unknown): KeyMapping =>
  areal(`${section}.${name}`, path, {
    default: builtIn,
    builtIn,
    read: (value, source) =>
      source.get(`${section}.std_level`) === null ? { ignored: "No deviation is taken." } : { value },
  });

const normalisation = (section: string, prefix: string, off: string): KeyMapping[] => [
  level(section, "mean_level", `${prefix}_mean_level`, off),
  level(section, "std_level", `${prefix}_std_level`, off),
  areal(`${section}.mean_leave1out`, `${prefix}_mean_leave1out`, { default: false, assumed: true }),
  ...areal.ignored("The studio knows the groups of a batch.", [`${section}.group_size`]),
  ofDeviation(section, "std_unbiased", `${prefix}_std_unbiased`, true),
  ofDeviation(section, "eps", `${prefix}_eps`, NORM_EPS),
];

const sampling: readonly KeyMapping[] = [
  areal(BATCH, "rollout.train_batch_size", {
    read: (value, source) => inEpisodes(value, source.get(SAMPLES)),
    converted: `AReaL counts questions, the studio episodes: multiplied by \`${SAMPLES}\`.`,
  }),
  areal(SAMPLES, "rollout.n_trajectory", { default: 1, assumed: true }),
  areal("gconfig.max_new_tokens", "rollout.response_length", {
    read: (value) =>
      Number(value) > LONGEST_REPLY
        ? { value: LONGEST_REPLY, note: "The studio's longest reply." }
        : { value },
    converted: `At most ${LONGEST_REPLY}.`,
  }),
  areal("gconfig.temperature", "rollout.temperature", { default: 1, assumed: true }),
  areal("gconfig.top_p", "rollout.top_p", { default: 1, assumed: true }),
  areal("gconfig.top_k", "rollout.top_k", {
    read: (value) => ({ value: Number(value) > 1000 ? 0 : value }),
    converted: "A number above 1000, AReaL's way to turn it off, is 0.",
  }),
  ...areal.ignored("Episodes of training are sampled, and a reply ends where the policy ends it.", [
    "gconfig.greedy",
    "gconfig.min_new_tokens",
    "gconfig.max_tokens",
    "gconfig.stop_token_ids",
    "gconfig.frequency_penalty",
  ]),
  areal("max_turns", "rollout.max_turns", { default: 2, assumed: true }),
  areal("agent_run_args.max_turns", "rollout.max_turns", {}),
  areal("turn_discount", "rollout.turn_discount", {}),
  areal("export_style", "rollout.export_style", {}),
  areal("rollout.max_head_offpolicyness", "rollout.max_head_offpolicyness", {}),
];

const optimiser: readonly KeyMapping[] = [
  areal("actor.optimizer.lr", "actor.lr", { note: LR_NOTE }),
  areal("actor.optimizer.weight_decay", "actor.weight_decay", {}),
  areal("actor.optimizer.beta1", "actor.beta1", {}),
  areal("actor.optimizer.beta2", "actor.beta2", {}),
  areal("actor.optimizer.lr_scheduler_type", "actor.lr_schedule", {}),
  areal("actor.optimizer.min_lr_ratio", "actor.min_lr_ratio", {}),
  areal("actor.optimizer.gradient_clipping", "actor.grad_clip", { default: 1 }),
  areal("actor.optimizer.warmup_steps_proportion", "actor.lr_warmup_steps_ratio", { builtIn: 0 }),
  ...areal.ignored("The studio has one optimiser, AdamW.", ["actor.optimizer.*"]),
  areal("critic.optimizer.lr", "critic.lr", { note: LR_NOTE }),
  areal("critic.eps_clip", "critic.cliprange_value", {
    default: 0.5,
    read: readValueClip,
    converted: VALUE_CLIP_OFF,
    write: ({ critic }) => critic.cliprange_value || undefined,
  }),
  ...areal.ignored("The critic learns as the policy does.", ["critic.*"]),
];

/** AReaL divides a batch into this many minibatches; the studio says how many episodes one has. */
function minibatch(parts: unknown, source: Source): ReadResult {
  const all = inEpisodes(source.get(BATCH), source.get(SAMPLES));
  if (!("value" in all) || typeof all.value !== "number" || typeof parts !== "number" || parts < 1)
    return { ignored: "The size of the batch is not a number." };
  return {
    value: Math.max(1, Math.floor(all.value / parts)),
    note: `${all.value} episodes in ${parts} parts.`,
  };
}

const KL_ESTIMATOR = "actor.kl_estimator";
const UNCLAMPED = "AReaL clamps every estimate of a token to ±10, the studio those of k3 only.";

const rewards: readonly KeyMapping[] = [
  areal("actor.reward_scaling", "algorithm.reward_scaling", { default: 1, assumed: true }),
  areal("actor.reward_bias", "algorithm.reward_bias", { default: 0, assumed: true }),
  areal("actor.reward_clip", "algorithm.reward_clip", { default: 20, assumed: true }),
  areal("actor.overlong_tokens", "algorithm.overlong_tokens", {
    read: (value, source) =>
      source.get("actor.overlong_reward_penalty") === true ? { value } : { ignored: "The penalty is off." },
  }),
  areal("actor.overlong_penalty_factor", "algorithm.overlong_penalty_factor", {}),
  areal("actor.mask_no_eos_with_zero", "algorithm.mask_no_eos_with_zero", {
    default: false,
    builtIn: false,
    note: "A reply that was cut is paid as any other.",
  }),
  ...areal.ignored("Read together with actor.overlong_tokens.", ["actor.overlong_reward_penalty"]),
  ...normalisation("actor.reward_norm", "algorithm.reward_norm", "none"),
  // Where advantages are not whitened, the studio's levels stay at their defaults.
  ...normalisation(ADV_NORM, "algorithm.adv_norm", USUAL_LEVEL),
  areal(`${ADV_NORM}.mean_level`, "algorithm.whiten_advantages", {
    default: USUAL_LEVEL,
    assumed: true,
    readsNull: true,
    read: (_, source) => ({ value: source.gives(ADV_NORM) }),
    converted: "On where there is such a section.",
  }),
  areal("actor.kl_ctl", "algorithm.use_kl_in_reward", {
    default: 0.1,
    assumed: true,
    read: (value, source) => {
      const isOn = Number(value) > 0;
      return isOn && source.get(KL_ESTIMATOR) !== "k3" ? { value: isOn, note: UNCLAMPED } : { value: isOn };
    },
    converted: "On above 0.",
  }),
  areal("actor.kl_ctl", "algorithm.kl_coef", { default: 0.1, assumed: true }),
  areal(KL_ESTIMATOR, "algorithm.kl_penalty", {
    default: "k1",
    assumed: true,
    read: (value) => (value === "k3" ? { value } : { value, note: UNCLAMPED }),
    converted: UNCLAMPED,
  }),
];

/** The loss of a ratio for each token or sequence; SAPO, where it is on, has one of its own. */
function lossOfLevel(level: unknown, source: Source): ReadResult {
  if (source.get(SAPO) !== true)
    return { value: level === "token" ? "vanilla" : level === "sequence" ? "gspo" : level };
  return level === "sequence"
    ? {
        refused: `actor.importance_sampling_level is "sequence"; the studio's sapo has a ratio for each token. Set it to token.`,
      }
    : { ignored: `${SAPO} says which loss.` };
}

const loss: readonly KeyMapping[] = [
  areal("actor.eps_clip", "actor.clip_ratio", { default: 0.2, assumed: true }),
  areal("actor.eps_clip_higher", "actor.clip_ratio_high", {}),
  areal("actor.c_clip", "actor.clip_ratio_c", {}),
  areal("actor.ppo_n_minibatches", "actor.ppo_mini_batch_size", {
    default: 4,
    assumed: true,
    read: minibatch,
    converted: "The number of minibatches; the studio has their size.",
  }),
  ...decoupledKeys,
  areal("actor.importance_sampling_level", "actor.loss_mode", {
    default: "token",
    assumed: true,
    read: lossOfLevel,
    converted: "`token` is `vanilla`, `sequence` is `gspo`.",
  }),
  areal(SAPO, "actor.loss_mode", {
    default: false,
    switches: [SAPO],
    read: (value) =>
      value === true ? { value: "sapo" } : { ignored: "actor.importance_sampling_level says which loss." },
    converted: "On is `sapo`.",
  }),
  areal("actor.dynamic_sampling", "algorithm.filter", {
    read: (value) => ({ value: value === true ? "dynamic" : "off" }),
    converted: "On is `dynamic`.",
  }),
  ...areal.ignored("The studio computes them with a forward pass, and has no other way.", [
    "actor.prox_logp_method",
  ]),
];

const rest: readonly KeyMapping[] = [
  areal("experiment_name", "name", {}),
  areal("total_train_steps", "trainer.total_updates", {}),
  areal("saver.freq_steps", "trainer.save_freq", {}),
  areal("evaluator.freq_steps", "trainer.test_freq", {}),
  ...areal.ignored(INTERVAL, ["total_train_epochs", "saver.*", "evaluator.*", "recover.*", "checkpointer.*"]),
  ...areal.ignored("Read as the task, by its path.", ["train_dataset.*", "valid_dataset.*"]),
  ...areal.ignored(MODEL, ["tokenizer_path", "ref.*", "teacher.*"]),
  ...areal.ignoredIn(
    "actor",
    MODEL,
    `experiment_name trial_name path init_from_scratch disable_dropout attn_impl
    use_lora lora_rank lora_alpha target_modules temperature max_new_tokens group_size group_adv_norm
    context_length weight_update_mode log_agent_stats log_agent_stats_keys`,
  ),
  ...areal.ignoredIn(
    "actor",
    HARDWARE,
    `gradient_checkpointing dtype grad_reduce_dtype mb_spec.* pad_to_maximum backend fsdp.* megatron.* archon.*
    scheduling_spec scheduling_spec.* scheduling_strategy.* enable_offload`,
  ),
  ...areal.ignored(HARDWARE, [
    "cluster.*",
    "allocation_mode",
    "scheduler.*",
    "launcher.*",
    "sglang.*",
    "vllm.*",
    "rollout.*",
    "enable_offload",
    "async_training",
    "context_length",
  ]),
  ...areal.ignored(LOGGING, ["stats_logger.*", "perf_tracer.*", "trial_name"]),
  ...areal.ignored(STORAGE, ["fileroot"]),
];

export const arealKeys: readonly KeyMapping[] = [
  ...sampling,
  ...optimiser,
  ...rewards,
  ...advantageKeys,
  ...loss,
  ...rest,
];
