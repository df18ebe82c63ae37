// Which settings wait for another one and have no effect until then, and why: a table, one line for each reason.
import { type ConfigField, optionTitle } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { AdvantageEstimator } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import { filters } from "../../rl/filter/index.ts";

/** Why settings have no effect under a configuration; empty when they have. */
type Reason = (draft: RunConfig) => string;

/** The reason, unless the condition holds. */
const unless =
  (holds: (draft: RunConfig) => boolean, reason: string): Reason =>
  (draft) =>
    holds(draft) ? "" : reason;

/** The reasons that apply to the same settings; the first counts. */
const firstOf =
  (...reasons: readonly Reason[]): Reason =>
  (draft) =>
    reasons.map((reason) => reason(draft)).find((text) => text !== "") ?? "";

type Reads = (estimator: AdvantageEstimator) => boolean;

/** The chosen estimator; an extension's may be gone again. */
const chosen = ({ algorithm }: RunConfig): AdvantageEstimator | undefined =>
  estimators.all.find(({ id }) => id === algorithm.adv_estimator);

/** Names the estimators that read a setting, where the chosen one does not. */
const readBy =
  (reads: Reads): Reason =>
  (draft) => {
    const estimator = chosen(draft);
    if (!estimator || reads(estimator)) return "";
    return `Only for ${estimators.all.flatMap((known) => (reads(known) ? known.title : [])).join(", ")}.`;
  };

/** What an extension's reads of the settings only its author knows. */
const ownOr =
  (reads: Reads): Reads =>
  (estimator) =>
    estimators.added.some(({ id }) => id === estimator.id) || reads(estimator);

/** An extension's filter may read these, too. */
const filteredBy = (id: string): Reason =>
  unless(
    ({ algorithm }) => [id, ...filters.added.map((known) => known.id)].includes(algorithm.filter),
    `Only for the batch filter “${optionTitle("algorithm.filter", id)}”.`,
  );

const hasCritic: Reason = unless(
  (draft) => chosen(draft)?.valueTokens !== "none",
  "This estimator has no critic.",
);
const reasonsAboutTurns = readBy(({ usesTurnGamma }) => usesTurnGamma);
const isRewarded: Reason = unless(({ reward }) => reward.use_state_reward, "The reasoning reward is off.");
const hasPenalty: Reason = unless(
  ({ reward }) => reward.repetition_penalty > 0 || reward.repetition_penalty_weight > 0,
  "Repetition penalty and weight are 0.",
);
const hasWarmup: Reason = unless(
  ({ trainer }) => trainer.init_checkpoint === "",
  "A run that starts from a checkpoint has no warm-up.",
);
const isPenalised: Reason = unless(({ algorithm }) => algorithm.use_kl_in_reward, "KL in reward is off.");

