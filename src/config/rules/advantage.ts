// Masks, critic and KL that an estimator needs.
import { listed, message, setting, value } from "../../core/message.ts";
import { estimatorOf } from "./registered.ts";
import { choices, problem, type Rule } from "./rule.ts";

const ESTIMATOR = "algorithm.adv_estimator";
const ANCHOR = "algorithm.turn_value_anchor";
const CONTROL = "algorithm.kl_ctrl_type";
const LAYOUT = "trainer.harness";
const CONCAT = value(LAYOUT, "concat");
const STYLE = "rollout.export_style";

/** Sequences of one episode repeat its observations and replies as history, which must count once. */
const sequencesAreMasked: Rule = ({ trainer, algorithm, rollout }) => {
  const isConcat = trainer.harness === "concat";
  if (isConcat && rollout.export_style === "concat") return null;
  const history =
    trainer.harness === "compact"
      ? "conversations after a summary repeat the opening and the summary, which must not get an advantage in each of them"
      : "where each turn is a sequence, sequences repeat history, which must not get an advantage in each of them";
  const oneSequence = isConcat
    ? message`set ${setting(STYLE)} to ${value(STYLE, "concat")}`
    : message`set ${setting(LAYOUT)} to ${CONCAT}`;
  const reads = [LAYOUT, STYLE];
  if (estimatorOf(algorithm)?.usesEveryToken) {
    const hint = message`Use ${listed(choices(ESTIMATOR, "masked_gae", "no_concat_gae"), "or")}, or ${oneSequence}.`;
    return { ...problem(ESTIMATOR, history, hint, "masked_gae"), reads };
  }
  const mask = (["use_loss_mask", "use_gae_mask"] as const).find((name) => !rollout[name]);
  if (!mask) return null;
  return {
    ...problem(`rollout.${mask}`, history, message`Turn it on, or ${oneSequence}.`, true),
    reads,
  };
};

/** Without the mask a turn begins at the observation before it, whose value is read but, untrained, never learned. */
const anchorIsOwn: Rule = ({ algorithm, rollout: { use_gae_mask: isMasked } }) => {
  const estimator = estimatorOf(algorithm);
  const chosen = estimator?.usesTurnAnchor && algorithm.turn_value_anchor === "start";
  if (isMasked || !(chosen || estimator?.readsTurnStart)) return null;
  return problem(
    "rollout.use_gae_mask",
    message`${value(ESTIMATOR, estimator.id)} reads the value of a turn before its first token, which must be the policy's own`,
    chosen
      ? message`Turn it on, or set ${setting(ANCHOR)} to ${value(ANCHOR, "end")}.`
      : message`Turn it on, or use another ${setting(ESTIMATOR)}.`,
    true,
  );
};

/** Without a critic, updates of the critic alone would train nothing. */
const criticFirst: Rule = ({ algorithm, trainer: { critic_warmup: updates } }) =>
  updates > 0 && estimatorOf(algorithm)?.valueTokens === "none"
    ? problem(
        "trainer.critic_warmup",
        message`${value(ESTIMATOR, algorithm.adv_estimator)} has no critic to train first`,
        message`Use 0, or an ${setting(ESTIMATOR)} with a critic.`,
        0,
      )
    : null;

/** A head's own steps have no gradient for the backbone, which only the policy's steps train. */
const criticAlone: Rule = ({ algorithm, critic, model }) =>
  estimatorOf(algorithm)?.valueTokens !== "none" &&
  model.critic === "head" &&
  !critic.detach_trunk &&
  (critic.ppo_epochs > 0 || critic.ppo_mini_batch_size > 0)
    ? problem(
        "critic.detach_trunk",
        message`the value head has its own optimiser steps (${setting("critic.ppo_epochs")}, ${setting("critic.ppo_mini_batch_size")}), which do not train the backbone`,
        message`Turn it on, set both to 0, or use a separate ${setting("model.critic")}.`,
        true,
      )
    : null;

/** The value after the last token would still be the network's, on another scale than the others. */
const bootstrapsOneCritic: Rule = ({ algorithm, critic }) =>
  critic.asymmetric && algorithm.bootstrap_truncated && estimatorOf(algorithm)?.valueTokens !== "none"
    ? problem(
        "algorithm.bootstrap_truncated",
        message`it takes the value of the last state from the network, and ${setting("critic.asymmetric")} takes all others from the simulator`,
        message`Turn it off, or turn off ${setting("critic.asymmetric")}.`,
        false,
      )
    : null;

