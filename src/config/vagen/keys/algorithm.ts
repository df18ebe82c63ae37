// Advantages, the KL penalty in the reward, filters.
import { estimatorOf } from "../../rules/registered.ts";
import { both, type KeyMapping, legacy, lite, named, type ReadResult, type Source } from "../key-mapping.ts";
import { AUGUST_NAMES, isWrittenForAugust, VARIABLE_CLOCK } from "./august.ts";

const ADV = "algorithm.adv_estimator";
const TURN_GAMMA = "algorithm.high_level_gamma";
const USE_REF = "actor_rollout_ref.ref.use_ref";
const USE_KL_LOSS = "actor_rollout_ref.actor.use_kl_loss";
const FILTERS = "filter.enable";
/** veRL's names of the KL estimators and ours. */
export const KL_NAMES = { kl: "k1", k1: "k1", mse: "k2", k2: "k2", low_var_kl: "k3", k3: "k3", abs: "abs" };

/**
 * Legacy estimators that read rewards at every token: their KL is subtracted at prompts and observations too. The masked ones
 * read only their own tokens.
 */
const READ_EVERY_TOKEN: readonly string[] = ["gae", "grpo"];

/** Names that are the same here. */
const same = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** Those that the legacy release computes. Its code also lists rloo, remax and reinforce_plus_plus, but raises on them. */
const LEGACY_NAMES = same("gae", "masked_gae", "bi_level_gae", "turn_wise_gae", "grpo");

/** Lite's `gae` skips tokens that the policy did not write; ours that does so is `masked_gae`. */
const LITE_NAMES = {
  gae: "masked_gae",
  ...same("grpo", "grpo_passk", "rloo", "opo", "remax"),
  ...same("reinforce_plus_plus", "reinforce_plus_plus_baseline"),
  ...same("no_concat_gae", "no_concat_gae_last"),
  // veRL computes these for all groups at once. rloo_vectorized differs from ours only for a group of one, which the studio refuses.
  grpo_vectorized: "grpo",
  rloo_vectorized: "rloo",
};

const LITE_NOTES = { gae: "Lite's gae passes over observation tokens; here that is masked_gae." };

/**
 * From August 2026 on Lite has two estimators of one name: the published one, which high_level_gamma belongs to, and a later one
 * with a clock that ticks at the ends of turns.
 */
const liteEstimator: KeyMapping = lite(ADV, ADV, {
  default: "gae",
  assumed: true,
  ...named(ADV, LITE_NAMES, "gae", LITE_NOTES),
});
const estimatorOfAugust: KeyMapping = {
  ...liteEstimator,
  defaultFor: (source) => (source.isOfAugust ? "default_gae" : undefined),
  converted: `${liteEstimator.converted} \`bi_level_gae\` is the published one where \`${TURN_GAMMA}\` is given, else \`${VARIABLE_CLOCK}\`. From August 2026 on the default is \`default_gae\`.`,
  // An earlier release refuses a name that it does not have, which is better than another estimator.
  write: (config) => {
    const { adv_estimator: ours } = config.algorithm;
    const isOlder = Object.values(LITE_NAMES).includes(ours) && !isWrittenForAugust(config);
    return (isOlder ? undefined : AUGUST_NAMES[ours]) ?? liteEstimator.write!(config);
  },
  read(value, source) {
    if (value !== "bi_level_gae") return liteEstimator.read!(value, source);
    const isPublished = source.get(TURN_GAMMA) !== undefined;
    const note = isPublished
      ? `The published Bi-Level GAE, because the files set ${TURN_GAMMA}.`
      : `The later one, with a clock of turns; the published one has ${TURN_GAMMA}.`;
    return { value: isPublished ? value : VARIABLE_CLOCK, note };
  },
};

/** The legacy trainer subtracts the KL from the reward if it has a ref policy and no KL in its loss. */
const legacyKlInReward: KeyMapping = legacy(USE_REF, "algorithm.use_kl_in_reward", {
  default: true,
  assumed: true,
  switches: [USE_REF, USE_KL_LOSS],
  read: (value, source) => ({ value: value === true && source.get(USE_KL_LOSS) !== true }),
  write: ({ algorithm, actor }) => algorithm.use_kl_in_reward || actor.use_kl_loss,
  note: "The legacy trainer subtracts the KL from the reward when it has a ref policy and no KL in the loss.",
});

/** Settings of a filter that is off have no effect, so they are ignored. */
const onlyFiltering: Pick<KeyMapping, "read" | "switches"> = {
  switches: [FILTERS],
  read: (value, source) => (source.get(FILTERS) === true ? { value } : { ignored: "The filter is off." }),
};

/** `enable` and `name` of the filter are one setting of ours. */
const filter: KeyMapping = lite("filter.name", "algorithm.filter", {
  default: "reward_variance_top_p",
  assumed: true,
  switches: [FILTERS],
  read: (value, source) => ({ value: source.get(FILTERS) === true ? value : "off" }),
  write: ({ algorithm }) => (algorithm.filter === "off" ? undefined : algorithm.filter),
});

const REWARD_MASK = "critic.use_reward_mask";