/** Paths with spaces between them; one that ends in a dot is the rest of its section. The first line about a path counts. */
const IDLE: readonly (readonly [paths: string, reason: Reason])[] = [
  [
    "rollout.turn_discount rollout.feedback rollout.export_style",
    unless(
      ({ rollout }) => rollout.workflow === "areal",
      `Only for the workflow “${optionTitle("rollout.workflow", "areal")}”.`,
    ),
  ],
  [
    "rollout.window_size",
    unless(
      ({ trainer }) => !trainer.concat_multi_turn,
      "An episode is one sequence, in which the policy sees every turn before.",
    ),
  ],
  ["algorithm.gamma", readBy(({ usesGamma }) => usesGamma !== false)],
  [
    "algorithm.lam",
    firstOf(
      readBy(({ usesLambda }) => usesLambda !== false),
      // Where γ goes from turn to turn only, so does λ.
      unless(
        (draft) => !draft.algorithm.use_high_level_lam || chosen(draft)?.usesGamma !== false,
        "Turns have their own λ, and this estimator knows no other.",
      ),
    ),
  ],
  ["algorithm.high_level_gamma algorithm.use_high_level_lam", reasonsAboutTurns],
  [
    "algorithm.high_level_lam",
    firstOf(
      reasonsAboutTurns,
      unless(({ algorithm }) => algorithm.use_high_level_lam, "Turns use λ."),
    ),
  ],
  ["algorithm.turn_value_anchor", readBy(ownOr(({ usesTurnAnchor }) => usesTurnAnchor === true))],
  ["algorithm.norm_adv_by_std_in_grpo", readBy(ownOr(({ id }) => id === "grpo"))],
  [
    "algorithm.whiten_advantages",
    unless(
      (draft) => chosen(draft)?.whitenOver !== "none",
      "The advantages of this estimator are normalised already.",
    ),
  ],
  ["algorithm.filter_topk", filteredBy("reward_variance")],
  ["algorithm.filter_top_p", filteredBy("reward_variance_top_p")],
  [
    "algorithm.overlong_penalty_factor",
    unless(({ algorithm }) => algorithm.overlong_tokens > 0, "Overlong tokens is 0."),
  ],
  ["algorithm.kl_coef algorithm.kl_penalty algorithm.kl_ctrl_type", isPenalised],
  [
    "algorithm.target_kl algorithm.horizon",
    unless(
      ({ algorithm }) => algorithm.use_kl_in_reward && algorithm.kl_ctrl_type === "adaptive",
      "Only for adaptive KL control in the reward.",
    ),
  ],
  [
    "actor.behav_imp_weight_cap actor.behav_imp_weight_mode",
    unless(({ actor }) => actor.use_decoupled_loss, "The decoupled objective is off."),
  ],
  [
    "actor.min_lr_ratio",
    unless(({ actor }) => actor.lr_schedule !== "constant", "The schedule is constant."),
  ],
  ["actor.kl_loss_coef actor.kl_loss_type", unless(({ actor }) => actor.use_kl_loss, "KL in loss is off.")],
  ["algorithm.bootstrap_truncated model.critic critic.lr critic.vf_coef critic.cliprange_value", hasCritic],
  [
    "critic.detach_trunk",
    firstOf(
      hasCritic,
      unless(({ model }) => model.critic === "head", "A separate critic has a backbone of its own."),
    ),
  ],
  [
    "reward.grounding_reward_weight reward.worldmodeling_reward_weight reward.repetition_penalty reward.repetition_penalty_weight",
    isRewarded,
  ],
  ["reward.repetition_threshold reward.top_strings_m reward.top_strings_k", hasPenalty],
  [
    "reward.rubric_tolerance",
    unless(({ reward }) => reward.judge_scoring === "rubric", "Only for the rubric."),
  ],
  ["judge.name", () => ""],
  ["judge.recording", unless(({ judge }) => judge.name === "recorded", "Only for the recorded judge.")],
  [
    "model.vision_hidden_size model.vision_heads",
    unless(({ model }) => model.vision_layers > 0, "There are no vision layers."),
  ],
  ["sft.vf_coef", firstOf(hasWarmup, hasCritic)],
  ["sft.", hasWarmup],
  ["judge.", unless(({ judge }) => judge.name === "llm", "Only for a language model as judge.")],
];

const isAbout = (paths: string, path: string): boolean =>
  paths.split(" ").some((known) => (known.endsWith(".") ? path.startsWith(known) : path === known));

/** Why a field has no effect right now; empty when it has. */
export const idleReason = (path: string, draft: RunConfig): string =>
  IDLE.find(([paths]) => isAbout(paths, path))?.[1](draft) ?? "";

interface FieldWithReason {
  field: ConfigField;
  idle: string;
  /** Told once, above this field and those that follow with the same reason. */
  note: string;
  told: boolean;
}

/** From so many fields in a row on, their common reason is told once. */
const MANY = 3;

/** Fields with why they have no effect now. */
export function withReasons(fields: readonly ConfigField[], draft: RunConfig): FieldWithReason[] {
  const reasons = fields.map(({ path }) => idleReason(path, draft));
  const startOf = (i: number): number => (i > 0 && reasons[i - 1] === reasons[i] ? startOf(i - 1) : i);
  const lengthFrom = (start: number): number => {
    const end = reasons.findIndex((reason, i) => i > start && reason !== reasons[start]);
    return (end < 0 ? reasons.length : end) - start;
  };
  return fields.map((field, i) => {
    const idle = reasons[i]!;
    const count = lengthFrom(startOf(i));
    const told = idle !== "" && count >= MANY;
    return {
      field,
      idle,
      told,
      note: told && startOf(i) === i ? `The next ${count} have no effect now. ${idle}` : "",
    };
  });
}
