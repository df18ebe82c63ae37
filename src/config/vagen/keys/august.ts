// VAGEN's generation of August 2026. It extends Lite's files, whose keys it shares, but it trains otherwise: rewards stay where they are
// earned, means are over a whole minibatch, and some reply formats of the same names are others.
import { formats } from "../../../core/formats.ts";
import type { RunConfig } from "../../run-config.ts";
import type { KeyValue } from "../parse/overrides.ts";

/** How an episode is laid out; it replaces {@link CONCAT}. */
export const HARNESS = "trainer.harness";
/** Whether an episode is one sequence, before August 2026. */
export const CONCAT = "trainer.concat_multi_turn";
/** The studio's id of the estimator that this generation calls bi_level_gae. */
export const VARIABLE_CLOCK = "bi_level_gae_variable_clock";

/** Our estimators that Lite has only since August 2026, and its names of them. */
export const AUGUST_NAMES: Readonly<Record<string, string>> = {
  default_gae: "default_gae",
  token_level_gae: "token_level_gae",
  turn_level_gae: "turn_level_gae",
  trajectory_grpo: "trajectory_grpo",
  bi_level_gae: "bi_level_gae",
  [VARIABLE_CLOCK]: "bi_level_gae",
};

/** An entry of a dataset file. */
interface Entry {
  readonly keys: readonly KeyValue[];
}

/** Trainer keys that no earlier generation has, {@link HARNESS} apart. */
const KEYS =
  /^(algorithm\.(gamma_turn|lambda_turn|lambda_token|bi_level_mix)|trainer\.(compact_budget|compact_summary_budget|model_adapter|save_best_actor))$/;

/** Values that no earlier generation of Lite has, by trainer key. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "algorithm.adv_estimator": Object.values(AUGUST_NAMES),
  "actor_rollout_ref.actor.policy_loss.loss_mode": ["turn_ppo", "turn_gspo"],
};

/**
 * Whether files of Lite belong to this generation. `trainer.harness` marks it, and `trainer.concat_multi_turn` an earlier one. Files with
 * neither belong to it if they have a key, an estimator, a loss or a reply format that is new in it.
 */
export function isOfAugust(trainer: ReadonlyMap<string, unknown>, entries: readonly Entry[]): boolean {
  if (trainer.has(HARNESS)) return true;
  if (trainer.has(CONCAT)) return false;
  const isNew = ([key, value]: [string, unknown]) =>
    KEYS.test(key) || VALUES[key]?.includes(String(value)) === true;
  return [...trainer].some(isNew) || entries.some(isEntryOfAugust);
}

const isEntryOfAugust = ({ keys }: Entry): boolean =>
  keys.some(
    ({ key, value }) =>
      key.startsWith("config.state_reward.") || (key === "config.prompt_format" && value === "wm_think"),
  );

/** Whether a run is written for this generation: no earlier one has its reply format, or its layout. */
export const isWrittenForAugust = ({ rollout, trainer }: RunConfig): boolean =>
  formats.get(rollout.prompt_format).isExact === true || trainer.harness === "compact";
