import { describe, expect, it } from "vitest";
import { centralDifferences, expectClose } from "../testing.ts";
import { type PolicyLossRefSettings, policyLossRef, type TokenRef } from "./policy-loss.ref.ts";
import type { OBJECTIVE } from "./ppo-loss.ts";
import { sequenceLogRatioRef } from "./sequence-log-ratio.ref.ts";

type Objective = keyof typeof OBJECTIVE;

const settings: PolicyLossRefSettings = {
  clip_low: 0.2,
  clip_high: 0.2,
  clip_c: 0,
  tau_pos: 1,
  tau_neg: 1.05,
  cov_kl_coef: 0.1,
};
const token = (logp: number, old: number, advantage: number, chosen = 0): TokenRef => ({
  logp,
  old,
  advantage,
  group: [chosen, 0],
});
const loss = (objective: Objective, of: TokenRef) => policyLossRef(objective, false, of, settings);
const numbers = (objective: Objective, of: TokenRef) => {
  const { loss: value, slope } = loss(objective, of);
  return [value, slope];
};

describe("the worked values of veRL's losses, by hand", () => {
  // log π = −1 and d = 0.3, so ρ = 1.349859; the clip ends at 1.2.
  const up = (advantage: number, chosen = 0) => token(-1, -1.3, advantage, chosen);

  it("gpg weights log π by the advantage", () => {
    expectClose(numbers("gpg", up(2)), [2, -2]);
  });

  it("cispo weights log π by the clipped ratio too, and keeps its gradient", () => {
    expectClose(numbers("cispo", up(2)), [2.4, -2.4]);
    expectClose(numbers("cispo", up(-2)), [-2.4, 2.4]);
    expect(loss("cispo", up(2)).clipped).toBe(true);
    expect(loss("cispo", token(-1, -1.1, 2)).clipped).toBe(false);
  });

  it("sapo is −2A at a ratio of 1 and temperature 1, with PPO's gradient", () => {
    expectClose(numbers("sapo", token(-1, -1, 2)), [-4, -2]);
    // σ(1.05 · 0.349859) = 0.590814: 2 · 4 / 1.05 · 0.590814, and 2 · 1.349859 · 4 · 0.590814 · 0.409186.
    expectClose(numbers("sapo", up(-2)), [4.50144, 2.610653], { rtol: 1e-5 });
  });

  it("clip_cov is PPO's loss, and 0 at a chosen token", () => {
    expectClose(numbers("clip_cov", up(2)), [-2.4, 0]);
    expectClose(numbers("clip_cov", up(-2)), [2.699718, 2.699718], { rtol: 1e-6 });
    expect(numbers("clip_cov", up(-2, 1))).toEqual([0, 0]);
    expect(loss("clip_cov", up(-2, 1)).clipped).toBe(true);
  });

  it("kl_cov has no clip, and a chosen token pays for its log-ratio", () => {
    expectClose(numbers("kl_cov", up(2)), [-2.699718, -2.699718], { rtol: 1e-6 });
    expectClose(numbers("kl_cov", up(2, 1)), [-2.669718, -2.599718], { rtol: 1e-6 });
  });
});

