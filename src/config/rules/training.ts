// The loss of the policy, and the stages of a run.
import { formats } from "../../core/formats.ts";
import { listed, message, setting, value } from "../../core/message.ts";
import { SOLVED_ENVS } from "../../envs/lost.ts";
import { policyLoss } from "../../rl/policy-loss/index.ts";
import { choices, problem, type Rule } from "./rule.ts";

const sharedRatio: Rule = ({ actor: { loss_mode: mode }, rollout }) =>
  policyLoss(mode).ratio === "token" || (rollout.use_loss_mask && rollout.use_gae_mask)
    ? null
    : problem(
        "actor.loss_mode",
        "its ratio is that of the policy's own tokens, so it needs both masks",
        message`Turn on ${setting("rollout.use_loss_mask")} and ${setting("rollout.use_gae_mask")}, or use ${value("actor.loss_mode", "vanilla")}.`,
        "vanilla",
      );

/** At a ratio of 1, where every update begins, the loss of a token with a negative advantage is its advantage: a lower bound has no gradient. */
const secondClip: Rule = ({ actor: { clip_ratio_c: bound } }) =>
  bound === 0 || bound > 1
    ? null
    : problem(
        "actor.clip_ratio_c",
        "it must be above 1, or 0 for off: otherwise tokens with a negative advantage have no gradient from the start",
        "Use 3, as veRL does, or 0.",
        3,
      );

const behaviourIsKnown: Rule = ({ actor, rollout }) =>
  !actor.use_decoupled_loss || rollout.use_loss_mask
    ? null
    : problem(
        "actor.use_decoupled_loss",
        "its weights need the probability with which a token was sampled, which only the policy's own tokens have",
        message`Turn on ${setting("rollout.use_loss_mask")}, or turn this off.`,
        false,
      );

/** A checkpoint holds the claims of the batch that was played ahead, and a resumed run plays that batch again. */
const remembersOnce: Rule = ({ rollout, reward }) => {
  const { use_state_reward: judges, repetition_penalty: own, repetition_penalty_weight: other } = reward;
  if (rollout.max_head_offpolicyness === 0 || !judges || (own === 0 && other === 0)) return null;
  const penalty = own === 0 ? "reward.repetition_penalty_weight" : "reward.repetition_penalty";
  return problem(
    "rollout.max_head_offpolicyness",
    message`it must be 0 with ${setting(penalty)}: a resumed run plays its next batch again, and its claims would be remembered twice`,
    message`Use 0, or set ${setting(penalty)} to 0.`,
    0,
  );
};

const oneTurnUpdates: Rule = ({ sft: { one_turn_updates: first, total_updates: all } }) =>
  // Without SFT the curriculum has nothing to apply to.
  first <= all || all === 0
    ? null
    : problem(
        "sft.one_turn_updates",
        message`it must not exceed ${setting("sft.total_updates")}, which is ${all}`,
        message`Use at most ${all}, or raise ${setting("sft.total_updates")}.`,
        all,
      );

/** Replies of other formats state nothing that could be rehearsed. */
const rehearsesFacts: Rule = ({ sft, rollout: { prompt_format: format } }) =>
  sft.rehearsal_steps === 0 ||
  formats.get(format).parts.some((part) => part === "observation" || part === "reasoning")
    ? null
    : problem(
        "sft.rehearsal_steps",
        message`it must be 0 with ${value("rollout.prompt_format", format)}, whose replies state no facts to rehearse`,
        message`Use 0, or a ${setting("rollout.prompt_format")} with an observation.`,
        0,
      );

/** Greedy replies have no log-probability to improve. */
const temperature: Rule = ({ rollout, trainer }) =>
  rollout.temperature > 0 || trainer.total_updates === 0
    ? null
    : problem(
        "rollout.temperature",
        "PPO learns from sampled replies, so it must be above 0",
        message`Use 1; greedy replies are for evaluation, where ${setting("trainer.total_updates")} is 0.`,
        1,
      );

const covarianceBounds: Rule = ({ actor: { clip_cov_lb: low, clip_cov_ub: high } }) =>
  low < high
    ? null
    : problem(
        "actor.clip_cov_ub",
        message`it must be above ${setting("actor.clip_cov_lb")}, which is ${low}`,
        message`Use more than ${low}.`,
        Math.min(1000, low + 4),
      );

/** Only a solver that decides every state says how and when a game was lost. */
const pivotIsKnown: Rule = ({ actor, env: { name, config } }) =>
  !actor.use_pivot || (SOLVED_ENVS.includes(name) && (config.num_boxes ?? 1) === 1)
    ? null
    : problem(
        "actor.use_pivot",
        SOLVED_ENVS.includes(name)
          ? message`${setting("env.config.num_boxes")} is ${config.num_boxes as number}, and with several boxes the solver does not always know when a game is lost`
          : message`${setting("env.name")} is ${value("env.name", name)}, which has no solver that knows when an episode is lost`,
        SOLVED_ENVS.includes(name)
          ? message`Set ${setting("env.config.num_boxes")} to 1, or turn this off.`
          : message`Set ${setting("env.name")} to ${listed(choices("env.name", ...SOLVED_ENVS), "or")}, or turn this off.`,
        false,
      );

const pivotPictures: Rule = ({ actor, env: { config } }) =>
  !actor.use_pivot || actor.pivot_prefix === "words" || config.render_mode !== "text"
    ? null
    : problem(
        "actor.pivot_prefix",
        message`${setting("env.config.render_mode")} is text, so there are no pictures to show`,
        message`Use ${value("actor.pivot_prefix", "words")}.`,
        "words",
      );

export const trainingRules: readonly Rule[] = [
  sharedRatio,
  pivotIsKnown,
  pivotPictures,
  covarianceBounds,
  secondClip,
  behaviourIsKnown,
  remembersOnce,
  oneTurnUpdates,
  rehearsesFacts,
  temperature,
];
