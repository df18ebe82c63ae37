// The numbers of an episode's tokens, computed as an update computes them.
import { separateSequences } from "../../config/batch-size.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { Trajectory } from "../../core/types.ts";
import { packBatch } from "../../training/batch.ts";
import { noteBaselines } from "../../training/greedy-baseline.ts";
import { maskOptions, needsRefPolicy, shapingOptions } from "../../training/hyperparameters.ts";
import { estimate } from "../../training/ppo-update.ts";
import type { Run } from "../../training/run.ts";
import { gatherSamples, samplesOf, setTrainRewards } from "../../training/samples.ts";
import { stopwatch } from "../../training/update.ts";
import { fillTrajectories, readUpdate } from "../../training/update-readback.ts";
import { UsageError } from "../args.ts";

/**
 * Fills values, entropies, advantages and returns of an episode with the run's own estimator, in place. Advantages are those
 * before whitening, which would compare the episode with a batch that the recording does not have.
 * @throws UsageError when rewards contain a KL to the ref policy, which the weights of a policy do not tell.
 */
export async function fillTokens(run: Run, trajectory: Trajectory): Promise<void> {
  const config = forRecording(run.config);
  assertNoRefPolicy(config);
  const samples = samplesOf([trajectory], separateSequences(config));
  setTrainRewards(samples, config, shapingOptions(config));
  const packed = packBatch(samples, maskOptions(config));
  const baselines = noteBaselines(run, run.update, packed);
  while (!(await baselines.next()).done);
  await estimate(run, config, packed, stopwatch(), 0);
  const read = await readUpdate(run.engine, packed, {
    refPolicy: false,
    klInReward: false,
  });
  fillTrajectories(packed, read);
  if (separateSequences(config)) gatherSamples([trajectory], samples);
  // All tokens are by one policy, whose update the provenance has.
  delete trajectory.tokens.versions;
}

/** Numbers come from the training kernels at the run's temperature: the episode may have been sampled at another. */
const forRecording = (config: RunConfig): RunConfig => ({
  ...config,
  actor: { ...config.actor, recompute_logprob: true },
  algorithm: { ...config.algorithm, whiten_advantages: false },
});

function assertNoRefPolicy(config: RunConfig): void {
  if (!needsRefPolicy(config)) return;
  const setting = config.algorithm.use_kl_in_reward
    ? "algorithm.use_kl_in_reward is true"
    : `actor.kl_loss_type is "${config.actor.kl_loss_type}"`;
  throw new UsageError(
    `The run's ${setting}, which needs the ref policy; a recording has only the policy.`,
    'Record a policy that was trained with actor.kl_loss_type "full", or without KL.',
  );
}
