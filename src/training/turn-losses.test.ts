// The losses of VAGEN for turns, from the masks of real conversations to the total and its gradient.
import { describe, expect, it } from "vitest";
import { conversation } from "../agent/conversation.ts";
import { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { policyLossRef } from "../gpu/kernels/policy-loss.ref.ts";
import { sequenceLogRatioRef } from "../gpu/kernels/sequence-log-ratio.ref.ts";
import { expectClose } from "../gpu/testing.ts";
import { stepValues } from "../policy/wgsl/step-settings.ts";
import { type PolicyLossId, policyLoss } from "../rl/policy-loss/index.ts";
import { packBatch, sequencesOf } from "./batch.ts";
import { maskOptions, ppoSettings } from "./hyperparameters.ts";
import { turnMetrics } from "./turn-report.ts";

/** One conversation with replies of these lengths, each after an observation. */
function talkOf(replies: readonly number[]): Trajectory {
  const talk = conversation(2);
  talk.addOpening(Int32Array.of(0, 30));
  for (const length of replies) {
    talk.addPrompt(Int32Array.of(3, 31));
    talk.addReply({ ids: new Int32Array(length).fill(40), logprobs: new Float32Array(length) });
  }
  const tokens = talk.finish(replies.map(() => 0));
  const turns = replies.map((_, index) => ({ index, observation: { text: "", images: [] } }));
  return { id: "e", groupId: "g", turns, truncated: false, tokens } as unknown as Trajectory;
}

const CLIPS = { clip_low: 0.2, clip_high: 0.2, clip_c: 0, tau_pos: 1, tau_neg: 1, cov_kl_coef: 0 };

/** Own tokens of a batch with what a loss makes of them; `d` and `advantages` are theirs, in order. */
function lossesOf(
  id: PolicyLossId,
  rows: readonly (readonly number[])[],
  d: readonly number[],
  advantages: readonly number[],
) {
  const config = RunConfig.parse({ actor: { loss_mode: id } });
  const packed = packBatch(rows.map(talkOf), maskOptions(config));
  const join = (pick: (p: (typeof packed)[number]) => ArrayLike<number>) =>
    packed.flatMap((p) => Array.from(pick(p)));
  const mask = join(({ lossMask }) => lossMask);
  const own = mask.flatMap((m, i) => (m ? [i] : []));
  const spread = (numbers: readonly number[]) => mask.map((_, i) => numbers[own.indexOf(i)] ?? 7);
  const [now, scores] = [spread(d), spread(advantages)];
  const { ratio, objective } = policyLoss(id);
  const groups = sequenceLogRatioRef(
    {
      new_logprobs: now,
      facts: scores.flatMap((advantage) => [0, advantage, 0, 1]),
      mask,
      turn_end_mask: join(({ trajectory }) => trajectory.tokens.turnEndMask),
      starts: [...packed.map(({ start }) => start), mask.length],
    },
    ratio === "token" ? "sequence" : ratio,
    CLIPS,
  );
  const settings = ppoSettings(config);
  const { scale, policyScale } = stepValues(settings, sequencesOf(packed));
  const factor = (settings.kind.policy.ownMean ? policyScale : scale) as number;
  const weights = join(({ policyWeights }) => policyWeights);
  return own.map((i) => {
    const group = [groups[i * 2] as number, groups[i * 2 + 1] as number] as const;
    const token = { logp: now[i] as number, old: 0, advantage: scores[i] as number, group };
    const one = policyLossRef(objective, ratio !== "token", token, CLIPS);
    return { ...one, weight: factor * (weights[i] as number) };
  });
}

const total = (tokens: readonly { loss: number; weight: number }[]) =>
  tokens.reduce((sum, { loss, weight }) => sum + loss * weight, 0);

describe("two turns of three tokens", () => {
  const d = [0.1, 0.02, -0.03, 0.2, 0.15, -0.05];
  const advantages = [1, 0.5, 0.5, 1, 1, -0.5];
  const of = (id: PolicyLossId) => lossesOf(id, [[3, 3]], d, advantages);

  it.each([
    [
      "turn_ppo",
      [1.094174, 1.349859],
      [-1.094174, -0.547087, -0.547087, -1.2, -1.2, 0.674929],
      -3.913419,
      [-1.094174, -0.547087, -0.547087, 0, 0, 0.674929],
    ],
    [
      "turn_gspo",
      [1.030455, 1.105171],
      [-1.030455, -0.515227, -0.515227, -1.105171, -1.105171, 0.552585],
      -1.239555,
      [-0.343485, -0.171742, -0.171742, -0.36839, -0.36839, 0.184195],
    ],
  ] as const)("%s takes the worked values", (id, ratios, losses, whole, gradient) => {
    const tokens = of(id);
    const close = { rtol: 0, atol: 1e-6 };
    expectClose([tokens[0]?.ratio as number, tokens[5]?.ratio as number], ratios, close);
    expectClose(
      tokens.map(({ loss }) => loss),
      losses,
      close,
    );
    expectClose([total(tokens)], [whole], close);
    expectClose(
      tokens.map(({ slope, weight }) => slope * weight),
      gradient,
      close,
    );
  });

  it("PPO's mean over tokens is another number", () => {
    expectClose([total(of("vanilla"))], [-0.664452], { rtol: 0, atol: 1e-6 });
  });
});

it.each([
  ["turn_ppo", [0.09, 0.3], 0.105],
  ["turn_gspo", [0.03, 0.1], 0.035],
] as const)("%s reports turns, their length and the spread of their ratios", (_, [first, second], spread) => {
  const packed = packBatch([talkOf([3, 3])]);
  const { turnIndex } = talkOf([3, 3]).tokens;
  const groups = Array.from(turnIndex).flatMap((turn) => [turn === 0 ? first : second, 0]);
  const metrics = turnMetrics(packed, groups);
  expect(metrics["actor/turns_per_row"]).toBe(2);
  expect(metrics["actor/turn_len_mean"]).toBe(3);
  expect(metrics["actor/turn_log_ratio_std"]).toBeCloseTo(spread, 9);
});

describe("the exact limits", () => {
  const d = [0.1, 0.02, -0.03, 0.2, 0.35, -0.05, -0.4];
  const advantages = [1, 0.5, -0.5, 1, 1, -0.5, -1];
  const rows = [[3], [4]];
  const each = (id: PolicyLossId, of: readonly (readonly number[])[]) => lossesOf(id, of, d, advantages);

  it("with one turn in a sequence, turn_gspo is gspo, token by token", () => {
    expect(each("turn_gspo", rows)).toEqual(each("gspo", rows));
    expect(each("turn_ppo", rows)).not.toEqual(each("gspo", rows));
  });

  it("with every token a turn, both have the ratios and the clip of PPO, summed over a sequence", () => {
    const alone = rows.map(([length]) => Array<number>(length as number).fill(1));
    const plain = each("vanilla", rows);
    for (const id of ["turn_ppo", "turn_gspo"] as const) {
      const tokens = each(id, alone);
      for (const [i, { loss, slope, ratio, clipped, weight }] of tokens.entries()) {
        expectClose([loss, slope, ratio], [plain[i]?.loss, plain[i]?.slope, plain[i]?.ratio] as number[]);
        expect(clipped).toBe(plain[i]?.clipped);
        expect(weight).toBe(1 / 2);
      }
      // Seven tokens' sums over two sequences, in place of their mean.
      expectClose([total(tokens)], [(total(plain) * 7) / 2]);
    }
  });

  it("the product of a turn is the mean to the power of its length", () => {
    const [product, mean] = [each("turn_ppo", rows), each("turn_gspo", rows)];
    expectClose([product[0]?.logRatio as number], [3 * (mean[0]?.logRatio as number)]);
    expectClose([product[6]?.logRatio as number], [4 * (mean[6]?.logRatio as number)]);
  });
});

it("sums turns of a sequence, and averages sequences", () => {
  // Token losses 2, 4 | 10, 20 and 1, 1 | 7: the mean of each turn, or its sum.
  const losses = [2, 4, 10, 20, 1, 1, 7];
  const of = (id: PolicyLossId) =>
    lossesOf(
      id,
      [
        [2, 2],
        [2, 1],
      ],
      losses,
      losses,
    ).reduce((sum, { weight }, i) => sum + weight * (losses[i] as number), 0);
  expectClose([of("turn_gspo"), of("turn_ppo")], [13, 22.5]);
});

it("leaves entropy and KL to loss_agg_mode", () => {
  for (const id of ["turn_ppo", "turn_gspo", "gspo", "sapo", "geo_mean"] as const) {
    const config = RunConfig.parse({ actor: { loss_mode: id } });
    const [packed] = packBatch([talkOf([2, 3])], maskOptions(config));
    const { mean, policyMean, kind } = ppoSettings(config);
    expect([mean.per, policyMean.per, kind.policy.ownMean]).toEqual(["token", "sequence", true]);
    expect(new Set(packed?.weights)).toEqual(new Set([1]));
  }
});
