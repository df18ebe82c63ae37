// What a token weighs in the policy loss: every loss with every mean, over sequences that are trained as samples of their own.
import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { stepValues } from "../policy/wgsl/step-settings.ts";
import { AGGREGATIONS, type AggregationId } from "../rl/aggregation.ts";
import { policyLoss, policyLossesWith } from "../rl/policy-loss/index.ts";
import { packBatch, sequencesOf } from "./batch.ts";
import { maskOptions, ppoSettings } from "./hyperparameters.ts";
import { samplesOf } from "./samples.ts";
import { perTurnTrajectory } from "./testing/sequences.ts";

/** Tokens of the policy in the three sequences of the example. */
const LENGTHS = [2, 3, 1];
const RESPONSE = 7;

/** Σ of the weights in each sequence for a loss that follows the setting. */
const BY_SETTING: Readonly<Record<AggregationId, readonly number[]>> = {
  "token-mean": [2 / 6, 3 / 6, 1 / 6],
  "token-sum": LENGTHS,
  "seq-mean-token-sum": [2 / 3, 3 / 3, 1 / 3],
  "seq-mean-token-mean": [1 / 3, 1 / 3, 1 / 3],
  // Dr. GRPO's constant is the longest reply, since a sample has one.
  "seq-mean-token-sum-norm": [2 / 3 / RESPONSE, 3 / 3 / RESPONSE, 1 / 3 / RESPONSE],
};
const OWN = { sequence: [1 / 3, 1 / 3, 1 / 3], turn: [1 / 3, 1 / 3, 1 / 3], token: [2 / 3, 3 / 3, 1 / 3] };

const cases = policyLossesWith(() => true).flatMap((loss) =>
  (Object.keys(AGGREGATIONS) as AggregationId[]).map((mode) => [loss, mode] as const),
);

test.each(cases)("%s under %s", (loss, mode) => {
  const config = RunConfig.parse({
    rollout: { workflow: "areal", export_style: "individual", response_length: RESPONSE, max_turns: 3 },
    actor: { loss_mode: loss, loss_agg_mode: mode },
  });
  const { ownMean } = policyLoss(loss);
  const want = ownMean ? OWN[ownMean] : BY_SETTING[mode];
  const { trajectory } = perTurnTrajectory();
  // As samples of their own, and as the sequences of one episode: a step is the same.
  for (const samples of [samplesOf([trajectory], true), [trajectory]]) {
    const packed = packBatch(samples, maskOptions(config));
    const settings = ppoSettings(config);
    const { scale, policyScale } = stepValues(settings, sequencesOf(packed));
    const factor = Number(settings.kind.policy.ownMean ? policyScale : scale);
    const all = packed.flatMap(({ policyWeights, lossMask }) =>
      Array.from(policyWeights, (weight, t) => (lossMask[t] ? weight : 0)),
    );
    const sums = sequencesOf(packed).map(({ batchStart, ids }) =>
      all.slice(batchStart, batchStart + ids.length).reduce((sum, weight) => sum + weight, 0),
    );
    for (const [i, sum] of sums.entries()) expect(factor * sum).toBeCloseTo(want[i] as number, 6);
  }
});
