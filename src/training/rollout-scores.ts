// Whether an update needs a forward pass for the log-probabilities and values that it begins with, or has them from decoding.
import type { RunConfig } from "../config/run-config.ts";
import { estimators } from "../rl/advantage/index.ts";
import type { PackedTrajectory } from "./batch.ts";
import { klAtEveryToken } from "./hyperparameters.ts";

/** Whether tokens that the policy did not sample need values or log-probabilities. */
export const isUnmasked = ({ algorithm, rollout }: RunConfig): boolean =>
  estimators.get(algorithm.adv_estimator).usesEveryToken === true ||
  klAtEveryToken(algorithm) ||
  !rollout.use_gae_mask ||
  !rollout.use_loss_mask;

/**
 * Whether decoding recorded everything that `engine.score` would compute. Decoding covers only the policy's own tokens, so runs without masks, values
 * after cut episodes and episodes of an older policy need the pass; models that are not decoded in one dispatch, and separate critics,
 * give no values.
 */
export function reusesRollout(config: RunConfig, packed: readonly PackedTrajectory[]): boolean {
  const { actor, algorithm, critic, rollout } = config;
  if (actor.recompute_logprob || actor.use_decoupled_loss || rollout.max_head_offpolicyness > 0) return false;
  if (isUnmasked(config) || algorithm.bootstrap_truncated) return false;
  const readsValues = estimators.get(algorithm.adv_estimator).valueTokens !== "none" && !critic.asymmetric;
  return packed.every(
    ({ trajectory: { tokens } }) =>
      tokens.rolloutEntropies !== undefined && (!readsValues || tokens.rolloutValues !== undefined),
  );
}
