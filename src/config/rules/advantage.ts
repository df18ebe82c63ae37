// Masks, critic and KL, as the estimator needs them.
import { estimatorOf } from "./registered.ts";
import { problem, type Rule } from "./rule.ts";

/** Rows of one episode repeat its observations and replies as history, which must count once. */
const rowsAreMasked: Rule = ({ trainer, algorithm, rollout }) => {
  if (trainer.concat_multi_turn && rollout.export_style === "concat") return null;
  const history =
    "where each turn is a sequence, sequences repeat history, which would carry advantage again in each";
  const oneRow = trainer.concat_multi_turn
    ? 'set rollout.export_style to "concat"'
    : "turn on trainer.concat_multi_turn";
  if (estimatorOf(algorithm)?.usesEveryToken)
    return problem(
      "algorithm.adv_estimator",
      algorithm.adv_estimator,
      history,
      `Use masked_gae or no_concat_gae, or ${oneRow}.`,
      "masked_gae",
    );
  const mask = (["use_loss_mask", "use_gae_mask"] as const).find((name) => !rollout[name]);
  return mask ? problem(`rollout.${mask}`, false, history, `Turn it on, or ${oneRow}.`, true) : null;
};

/** Without the mask a turn begins at the observation before it, whose value is read but, untrained, never learned. */
const anchorIsOwn: Rule = ({ algorithm, rollout: { use_gae_mask: isMasked } }) => {
  const estimator = estimatorOf(algorithm);
  const chosen = estimator?.usesTurnAnchor && algorithm.turn_value_anchor === "start";
  if (isMasked || !(chosen || estimator?.valueTokens === "turn_start")) return null;
  return problem(
    "rollout.use_gae_mask",
    false,
    `${estimator.id} reads the value of a turn before its first token, which must be the policy's own`,
    chosen
      ? 'Turn it on, or set algorithm.turn_value_anchor to "end".'
      : "Turn it on, or use another algorithm.adv_estimator.",
    true,
  );
};

/** Without a critic, updates that train it alone would train nothing. */
const criticFirst: Rule = ({ algorithm, trainer: { critic_warmup: updates } }) =>
  updates > 0 && estimatorOf(algorithm)?.valueTokens === "none"
    ? problem(
        "trainer.critic_warmup",
        updates,
        `${algorithm.adv_estimator} has no critic to train first`,
        "Use 0, or an algorithm.adv_estimator with a critic.",
        0,
      )
    : null;

/** The reference's per-turn GAE takes a turn's score before any KL, so a penalty would change nothing. */
const klInScores: Rule = ({ algorithm }) => {
  const estimator = estimatorOf(algorithm);
  return algorithm.use_kl_in_reward && estimator?.usesScoresOnly
    ? problem(
        "algorithm.use_kl_in_reward",
        true,
        `${estimator.id} takes advantages from the scores of turns, from which no KL is subtracted`,
        "Turn it off, or turn on actor.use_kl_loss instead.",
        false,
      )
    : null;
};

/** Control multiplies, once an update: from 0 it never moves, and in less than an update it would jump, even below 0. */
const klControl: Rule = ({ algorithm, rollout: { train_batch_size: batch } }) => {
  const { use_kl_in_reward: isUsed, kl_ctrl_type: control, kl_coef: coefficient, horizon } = algorithm;
  if (!isUsed || control !== "adaptive") return null;
  if (coefficient === 0)
    return problem(
      "algorithm.kl_coef",
      coefficient,
      "adaptive control multiplies it, so it would stay 0",
      'Use 0.001, or set algorithm.kl_ctrl_type to "fixed".',
      0.001,
    );
  return horizon >= batch
    ? null
    : problem(
        "algorithm.horizon",
        horizon,
        `adaptive control moves once an update, which has ${batch} episodes`,
        `Use at least ${batch}, usually many times that.`,
        batch,
      );
};

export const advantageRules: readonly Rule[] = [rowsAreMasked, anchorIsOwn, criticFirst, klInScores, klControl];