describe("gradients", () => {
  const advantages = [1.5, -0.7, 0];
  const ratios = [-0.9, -0.21, -0.1, 0.05, 0.19, 0.6];

  it.each(["clipped", "gpg", "sapo", "clip_cov", "kl_cov"] as const)(
    "%s has the one that central differences give",
    (objective) => {
      for (const advantage of advantages)
        for (const d of ratios)
          for (const chosen of [0, 1]) {
            const at = (logp: number) => loss(objective, token(logp, -1 - d, advantage, chosen));
            const [slope] = centralDifferences((x) => at(x[0] as number).loss, [-1], [0]);
            expectClose([at(-1).slope], [slope as number], { rtol: 1e-6, atol: 1e-8 });
          }
    },
  );

  it("cispo's is that of log π, with the ratio held", () => {
    for (const advantage of advantages)
      for (const d of ratios) {
        const weight = Math.min(Math.max(Math.exp(d), 0.8), 1.2);
        expectClose([loss("cispo", token(-1, -1 - d, advantage)).slope], [-advantage * weight]);
      }
  });

  const mask = [1, 1, 0, 1, 1, 1];
  const turn_end_mask = [0, 1, 0, 0, 0, 1];
  const old = [-1, -2, 0, -0.5, -1.5, -1];
  const drift = [0.05, -0.3, 0, 0.31, -0.02, 0.1];
  const starts = [0, 6];
  const logprobs = old.map((x, i) => x + (drift[i] as number));

  /** Losses and derivatives of the tokens of one sequence, with the ratio that they share. */
  function shared(
    objective: Objective,
    ratio: Parameters<typeof sequenceLogRatioRef>[1],
    now: ArrayLike<number>,
    of: readonly number[],
    wide = settings,
  ) {
    const facts = of.flatMap((advantage, i) => [old[i] as number, advantage, 0, 1]);
    const groups = sequenceLogRatioRef(
      { new_logprobs: now, facts, mask, turn_end_mask, starts },
      ratio,
      wide,
    );
    return of.map((advantage, i) => {
      const group = [groups[i * 2] as number, groups[i * 2 + 1] as number] as const;
      const one = { logp: now[i] as number, old: old[i] as number, advantage, group };
      return mask[i] ? policyLossRef(objective, true, one, wide) : { loss: 0, slope: 0, clipped: false };
    });
  }
  const total = (of: readonly { loss: number }[], weights: readonly number[]) =>
    of.reduce((sum, { loss: x }, i) => sum + x * (weights[i] as number), 0);

  it("GMPO's is that of −mean A · (geometric mean of the clipped ratios)", () => {
    const of = [1, -2, 0, 0.5, 1.2, -1];
    const weights = mask.map((m) => m / 5);
    const at = (now: ArrayLike<number>) => shared("geo_mean", "clipped_sequence", now, of);
    // d = 0.05, −0.2 for −0.3 of a negative advantage, 0.2 for 0.31, −0.02, 0.1: 0.026 on average; A is −0.06 on average.
    expectClose([total(at(logprobs), weights)], [0.06 * Math.exp(0.026)], { rtol: 1e-9 });
    const want = centralDifferences((x) => total(at(x), weights), logprobs, [0, 1, 2, 3, 4, 5]);
    expectClose(
      at(logprobs).map(({ slope }, i) => slope * (weights[i] as number)),
      want,
      { rtol: 1e-6, atol: 1e-9 },
    );
    expect(at(logprobs).map(({ clipped }) => clipped)).toEqual([false, false, false, true, false, false]);
  });

  it.each([
    ["gspo", "sequence", [0.2, 0.2, 0, 0.2, 0.2, 0.2], 1],
    ["turn_gspo", "turn", [1 / 2, 1 / 2, 0, 1 / 3, 1 / 3, 1 / 3], 1],
    // Its value counts the ratio once for each token of the turn, its gradient once.
    ["turn_ppo", "turn_product", [1, 1, 0, 1, 1, 1], [2, 2, 1, 3, 3, 3]],
  ] as const)(
    "%s has the one of its objective while a turn has one advantage",
    (_, ratio, weights, times) => {
      const wide = { ...settings, clip_low: 0.9, clip_high: 5 };
      const of = [1.3, 1.3, 1.3, 1.3, 1.3, 1.3];
      const at = (now: ArrayLike<number>) => shared("clipped", ratio, now, of, wide);
      const want = centralDifferences((x) => total(at(x), weights), logprobs, [0, 1, 2, 3, 4, 5]);
      expectClose(
        at(logprobs).map(
          ({ slope }, i) =>
            slope * (weights[i] as number) * (typeof times === "number" ? times : (times[i] as number)),
        ),
        want,
        { rtol: 1e-6, atol: 1e-9 },
      );
    },
  );
});
