// How episodes are played: batch, turns, sampling.
import { both, inEpisodes, type KeyMapping, legacy, lite } from "../key-mapping.ts";
import { ENGINE, HARDWARE, SERVICE, TEXT } from "./reasons.ts";

const ROLLOUT = "actor_rollout_ref.rollout";
const CONCAT = "trainer.concat_multi_turn";
/** Whether the legacy trainer plays on the server of environments. */
export const USE_SERVICE = "rollout_manager.use_service";
/** The most turns that an episode of ours can have. */
const MOST_TURNS = 20;
const LENGTH_NOTE =
  "Counted in the studio's own vocabulary, where a word is one token; a pretrained model needs a few times as many.";

/** VAGEN counts levels, which a group of episodes plays; we count episodes. */
const batch = (line: typeof legacy, group: string): KeyMapping =>
  line("data.train_batch_size", "rollout.train_batch_size", {
    read: (value, source) => inEpisodes(value, source.get(group)),
    converted: `VAGEN counts levels, the studio episodes: multiplied by \`${group}\`.`,
    write: ({ rollout }) => rollout.train_batch_size / rollout.n_trajectory,
  });

/** In Lite this limits one reply only where each turn is a sequence; otherwise the dataset file limits it. */
const liteResponse: KeyMapping = lite("data.max_response_length", "rollout.response_length", {
  default: 8000,
  switches: [CONCAT],
  read: (value, source) =>
    source.get(CONCAT) === false
      ? { value, note: LENGTH_NOTE }
      : { ignored: "The budget of a whole episode; response_length_per_turn of the dataset limits a reply." },
  write: () => undefined,
  converted: "Only where each turn is a sequence; otherwise it is the budget of a whole episode.",
});

export const rolloutKeys: readonly KeyMapping[] = [
  batch(legacy, "rollout_manager.n_trajectory"),
  batch(lite, `${ROLLOUT}.n`),
  legacy("rollout_manager.n_trajectory", "rollout.n_trajectory", { default: 1, assumed: true }),
  lite(`${ROLLOUT}.n`, "rollout.n_trajectory", { default: 1, assumed: true }),
  legacy("rollout_manager.max_turns", "rollout.max_turns", { default: 5, assumed: true }),
  legacy("rollout_manager.window_size", "rollout.window_size", {
    default: 5,
    assumed: true,
    // A window of our longest episode covers the whole conversation.
    read: (value) => ({ value: typeof value === "number" ? Math.min(value, MOST_TURNS) : value }),
    note: "A shorter window than the episode is refused: VAGEN samples with a part of the conversation and trains on all of it.",
  }),
  lite(CONCAT, "rollout.window_size", {
    default: true,
    assumed: true,
    switches: [CONCAT],
    read: (value) => ({ value: value === false ? 0 : MOST_TURNS }),
    write: () => undefined,
    note: "Where each turn is a sequence, the policy sees only the current observation.",
  }),
  legacy("data.max_response_length", "rollout.response_length", { default: 512, note: LENGTH_NOTE }),
  liteResponse,
  both(`${ROLLOUT}.temperature`, "rollout.temperature", { default: 1, assumed: true }),
  both(`${ROLLOUT}.top_p`, "rollout.top_p", { default: 1, assumed: true }),
  both(`${ROLLOUT}.top_k`, "rollout.top_k", {
    default: -1,
    assumed: true,
    read: (value) => (value === -1 ? { value: 0, note: "Off is 0 here." } : { value }),
    converted: "Off is -1 in VAGEN and 0 here.",
    write: ({ rollout }) => (rollout.top_k === 0 ? -1 : rollout.top_k),
  }),
  legacy("rollout_manager.use_multi_turn_reward", "rollout.use_multi_turn_reward", {
    default: true,
    assumed: true,
  }),
  lite(CONCAT, "rollout.use_multi_turn_reward", {
    default: true,
    assumed: true,
    switches: [CONCAT],
    read: (value) => ({ value: value === false }),
    write: () => undefined,
    note: "Lite rewards an episode once at its end, and turn by turn only where each turn is a sequence.",
  }),
  lite(CONCAT, CONCAT, { default: true, assumed: true }),
  legacy("rollout_manager.use_loss_mask", "rollout.use_loss_mask", {
    default: true,
    assumed: true,
  }),
  legacy("rollout_manager.use_gae_mask", "rollout.use_gae_mask", {
    default: true,
    assumed: true,
  }),
  legacy.written(
    USE_SERVICE,
    "Read together with the dataset's use_state_reward: the legacy judge is part of the server of environments.",
    ({ reward }) => reward.use_state_reward,
    { default: false, switches: [USE_SERVICE] },
  ),
  ...legacy.ignored("The group is n_trajectory; VAGEN keeps this at 1.", [`${ROLLOUT}.n`]),
  ...legacy.ignored("An episode is as long as its turns; nothing is cut to a budget.", [
    "data.max_trajectory_length",
    "rollout_manager.max_trajectory_length",
    "rollout_manager.truncation",
  ]),
  ...legacy.ignored("The studio marks the policy's tokens when it samples them; no markers are needed.", [
    "rollout_manager.special_token_for_loss_mask",
  ]),
  ...legacy.ignoredIn("rollout_manager", SERVICE, "base_url timeout max_workers mini_batch_size"),
  ...legacy.ignored(HARDWARE, ["rollout_manager.n_gpus_per_node"]),
  lite.written(`${ROLLOUT}.multi_turn.enable`, "An episode always has turns here.", () => true),
  ...both.ignoredIn(
    ROLLOUT,
    ENGINE,
    `name mode agent.* multi_turn.* gpu_memory_utilization tensor_model_parallel_size enforce_eager
    free_cache_engine enable_chunked_prefill enable_prefix_caching max_num_batched_tokens
    max_num_seqs max_model_len limit_mm_per_prompt limit_images engine_kwargs.* dtype load_format
    layered_summon ignore_eos disable_log_stats use_fire_sampling calculate_log_probs
    update_weights_bucket_megabytes`,
  ),
  ...both.ignoredIn(
    ROLLOUT,
    HARDWARE,
    `log_prob_micro_batch_size log_prob_micro_batch_size_per_gpu log_prob_use_dynamic_bsz
    log_prob_max_token_len_per_gpu`,
  ),
  ...both.ignored("Episodes of training are sampled; a temperature of 0 is greedy.", [
    `${ROLLOUT}.do_sample`,
  ]),
  ...both.ignored("The studio validates twice each time: sampled at temperature 1, and greedily.", [
    `${ROLLOUT}.val_kwargs.*`,
  ]),
  ...both.ignored(TEXT, [`${ROLLOUT}.prompt_length`, `${ROLLOUT}.response_length`]),
];
