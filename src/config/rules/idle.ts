// Which settings have no effect beside the others, and why. Rules refuse what contradicts another setting; these only wait for it.
import { formats } from "../../core/formats.ts";
import { joined, listed, type Message, message, setting, value } from "../../core/message.ts";
import { envs } from "../../envs/index.ts";
import type { AdvantageEstimator } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";
import { type PolicyLoss, policyLoss, policyLossesWith } from "../../rl/policy-loss/index.ts";
import { getPath } from "../changes.ts";
import { furtherEntries } from "../entries.ts";
import type { RunConfig } from "../run-config.ts";
import { AREAL_ONLY } from "./areal.ts";
import { estimatorOf } from "./registered.ts";
import { choices, defaults } from "./rule.ts";

/** Why settings have no effect under a configuration; empty when they have one. */
type Reason = (config: RunConfig) => Message;

type Section = { [S in keyof RunConfig]: RunConfig[S] extends object ? S : never }[keyof RunConfig];
type Name<S extends Section> = keyof RunConfig[S] & string;

/** Paths of settings of one section. */
const of = <S extends Section>(section: S, ...names: readonly Name<S>[]): string[] =>
  names.map((name) => `${section}.${name}`);

/** Paths of all settings of a section but these. */
const restOf = <S extends Section>(section: S, ...without: readonly Name<S>[]): string[] =>
  of(section, ...(Object.keys(defaults[section]) as Name<S>[]).filter((name) => !without.includes(name)));

/** A reason with a text of its own. */
const when =
  (applies: (config: RunConfig) => boolean, reason: Message): Reason =>
  (config) =>
    applies(config) ? reason : "";

/** Settings of which at least one must be on, or above 0. */
const needs =
  (...paths: readonly string[]): Reason =>
  (config) => {
    const unset = paths.map((path) => message`${setting(path)} is ${value(path, getPath(config, path))}`);
    return paths.some((path) => getPath(config, path)) ? "" : message`${listed(unset)}.`;
  };

/** A choice that another setting must have; what extensions add may do as well. */
const only =
  (path: string, choice: string, added: () => readonly { id: string }[] = () => []): Reason =>
  (config) => {
    const fitting = [choice, ...added().map(({ id }) => id)];
    const isFitting = fitting.includes(String(getPath(config, path)));
    return isFitting ? "" : message`Used only if ${setting(path)} is ${value(path, choice)}.`;
  };

/** The first of several reasons that applies. */
const either =
  (...reasons: readonly Reason[]): Reason =>
  (config) =>
    reasons.map((reason) => reason(config)).find((text) => text !== "") ?? "";

type Reads = (estimator: AdvantageEstimator) => boolean;

/** Names the estimators that read a setting, unless the chosen one does. An extension's may be missing. */
const readBy =
  (reads: Reads): Reason =>
  ({ algorithm }) => {
    const estimator = estimatorOf(algorithm);
    if (!estimator || reads(estimator)) return "";
    const readers = estimators.all.filter(reads).map(({ id }) => value("algorithm.adv_estimator", id));
    return message`Used only by ${joined(readers, ", ")}.`;
  };

/** Names the policy losses that read a setting, unless the chosen one does. */
const forLosses =
  (reads: (loss: PolicyLoss) => boolean): Reason =>
  ({ actor: { loss_mode: chosen } }) => {
    if (reads(policyLoss(chosen))) return "";
    const readers = policyLossesWith(reads).map((id) => value("actor.loss_mode", id));
    return message`Used only by ${joined(readers, ", ")}.`;
  };

/** An extension's estimator may read any setting. */
const isOwnOr =
  (reads: Reads): Reads =>
  (estimator) =>
    estimators.added.some(({ id }) => id === estimator.id) || reads(estimator);

const clock: Reads = ({ usesClock }) => usesClock === true;
const byLength: Reads = ({ usesLambdaByLength }) => usesLambdaByLength === true;

const critic = when(
  ({ algorithm }) => estimatorOf(algorithm)?.valueTokens === "none",
  "This estimator has no critic.",
);
const asymmetric = when(
  (config) => config.critic.asymmetric,
  message`${setting("critic.asymmetric")} is on, so PPO does not train the network's values.`,
);
const sharedBackbone = either(
  critic,
  asymmetric,
  when(({ model }) => model.critic !== "head", "A separate critic has its own backbone."),
);
const SCALED = "seq-mean-token-sum-norm";
const turns = readBy(({ usesTurnGamma }) => usesTurnGamma);
const sft = when(
  ({ trainer, sft }) => trainer.init_checkpoint !== "" && !sft.after_checkpoint,
  message`A run that starts from a checkpoint has no SFT unless ${setting("sft.after_checkpoint")} is on.`,
);

