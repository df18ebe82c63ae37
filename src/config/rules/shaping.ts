// Shaped rewards and normalised advantages.
import { listed, message, setting, value } from "../../core/message.ts";
import { comparable } from "./batch.ts";
import { estimatorOf } from "./registered.ts";
import { choices, defaults, problem, type Rule } from "./rule.ts";

/** A penalty for overlong tokens when there are none. */
const overlongTokens: Rule = ({ algorithm: { overlong_tokens: tokens, overlong_penalty_factor: factor } }) =>
  tokens > 0 || factor === 1
    ? null
    : problem(
        "algorithm.overlong_penalty_factor",
        message`it is the price of overlong tokens, and ${setting("algorithm.overlong_tokens")} is 0`,
        message`Set ${setting("algorithm.overlong_tokens")}, or this to 1.`,
        1,
      );

/** AReaL's shaping applies to the one reward of a sequence. */
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
        message`it shapes the one reward of an episode, and with ${setting("rollout.use_multi_turn_reward")} every turn has one`,
        message`Turn off ${setting("rollout.use_multi_turn_reward")}, or set ${setting("rollout.workflow")} to ${value("rollout.workflow", "areal")}.`,
        { path: "rollout.use_multi_turn_reward", value: false },
      )
    : null;
};

const NORMS = ["reward_norm", "adv_norm"] as const;

/** A group of one has nothing to compare: normalised, every reward would be 0. */
const normGroups: Rule = ({ algorithm, rollout: { n_trajectory: size, train_batch_size: batch } }) => {
  const names = NORMS.flatMap((norm) => [`${norm}_mean_level`, `${norm}_std_level`] as const);
  const grouped = names.find((name) => algorithm[name] === "group");
  const path = `algorithm.${grouped}`;
  return grouped && size < 2
    ? problem(
        "rollout.n_trajectory",
        message`${setting(path)} compares the episodes of one level, so there must be at least 2`,
        message`Use 4 or 8, or set ${setting(path)} to ${value(path, "batch")}.`,
        comparable(batch),
      )
    : null;
};

const othersHaveMean: Rule = ({ algorithm }) => {
  const norm = NORMS.find(
    (name) => algorithm[`${name}_mean_leave1out`] && algorithm[`${name}_mean_level`] === "none",
  );
  const level = `algorithm.${norm}_mean_level`;
  return norm
    ? problem(
        `algorithm.${norm}_mean_leave1out`,
        "no mean is subtracted that could leave something out",
        message`Set ${setting(level)} to ${listed(choices(level, "group", "batch"), "or")}.`,
        false,
      )
    : null;
};

/** Levels only matter where advantages are whitened. */
const levelsWhiten: Rule = ({ algorithm }) => {
  const { adv_norm_mean_level: mean, adv_norm_std_level: std, adv_norm_mean_leave1out: others } = algorithm;
  const changed = mean !== "batch" ? "mean_level" : std !== "batch" ? "std_level" : "mean_leave1out";
  if (mean === "batch" && std === "batch" && !others) return null;
  const isNormalised = estimatorOf(algorithm)?.whitenOver === "none";
  if (algorithm.whiten_advantages && !isNormalised) return null;
  const estimator = "algorithm.adv_estimator";
  return problem(
    `algorithm.adv_norm_${changed}`,
    isNormalised
      ? message`the advantages of ${value(estimator, algorithm.adv_estimator)} are normalised already`
      : message`it says how advantages are whitened, and ${setting("algorithm.whiten_advantages")} is off`,
    isNormalised
      ? message`Set ${setting(estimator)} to ${value(estimator, "reinforce_plus_plus")}, which with ${setting("algorithm.carry_across_turns")} is REINFORCE with this whitening, or leave this at its default.`
      : message`Turn on ${setting("algorithm.whiten_advantages")}.`,
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