/** Whether the legacy critic learns at the ends of turns only. Here the estimator decides. */
const rewardMask: KeyMapping = legacy.written(
  REWARD_MASK,
  "Where the critic learns follows from the estimator: turn_wise_gae trains it at turn ends, the others at every token of the policy.",
  ({ algorithm }) => algorithm.adv_estimator === TURN_WISE,
  {
    default: false,
    switches: [REWARD_MASK],
    read(masked, source) {
      const estimator = String(source.get(ADV));
      if (estimator === TURN_WISE && masked === false)
        return {
          refused: `${REWARD_MASK} is false; ${TURN_WISE} trains the critic at turn ends only, in VAGEN as here. Set it to true.`,
        };
      return masked === true && CRITIC_AT_EVERY_TOKEN.includes(estimator)
        ? { unsupported: `With ${estimator} the studio's critic learns at every token of the policy.` }
        : { value: masked };
    },
  },
);
const TURN_WISE = "turn_wise_gae";
/** Legacy estimators with a critic that the studio trains at every token. */
const CRITIC_AT_EVERY_TOKEN: readonly string[] = ["gae", "masked_gae", "bi_level_gae"];

const MASK_IS_LEFT_OUT = `VAGEN refuses to start ${TURN_WISE} without ${REWARD_MASK}=true, which the files leave out; the studio trains the critic at turn ends as with it.`;

const legacyEstimator: KeyMapping = legacy(ADV, ADV, {
  default: "gae",
  assumed: true,
  ...named(ADV, LEGACY_NAMES, "masked_gae"),
  read: (value, source) =>
    value === TURN_WISE && !source.gives(REWARD_MASK) ? { value, note: MASK_IS_LEFT_OUT } : { value },
});

export const algorithmKeys: readonly KeyMapping[] = [
  legacyEstimator,
  legacy(ADV, "algorithm.kl_in_reward_tokens", {
    default: "gae",
    assumed: true,
    read: (value) =>
      READ_EVERY_TOKEN.includes(String(value))
        ? {
            value: "all",
            note: `Legacy ${value} reads the KL at every token, also of prompts and observations.`,
          }
        : { value: "policy" },
    converted: `${READ_EVERY_TOKEN.map((name) => `\`${name}\``).join(" and ")} read the KL at every token.`,
    write: () => undefined,
  }),
  estimatorOfAugust,
  both("algorithm.gamma", "algorithm.gamma", { default: 1, assumed: true }),
  both("algorithm.lam", "algorithm.lam", { default: 1, assumed: true }),
  legacy("algorithm.high_level_gamma", "algorithm.high_level_gamma", { default: 0.99, assumed: true }),
  // Without it bi_level_gae is the one with a clock of turns.
  lite(TURN_GAMMA, TURN_GAMMA, {
    write: ({ algorithm }) =>
      algorithm.adv_estimator === VARIABLE_CLOCK ? undefined : algorithm.high_level_gamma,
  }),
  ...["gamma_turn", "lambda_turn", "lambda_token", "bi_level_mix"].map((name) =>
    lite(`algorithm.${name}`, `algorithm.${name}`, {}),
  ),
  ...lite.ignored("The studio marks where the critic learns with a mask.", ["algorithm.ignore_return"]),
  legacyKlInReward,
  lite("algorithm.use_kl_in_reward", "algorithm.use_kl_in_reward", { default: false, assumed: true }),
  both("algorithm.kl_penalty", "algorithm.kl_penalty", {
    default: "kl",
    assumed: true,
    ...named("algorithm.kl_penalty", KL_NAMES, "kl"),
  }),
  both("algorithm.kl_ctrl.kl_coef", "algorithm.kl_coef", { default: 0.001, assumed: true }),
  both("algorithm.kl_ctrl.type", "algorithm.kl_ctrl_type", { default: "fixed" }),
  both("algorithm.kl_ctrl.target_kl", "algorithm.target_kl", { default: 0.1, read: onlyAdaptive }),
  both("algorithm.kl_ctrl.horizon", "algorithm.horizon", { default: 10000, read: onlyAdaptive }),
  lite("algorithm.norm_adv_by_std_in_grpo", "algorithm.norm_adv_by_std_in_grpo", { default: true }),
  lite.written(FILTERS, "Read together with filter.name.", ({ algorithm }) => algorithm.filter !== "off", {
    default: false,
    switches: [FILTERS],
  }),
  filter,
  lite("filter.filter_kwargs.top_p", "algorithm.filter_top_p", { default: 0.9, ...onlyFiltering }),
  lite("filter.filter_kwargs.topk", "algorithm.filter_topk", { default: 0.2, ...onlyFiltering }),
  lite("filter.filter_kwargs.ddof", "algorithm.filter_ddof", { default: 0, builtIn: 0, ...onlyFiltering }),
  ...lite.ignored("Only custom filters use it.", ["filter.filter_kwargs.*"]),
  lite.written(
    "critic.enable",
    "Whether there is a critic follows from the estimator.",
    ({ algorithm }) => estimatorOf(algorithm)?.valueTokens !== "none",
  ),
  rewardMask,
  both("algorithm.use_pf_ppo", "algorithm.use_pf_ppo", {
    default: false,
    builtIn: false,
    note: "veRL resamples a batch by its rewards with it.",
  }),
  ...both.ignored("Only algorithm.use_pf_ppo uses it.", ["algorithm.pf_ppo.*"]),
  ...both.ignored("Used only by estimators that the studio does not have.", [
    "algorithm.gdpo_reward_keys",
    "algorithm.gdpo_reward_weights",
  ]),
];

function onlyAdaptive(value: unknown, source: Source): ReadResult {
  return source.get("algorithm.kl_ctrl.type") === "adaptive"
    ? { value }
    : { ignored: "The coefficient is fixed." };
}
