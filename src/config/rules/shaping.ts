// Shaped rewards and normalised advantages.

import { comparable } from "./batch.ts";
import { estimatorOf } from "./registered.ts";
import { defaults, problem, type Rule } from "./rule.ts";

/** A penalty for tokens that are none. */
const overlongTokens: Rule = ({ algorithm: { overlong_tokens: tokens, overlong_penalty_factor: factor } }) =>
  tokens > 0 || factor === 1
    ? null
    : problem(
        "algorithm.overlong_penalty_factor",
        factor,
        "it is the price of overlong tokens, and algorithm.overlong_tokens is 0",
        "Set algorithm.overlong_tokens, or this to 1.",
        1,
      );

/** AReaL's shaping is of the one reward that a sequence has. */
const SHAPING = [
  "reward_norm_mean_level",
  "reward_norm_std_level",
  "reward_bias",
  "reward_scaling",
  "reward_clip",
  "overlong_tokens",
] as const;

const oneReward: Rule = ({ algorithm, rollout }) => {
  if (rollout.workflow === "areal" || !rollout.use_multi_turn_reward) return null;
  const shaped = SHAPING.find((name) => algorithm[name] !== defaults.algorithm[name]);
  return shaped
    ? problem(
        `algorithm.${shaped}`,
        algorithm[shaped],
        "it shapes the one reward of an episode, and here every turn has one",
        "Turn off rollout.use_multi_turn_reward.",
        { path: "rollout.use_multi_turn_reward", value: false },
      )
    : null;
};

const NORMS = ["reward_norm", "adv_norm"] as const;

/** A group of one has nothing to compare: normalised, every reward would be 0. */
const normGroups: Rule = ({ algorithm, rollout: { n_trajectory: size, train_batch_size: batch } }) => {
  const paths = NORMS.flatMap((norm) => [`${norm}_mean_level`, `${norm}_std_level`] as const);
  const grouped = paths.find((path) => algorithm[path] === "group");
  return grouped && size < 2
    ? problem(
        "rollout.n_trajectory",
        size,
        `algorithm.${grouped} compares the episodes of one level, so there must be at least 2`,
        `Use 4 or 8, or set algorithm.${grouped} to "batch".`,
        comparable(batch),
      )
    : null;
};

const othersHaveMean: Rule = ({ algorithm }) => {
  const norm = NORMS.find(
    (name) => algorithm[`${name}_mean_leave1out`] && algorithm[`${name}_mean_level`] === "none",
  );
  return norm
    ? problem(
        `algorithm.${norm}_mean_leave1out`,
        true,
        "no mean is subtracted that could leave something out",
        `Set algorithm.${norm}_mean_level to "group" or "batch".`,
        false,
      )
    : null;
};

/** Levels say how advantages are whitened, where they are. */
const levelsWhiten: Rule = ({ algorithm }) => {
  const { adv_norm_mean_level: mean, adv_norm_std_level: std, adv_norm_mean_leave1out: others } = algorithm;
  const changed = mean !== "batch" ? "mean_level" : std !== "batch" ? "std_level" : "mean_leave1out";
  if (mean === "batch" && std === "batch" && !others) return null;
  const isNormalised = estimatorOf(algorithm)?.whitenOver === "none";
  if (algorithm.whiten_advantages && !isNormalised) return null;
  return problem(
    `algorithm.adv_norm_${changed}`,
    algorithm[`adv_norm_${changed}`],
    isNormalised
      ? `the advantages of ${algorithm.adv_estimator} are normalised already`
      : "it says how advantages are whitened, and they are not",
    isNormalised
      ? "Use reinforce_plus_plus, which is REINFORCE with this whitening, or leave it as it was."
      : "Turn on algorithm.whiten_advantages.",
    isNormalised
      ? changed === "mean_leave1out"
        ? false
        : "batch"
      : { path: "algorithm.whiten_advantages", value: true },
  );
};

export const shapingRules: readonly Rule[] = [
  oneReward,
  overlongTokens,
  normGroups,
  othersHaveMean,
  levelsWhiten,
];
