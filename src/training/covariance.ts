// Chooses the tokens that Clip-Cov and KL-Cov treat apart, before each step: on the CPU, from the log-probabilities of the policy
// that the step trains.
import type { RunConfig } from "../config/run-config.ts";
import type { Rng } from "../core/rng.ts";
import { readNamed } from "../gpu/read.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import { type CovarianceTokens, clipCovTokens, klCovTokens } from "../rl/policy-loss/covariance.ts";
import { policyLoss } from "../rl/policy-loss/index.ts";
import { targetPlaces } from "./batch.ts";
import { trainingTemperature } from "./hyperparameters.ts";

/** Marks the chosen tokens of a minibatch on the batch axis of `tokens` tokens; does nothing for other losses. */
export async function chooseTokens(
  engine: Engine,
  minibatch: readonly Sequence[],
  config: RunConfig,
  tokens: number,
  random: Rng,
): Promise<void> {
  const { objective } = policyLoss(config.actor.loss_mode);
  if (objective !== "clip_cov" && objective !== "kl_cov") return;
  const at = targetPlaces(minibatch);
  await engine.scoreNew(minibatch, trainingTemperature(config));
  const covaried = await readTokens(engine, at, tokens);
  const chosen =
    objective === "kl_cov"
      ? klCovTokens(covaried, config.actor.kl_cov_ratio)
      : clipCovTokens(covaried, clipCovOptions(config, random));
  const marks = new Float32Array(tokens * 2);
  for (const i of chosen) marks[(at[i] as number) * 2] = 1;
  engine.write(engine.buffers.batch.ratioGroups, marks);
}

const clipCovOptions = ({ actor }: RunConfig, random: Rng) => ({
  ratio: actor.clip_cov_ratio,
  low: actor.clip_cov_lb,
  high: actor.clip_cov_ub,
  clipLow: actor.clip_ratio,
  clipHigh: actor.clip_ratio_high || actor.clip_ratio,
  shuffle: (indices: number[]) => random.shuffle(indices),
});

/** Advantages and log-probabilities of the tokens at these places. */
async function readTokens(
  { gpu, buffers: { batch } }: Engine,
  at: readonly number[],
  tokens: number,
): Promise<CovarianceTokens> {
  const { logprobs, facts } = await readNamed(gpu, {
    logprobs: { tensor: batch.newLogprobs, length: tokens },
    facts: { tensor: batch.facts, length: tokens * 4 },
  });
  return {
    logprobs: at.map((i) => logprobs[i] as number),
    oldLogprobs: at.map((i) => facts[i * 4] as number),
    advantages: at.map((i) => facts[i * 4 + 1] as number),
  };
}