/** VAGEN's per-turn GAE uses a turn's score before any KL, so a penalty would change nothing. */
const klInScores: Rule = ({ algorithm }) => {
  const estimator = estimatorOf(algorithm);
  return algorithm.use_kl_in_reward && estimator?.usesScoresOnly
    ? problem(
        "algorithm.use_kl_in_reward",
        message`${value(ESTIMATOR, estimator.id)} takes the advantages of turns from their scores, from which no KL is subtracted`,
        message`Turn it off, or turn on ${setting("actor.use_kl_loss")} instead.`,
        false,
      )
    : null;
};

/** The variable clock discounts at the ends of turns, so that a token discount would be a second one. */
const noTokenDiscount: Rule = ({ algorithm }) =>
  algorithm.gamma !== 1 && estimatorOf(algorithm)?.undiscounted
    ? problem(
        "algorithm.gamma",
        message`${value(ESTIMATOR, algorithm.adv_estimator)} is defined without a discount between tokens`,
        message`Use 1; ${setting("algorithm.gamma_turn")} is its discount.`,
        1,
      )
    : null;

/** A greedy episode has one reward for a whole episode, in the units in which the others are paid. */
const baselineIsComparable: Rule = ({ algorithm, rollout }) => {
  const estimator = estimatorOf(algorithm);
  if (!estimator?.usesBaselines) return null;
  const who = value(ESTIMATOR, estimator.id);
  if (rollout.workflow === "areal" && rollout.export_style === "individual")
    return problem(
      STYLE,
      message`${who} compares an episode with a greedy one, and here every reply is a sequence with a reward of its own`,
      message`Use ${value(STYLE, "concat")}, or another ${setting(ESTIMATOR)}.`,
      "concat",
    );
  const norm = (["reward_norm_mean_level", "reward_norm_std_level"] as const).find(
    (name) => algorithm[name] !== "none",
  );
  return norm
    ? problem(
        `algorithm.${norm}`,
        message`${who} subtracts what a greedy episode earns, which cannot be normalised with the others`,
        message`Use ${value(`algorithm.${norm}`, "none")}, or another ${setting(ESTIMATOR)}.`,
        "none",
      )
    : null;
};

/** Where each turn is a sequence, prompts and history are in several of them, and their KL would count as often. */
const klTokensOnce: Rule = ({ trainer, algorithm, rollout }) =>
  algorithm.use_kl_in_reward &&
  algorithm.kl_in_reward_tokens === "all" &&
  !(trainer.harness === "concat" && (rollout.workflow !== "areal" || rollout.export_style === "concat"))
    ? problem(
        "algorithm.kl_in_reward_tokens",
        message`the KL at prompts and observations would count in every sequence that repeats them`,
        message`Use ${value("algorithm.kl_in_reward_tokens", "policy")}, or one sequence per episode (${setting(LAYOUT)} ${CONCAT} and ${setting(STYLE)} ${value(STYLE, "concat")}).`,
        "policy",
      )
    : null;

/** Adaptive control multiplies once an update: it never leaves 0, and with a shorter horizon it would overshoot, even below 0. */
const klControl: Rule = ({ algorithm, rollout: { train_batch_size: batch } }) => {
  const { use_kl_in_reward: isUsed, kl_ctrl_type: control, kl_coef: coefficient, horizon } = algorithm;
  if (!isUsed || control !== "adaptive") return null;
  if (coefficient === 0)
    return problem(
      "algorithm.kl_coef",
      "adaptive control multiplies it, so it would stay 0",
      message`Use 0.001, or set ${setting(CONTROL)} to ${value(CONTROL, "fixed")}.`,
      0.001,
    );
  return horizon >= batch
    ? null
    : problem(
        "algorithm.horizon",
        message`adaptive control moves the coefficient once an update, and ${setting("rollout.train_batch_size")} is ${batch}`,
        message`Use at least ${batch}, usually many times that, or set ${setting(CONTROL)} to ${value(CONTROL, "fixed")}.`,
        batch,
      );
};

export const advantageRules: readonly Rule[] = [
  sequencesAreMasked,
  anchorIsOwn,
  criticFirst,
  criticAlone,
  bootstrapsOneCritic,
  klInScores,
  noTokenDiscount,
  baselineIsComparable,
  klTokensOnce,
  klControl,
];
