// How episodes are played: batch, turns, sampling.
import {
  both,
  inEpisodes,
  type KeyMapping,
  legacy,
  lite,
  type ReadResult,
  type Source,
} from "../key-mapping.ts";
import { SERVER_STATE_REWARD } from "../parse/script.ts";
import { asynchronousKeys } from "./asynchronous.ts";
import { CONCAT, HARNESS, isWrittenForAugust } from "./august.ts";
import { ENGINE, HARDWARE, SERVICE, TEXT } from "./reasons.ts";

const ROLLOUT = "actor_rollout_ref.rollout";
const VAL = `${ROLLOUT}.val_kwargs`;
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

/** Whether each turn is a sequence of its own. */
const splitsTurns = (source: Source): boolean =>
  source.isOfAugust ? source.get(HARNESS) === "no_concat" : source.get(CONCAT) === false;

/** Reads `concat_multi_turn`, which the generation of August 2026 does not have. */
const beforeAugust =
  (ours: (value: unknown) => unknown): NonNullable<KeyMapping["read"]> =>
  (value, source) =>
    source.isOfAugust ? { ignored: `${HARNESS} replaces it.` } : { value: ours(value) };

/** VAGEN's own default is null, which is concat. */
const layoutOf = (value: unknown): string => String(value ?? "concat");

/** A setting that a layout of the newest generation fixes. */
const harness = (path: string, values: Readonly<Record<string, unknown>>, note?: string): KeyMapping =>
  lite(HARNESS, path, {
    default: null,
    assumed: true,
    readsNull: true,
    read: (value, source) =>
      source.isOfAugust && Object.hasOwn(values, layoutOf(value))
        ? { value: values[layoutOf(value)], ...(note !== undefined && { note }) }
        : { ignored: `See ${HARNESS}.` },
    write: () => undefined,
    ...(note !== undefined && { note }),
  });

/** A budget of the layout compact. VAGEN leaves it out with null, which is 0 here. */
const compactBudget = (name: string, others: Partial<KeyMapping>): KeyMapping =>
  lite(`trainer.${name}`, `trainer.${name}`, {
    readsNull: true,
    read: (value, source) =>
      source.get(HARNESS) === "compact"
        ? { value: value ?? 0 }
        : { ignored: "Only the layout compact uses it." },
    write: ({ trainer }) =>
      trainer.harness === "compact"
        ? trainer[name as "compact_budget" | "compact_summary_budget"] || null
        : undefined,
    converted: "Empty (null) in VAGEN is 0 here.",
    ...others,
  });

const layout: readonly KeyMapping[] = [
  harness("rollout.window_size", { concat: MOST_TURNS, no_concat: 0, compact: MOST_TURNS }),
  harness(
    "rollout.use_multi_turn_reward",
    { concat: true, no_concat: true, compact: true },
    "The newest generation records rewards where they are earned; the estimator moves them.",
  ),
  lite(HARNESS, HARNESS, {
    default: null,
    assumed: true,
    readsNull: true,
    read: (value, source) =>
      source.isOfAugust ? { value: layoutOf(value) } : { ignored: `${CONCAT} decides.` },
    converted: "null is `concat`.",
    write: (config) => (isWrittenForAugust(config) ? config.trainer.harness : undefined),
  }),
  compactBudget("compact_budget", { default: 4000, assumed: true, note: LENGTH_NOTE }),
  compactBudget("compact_summary_budget", { default: null }),
];

/** Lite samples validations only with `do_sample`; else they are greedy, as one half of ours always is. */
const sampledValidation = (name: string, path: string, off?: number): KeyMapping =>
  lite(`${VAL}.${name}`, path, {
    read: (value, source) => {
      if (source.get(`${VAL}.do_sample`) !== true || value === 0)
        return { ignored: "Greedy. The studio also plays every validation level greedily." };
      return { value: value === off ? 0 : value };
    },
    write: () => undefined,
    note: `Without \`${VAL}.do_sample\` veRL validates greedily. The studio always plays the levels greedily as well.`,
  });