const rehearsal = needs("trainer.total_updates");

/** Rehearsal also plays demonstrations. */
const demonstrations: Reason = (config) => {
  const rehearses = config.sft.rehearsal_steps > 0 && rehearsal(config) === "";
  return rehearses ? "" : sft(config);
};

/** Why no claim is paid. */
const judged = either(
  needs("reward.use_state_reward"),
  when(
    ({ judge }) => judge.name === "off",
    message`${setting("judge.name")} is ${value("judge.name", "off")}.`,
  ),
);

/** Why replies have no claim of this kind. */
const statedIn =
  (part: "observation" | "prediction"): Reason =>
  ({ rollout: { prompt_format: format } }) =>
    formats.get(format).parts.includes(part)
      ? ""
      : message`${value("rollout.prompt_format", format)} has no ${part}.`;

/** Settings of SFT that rehearsal reads as well. */
const DEMONSTRATED = ["train_batch_size", "expert_fraction", "random_fraction", "misread_fraction"] as const;

const VARIANCE_FILTERS = ["reward_variance", "reward_variance_top_p"];

const IDLE: readonly (readonly [settings: readonly string[], reason: Reason])[] = [
  [of("rollout", ...AREAL_ONLY.filter((name) => name !== "feedback")), only("rollout.workflow", "areal")],
  [
    of("rollout", "feedback"),
    either(only("rollout.workflow", "areal"), only("rollout.feedback_text", "own")),
  ],
  [
    of("rollout", "reply_reading"),
    when(
      ({ rollout }) => rollout.prompt_format === "boxed",
      message`${value("rollout.prompt_format", "boxed")} is AReaL's format and has one reading.`,
    ),
  ],
  [
    of("rollout", "window_size"),
    when(
      ({ trainer }) => trainer.harness !== "no_concat",
      "The policy sees every earlier turn of its conversation.",
    ),
  ],
  [of("trainer", "compact_budget", "compact_summary_budget"), only("trainer.harness", "compact")],
  [
    of("rollout", "max_inflight_steps"),
    when(
      ({ rollout }) => rollout.max_head_offpolicyness < 2,
      message`Used only if ${setting("rollout.max_head_offpolicyness")} is at least 2.`,
    ),
  ],
  [
    of("rollout", "max_episode_tokens"),
    when(({ rollout }) => rollout.workflow === "areal", "In AReaL's workflow the attempts limit an episode."),
  ],
  [of("algorithm", "gamma"), readBy(({ usesGamma }) => usesGamma !== false)],
  [
    of("algorithm", "lam"),
    either(
      readBy(({ usesLambda }) => usesLambda !== false),
      // An estimator that discounts from turn to turn only has no other λ.
      when(
        ({ algorithm }) => algorithm.use_high_level_lam && estimatorOf(algorithm)?.usesGamma === false,
        "Turns have their own λ, and this estimator has no other.",
      ),
      when(
        ({ algorithm }) =>
          algorithm.lam_by_length !== "off" && estimatorOf(algorithm)?.usesLambdaByLength === true,
        message`${setting("algorithm.lam_by_length")} gives every episode its own.`,
      ),
    ),
  ],
  [of("algorithm", "gamma_turn", "lambda_turn", "lambda_token", "bi_level_mix"), readBy(isOwnOr(clock))],
  [of("algorithm", "lam_by_length"), readBy(isOwnOr(byLength))],
  [of("algorithm", "vapo_alpha"), either(readBy(isOwnOr(byLength)), only("algorithm.lam_by_length", "vapo"))],
  [
    of("algorithm", "relative_position_q"),
    either(readBy(isOwnOr(byLength)), only("algorithm.lam_by_length", "relative_position")),
  ],
  [of("algorithm", "carry_across_turns"), readBy(isOwnOr(({ usesCarry }) => usesCarry === true))],
  [of("algorithm", "high_level_gamma", "use_high_level_lam"), turns],
  [of("algorithm", "high_level_lam"), either(turns, needs("algorithm.use_high_level_lam"))],
  [of("algorithm", "turn_value_anchor"), readBy(isOwnOr(({ usesTurnAnchor }) => usesTurnAnchor === true))],
  [of("algorithm", "norm_adv_by_std_in_grpo"), readBy(isOwnOr(({ usesGroupStd }) => usesGroupStd === true))],
  [
    of("algorithm", "whiten_advantages"),
    when(
      ({ algorithm }) => estimatorOf(algorithm)?.whitenOver === "none",
      "The advantages of this estimator are normalised already.",
    ),
  ],
  [of("algorithm", "filter_topk"), only("algorithm.filter", "reward_variance", () => filters.added)],
  [of("algorithm", "filter_top_p"), only("algorithm.filter", "reward_variance_top_p", () => filters.added)],
  [
    of("algorithm", "filter_ddof"),
    when(
      ({ algorithm: { filter } }) =>
        !VARIANCE_FILTERS.includes(filter) && filters.added.every(({ id }) => id !== filter),
      message`Used only if ${setting("algorithm.filter")} is ${listed(choices("algorithm.filter", ...VARIANCE_FILTERS), "or")}.`,
    ),
  ],
  [of("algorithm", "overlong_penalty_factor"), needs("algorithm.overlong_tokens")],
  [of("algorithm", "kl_coef", "kl_penalty", "kl_ctrl_type"), needs("algorithm.use_kl_in_reward")],
  [
    of("algorithm", "kl_in_reward_tokens"),
    either(
      needs("algorithm.use_kl_in_reward"),
      readBy(isOwnOr(({ usesEveryToken, usesScores }) => Boolean(usesEveryToken || usesScores))),
    ),
  ],
  [
    of("algorithm", "target_kl", "horizon"),
    either(needs("algorithm.use_kl_in_reward"), only("algorithm.kl_ctrl_type", "adaptive")),
  ],
  [of("actor", "pivot_coef", "pivot_beta", "pivot_prefix", "pivot_step"), needs("actor.use_pivot")],
  [of("actor", "behav_imp_weight_cap", "behav_imp_weight_mode"), needs("actor.use_decoupled_loss")],
  [
    of("actor", "recompute_logprob"),
    either(
      when(
        ({ actor }) => actor.use_decoupled_loss,
        message`${setting("actor.use_decoupled_loss")} always scores again.`,
      ),
      when(
        ({ rollout }) => rollout.max_head_offpolicyness > 0,
        "Episodes of an older policy are always scored again.",
      ),
      when(
        ({ algorithm }) => algorithm.bootstrap_truncated,
        message`${setting("algorithm.bootstrap_truncated")} needs values that decoding does not compute.`,
      ),
      when(
        ({ algorithm, rollout }) =>
          !rollout.use_gae_mask ||
          !rollout.use_loss_mask ||
          estimatorOf(algorithm)?.usesEveryToken === true ||
          (algorithm.use_kl_in_reward && algorithm.kl_in_reward_tokens === "all"),
        "The run needs numbers of tokens that the policy did not sample, which decoding does not compute.",
      ),
      when(
        ({ algorithm, critic, model }) =>
          model.critic === "separate" && !critic.asymmetric && estimatorOf(algorithm)?.valueTokens !== "none",
        "A separate critic is not computed while decoding, so episodes are always scored again.",
      ),
    ),
  ],
  [
    of("actor", "min_lr_ratio"),
    when(({ actor }) => actor.lr_schedule === "constant", "The schedule is constant."),
  ],
  [of("actor", "kl_loss_coef", "kl_loss_type"), needs("actor.use_kl_loss")],
  [of("algorithm", "bootstrap_truncated"), critic],
  [of("model", "critic"), critic],
  [
    of(
      "critic",
      "lr",
      "vf_coef",
      "ppo_epochs",
      "ppo_mini_batch_size",
      "cliprange_value",
      "grad_clip",
      "loss_agg_mode",
    ),
    either(critic, asymmetric),
  ],
  [
    of("critic", "cliprange_relative"),
    either(
      critic,
      asymmetric,
      when(({ critic: { cliprange_value } }) => cliprange_value === 0, "Values are not clipped."),
    ),
  ],
  [of("critic", "asymmetric"), critic],
  [of("actor", "clip_ratio", "clip_ratio_high"), forLosses(({ clips }) => clips === true)],
  [of("actor", "clip_ratio_c"), forLosses(({ clipsTwice }) => clipsTwice === true)],
  [of("actor", "tau_pos", "tau_neg"), forLosses(({ objective }) => objective === "sapo")],
  [
    of("actor", "clip_cov_ratio", "clip_cov_lb", "clip_cov_ub"),
    forLosses(({ objective }) => objective === "clip_cov"),
  ],
  [of("actor", "kl_cov_ratio", "ppo_kl_coef"), forLosses(({ objective }) => objective === "kl_cov")],
  [
    of("actor", "loss_scale_factor"),
    when(
      ({ actor, critic: { loss_agg_mode: values } }) => actor.loss_agg_mode !== SCALED && values !== SCALED,
      message`Used only if ${setting("actor.loss_agg_mode")} or ${setting("critic.loss_agg_mode")} is ${value("actor.loss_agg_mode", SCALED)}.`,
    ),
  ],
  [of("critic", "detach_trunk"), sharedBackbone],
  [
    of("critic", "trunk_grad_scale"),
    either(
      sharedBackbone,
      when(
        (config) => config.critic.detach_trunk,
        message`${setting("critic.detach_trunk")} is on, so no gradient enters the backbone.`,
      ),
    ),
  ],
  [of("reward", "score_base", "claim_aggregation", "repetition_penalty"), needs("reward.use_state_reward")],
  [of("reward", "grounding_reward_weight"), either(judged, statedIn("observation"))],
  [of("reward", "worldmodeling_reward_weight"), either(judged, statedIn("prediction"))],
  [
    of("reward", "surroundings_reward_weight"),
    either(
      judged,
      when(
        ({ env }) => envs.ids.includes(env.name) && !envs.get(env.name).surroundings,
        "The environment has no neighbouring tiles.",
      ),
      when(
        ({ rollout }) => !formats.get(rollout.prompt_format).parts.includes("reasoning"),
        message`${setting("rollout.prompt_format")} has no reasoning, which names the neighbours.`,
      ),
    ),
  ],
  [
    of("reward", "credit_site"),
    either(
      needs("reward.use_state_reward"),
      when(
        ({ rollout }) => !rollout.use_multi_turn_reward,
        message`${setting("rollout.use_multi_turn_reward")} is off, so the whole reward of an episode is on its last token.`,
      ),
      readBy(isOwnOr(({ readsTurnEnds }) => !readsTurnEnds)),
    ),
  ],
  [of("reward", "repetition_penalty_weight"), needs("reward.use_state_reward")],
  [
    of("reward", "repetition_threshold", "top_strings_m", "top_strings_k"),
    needs("reward.repetition_penalty", "reward.repetition_penalty_weight"),
  ],
  [of("reward", "rubric_tolerance"), only("reward.judge_scoring", "rubric")],
  [of("model", "vision_hidden_size", "vision_heads"), needs("model.vision_layers")],
  [of("sft", "vf_coef"), either(sft, critic)],
  [
    [...of("sft", "after_checkpoint"), ...of("trainer", "init_vocabulary", "init_layers")],
    when(({ trainer }) => trainer.init_checkpoint === "", "The run does not start from a checkpoint."),
  ],
  [of("sft", "rehearsal_steps"), rehearsal],
  [of("sft", "rehearsal_lr"), either(needs("sft.rehearsal_steps"), rehearsal)],
  [of("sft", ...DEMONSTRATED), demonstrations],
  [restOf("sft", "vf_coef", "after_checkpoint", "rehearsal_steps", "rehearsal_lr", ...DEMONSTRATED), sft],
  [
    of("trainer", "val_size"),
    when(({ trainer }) => trainer.val_seeds !== "", "The validation seeds say which levels there are."),
  ],
  [
    of("trainer", "val_n", "val_top_p", "val_top_k"),
    when(({ trainer }) => trainer.val_temperature === 0, "Validations play greedily only."),
  ],
  [of("judge", "recording"), only("judge.name", "recorded")],
  [restOf("judge", "name", "recording"), only("judge.name", "llm")],
];

const reasons = new Map(IDLE.flatMap(([settings, reason]) => settings.map((path) => [path, reason])));

/** Why a setting has no effect under a configuration; empty when it has one. */
export const whyIdle = (path: string, config: RunConfig): Message => reasons.get(path)?.(config) ?? "";

/** Further environments of the run in which a setting has no effect, though it has one elsewhere, and why; null where there are none. */
export function partlyIdle(path: string, config: RunConfig): { names: string[]; why: Message } | null {
  if (whyIdle(path, config) !== "") return null;
  const idle = furtherEntries(config).filter((entry) => whyIdle(path, entry.config) !== "");
  const [first] = idle;
  return first ? { names: idle.map(({ name }) => name), why: whyIdle(path, first.config) } : null;
}

/** Paths of all settings that may be without effect, one for each line that names them. */
export const idlePaths = (): string[] => IDLE.flatMap(([settings]) => settings);