/** `top_k` of VAGEN's in our terms. */
const readTopK = (value: unknown): ReadResult =>
  value === -1 ? { value: 0, note: "Off is 0 here." } : { value };

/** The legacy release validates with the sampling settings of training. */
const asInTraining = (name: string, usual: number, read?: KeyMapping["read"]): KeyMapping =>
  legacy(`${ROLLOUT}.${name}`, `trainer.val_${name}`, {
    default: usual,
    assumed: true,
    ...(read && { read }),
    write: () => undefined,
    note: AS_IN_TRAINING,
  });
const AS_IN_TRAINING =
  "The legacy release validates as it trains. The studio always plays the levels greedily as well.";

/** Tokens of an episode beyond its first prompt, where one number limits all of it. */
const trajectoryBudget = (key: string): KeyMapping =>
  legacy(key, "rollout.max_episode_tokens", {
    read: (value, source) => {
      const prompt = source.get(MAX_PROMPT);
      if (typeof value !== "number" || typeof prompt !== "number") return { value };
      const note = `${value} less the ${prompt} of ${MAX_PROMPT}. VAGEN cuts the beginning of longer episodes, the studio ends them.`;
      return value > prompt ? { value: value - prompt, note } : { ignored: "No more than the prompt." };
    },
    converted: `Less \`${MAX_PROMPT}\`. VAGEN cuts the beginning of longer episodes, the studio ends them.`,
    write: ({ rollout: { max_episode_tokens: budget } }) =>
      budget > 0 ? budget + PROMPT_DEFAULT : undefined,
  });
const MAX_PROMPT = "data.max_prompt_length";
const PROMPT_DEFAULT = 512;

/** In Lite this limits one reply only where each turn is a sequence; otherwise the dataset file limits it. */
const liteResponse: KeyMapping = lite("data.max_response_length", "rollout.response_length", {
  default: 8000,
  switches: [CONCAT],
  read: (value, source) =>
    splitsTurns(source)
      ? { value, note: LENGTH_NOTE }
      : { ignored: "The budget of a whole episode; response_length_per_turn of the dataset limits a reply." },
  write: () => undefined,
  converted: "Only where each turn is a sequence; otherwise it is the budget of a whole episode.",
});
const liteBudget: KeyMapping = lite("data.max_response_length", "rollout.max_episode_tokens", {
  default: 8000,
  switches: [CONCAT],
  read: (value, source) =>
    splitsTurns(source)
      ? { ignored: "Each turn is a sequence, so it limits a reply." }
      : { value, note: LENGTH_NOTE },
  write: ({ rollout, trainer }) =>
    trainer.harness !== "no_concat" && rollout.max_episode_tokens > 0
      ? rollout.max_episode_tokens
      : undefined,
  converted: "Only where a sequence has several turns.",
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
    read: beforeAugust((value) => (value === false ? 0 : MOST_TURNS)),
    write: () => undefined,
    note: "Where each turn is a sequence, the policy sees only the current observation.",
  }),
  legacy("data.max_response_length", "rollout.response_length", { default: 512, note: LENGTH_NOTE }),
  liteResponse,
  liteBudget,
  trajectoryBudget("data.max_trajectory_length"),
  trajectoryBudget("rollout_manager.max_trajectory_length"),
  ...layout,
  both(`${ROLLOUT}.temperature`, "rollout.temperature", { default: 1, assumed: true }),
  both(`${ROLLOUT}.top_p`, "rollout.top_p", { default: 1, assumed: true }),
  both(`${ROLLOUT}.top_k`, "rollout.top_k", {
    default: -1,
    assumed: true,
    read: readTopK,
    converted: "Off is -1 in VAGEN and 0 here.",
    write: ({ rollout }) => (rollout.top_k === 0 ? -1 : rollout.top_k),
  }),
  asInTraining("temperature", 1),
  asInTraining("top_p", 1),
  asInTraining("top_k", -1, readTopK),
  legacy("rollout_manager.use_multi_turn_reward", "rollout.use_multi_turn_reward", {
    default: true,
    assumed: true,
  }),
  lite(CONCAT, "rollout.use_multi_turn_reward", {
    default: true,
    assumed: true,
    switches: [CONCAT],
    read: beforeAugust((value) => value === false),
    write: () => undefined,
    note: "Lite rewards an episode once at its end, and turn by turn only where each turn is a sequence.",
  }),
  lite(CONCAT, HARNESS, {
    default: true,
    assumed: true,
    switches: [CONCAT],
    read: beforeAugust((value) => (value === false ? "no_concat" : "concat")),
    write: (config) => (isWrittenForAugust(config) ? undefined : config.trainer.harness !== "no_concat"),
    converted: "`true` is `concat`, `false` is `no_concat`.",
  }),
  legacy("rollout_manager.use_loss_mask", "rollout.use_loss_mask", {
    default: true,
    assumed: true,
  }),
  legacy("rollout_manager.use_gae_mask", "rollout.use_gae_mask", {
    default: true,
    assumed: true,
    read: (value, source) =>
      source.get("algorithm.adv_estimator") === "gae"
        ? { value: false, note: "Legacy gae has no mask: it also whitens over every token." }
        : { value },
    converted: "Off with `gae`, which does not read it.",
  }),
  legacy.written(
    USE_SERVICE,
    "Read together with the dataset's use_state_reward: the legacy judge is part of the server of environments.",
    ({ reward }) => reward.use_state_reward,
    { default: false, switches: [USE_SERVICE] },
  ),
  ...legacy.ignored("The group is n_trajectory; VAGEN keeps this at 1.", [`${ROLLOUT}.n`]),
  ...legacy.ignored("The studio ends an episode at its budget and never cuts its beginning.", [
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
    layered_summon ignore_eos disable_log_stats use_fire_sampling
    update_weights_bucket_megabytes skip_tokenizer_init`,
  ),
  ...legacy.ignoredIn(ROLLOUT, ENGINE, "calculate_log_probs"),
  ...both.ignoredIn(
    ROLLOUT,
    HARDWARE,
    `log_prob_micro_batch_size log_prob_micro_batch_size_per_gpu log_prob_use_dynamic_bsz
    log_prob_max_token_len_per_gpu`,
  ),
  ...both.ignored("Episodes of training are sampled; a temperature of 0 is greedy.", [
    `${ROLLOUT}.do_sample`,
  ]),
  both(`${VAL}.n`, "trainer.val_n", { default: 1, write: () => undefined }),
  sampledValidation("temperature", "trainer.val_temperature"),
  sampledValidation("top_p", "trainer.val_top_p"),
  sampledValidation("top_k", "trainer.val_top_k", -1),
  ...lite.ignored("Read together with the validation's temperature.", [`${VAL}.do_sample`]),
  ...legacy.ignored("The legacy release validates as it trains, and reads no setting of its own for it.", [
    ...["do_sample", "temperature", "top_p", "top_k"].map((name) => `${VAL}.${name}`),
  ]),
  ...both.ignored(ENGINE, [`${VAL}.*`]),
  lite(`${ROLLOUT}.seed`, "seed", { write: () => undefined }),
  ...lite.ignored("The same seed and device always give the same run here.", [`${ROLLOUT}.full_determinism`]),
  ...asynchronousKeys,
  legacy.unset(
    SERVER_STATE_REWARD,
    "Of the server of environments, which has the judge; read together with the dataset's use_state_reward.",
    { switches: [SERVER_STATE_REWARD] },
  ),
  ...legacy.ignoredIn("server", SERVICE, "host port debug"),
  ...both.ignored(TEXT, [`${ROLLOUT}.prompt_length`, `${ROLLOUT}.response_length`]),
];
