import { describe, expect, it } from "vitest";
import { type Rewarded, type ShapingOptions, shapeRewards, shapes } from "./shaping.ts";

const off: ShapingOptions = {
  overlongTokens: 0,
  overlongFactor: 1,
  maxTokens: 100,
  maxSpentTokens: Number.POSITIVE_INFINITY,
  bias: 0,
  scaling: 1,
  clip: 0,
  norm: { mean: "none", std: "none", leaveOneOut: false },
};
const sequences: Rewarded[] = [
  { reward: 1, tokens: 60, spentTokens: 90, groupId: "a" },
  { reward: 0, tokens: 85, spentTokens: 130, groupId: "a" },
  { reward: 0.5, tokens: 100, spentTokens: 180, groupId: "b" },
  { reward: 0.5, tokens: 10, spentTokens: 30, groupId: "b" },
];
const expectShaped = (options: Partial<ShapingOptions>, wanted: number[]) => {
  const shaped = shapeRewards(sequences, { ...off, ...options });
  for (const [i, reward] of shaped.entries()) expect(reward).toBeCloseTo(wanted[i]!, 5);
};

describe("the reward of a sequence", () => {
  it("is left alone by default", () => {
    expect(shapes(off)).toBe(false);
    expectShaped({}, [1, 0, 0.5, 0.5]);
  });

  it("costs length towards the longest sequence: -(len - 80) / 20 · 2, never above 0", () => {
    expect(shapes({ ...off, overlongTokens: 20 })).toBe(true);
    expectShaped({ overlongTokens: 20, overlongFactor: 2 }, [1, -0.5, 0.5 - 2, 0.5]);
  });

  it("costs length towards the nearer limit, which with one of the whole episode counts observations, too", () => {
    // 40, 0, … tokens are left of the second limit; of the first limit 40, 15, 0 and 90.
    expectShaped({ overlongTokens: 20, maxSpentTokens: 130 }, [1, -1, 0.5 - 3.5, 0.5]);
    expectShaped({ overlongTokens: 20, maxSpentTokens: 1000 }, [1, -0.25, 0.5 - 1, 0.5]);
  });

  it("is biased, scaled and clipped in this order, after the penalty", () => {
    // AReaL's example for pictures: bias -0.5, scale 10.
    expectShaped({ bias: -0.5, scaling: 10 }, [5, -5, 0, 0]);
    expectShaped({ bias: -0.5, scaling: 10, clip: 4 }, [4, -4, 0, 0]);
    expectShaped({ overlongTokens: 20, bias: -0.5, scaling: 10 }, [5, -5 - 2.5, -10, 0]);
  });

  it("is normalised within its group, after the clip", () => {
    // Group a: ±5, mean 0, deviation √50; group b: equal.
    const size = 5 / (Math.sqrt(50) + 1e-5);
    expectShaped({ bias: -0.5, scaling: 10, norm: { mean: "group", std: "group", leaveOneOut: false } }, [
      size,
      -size,
      0,
      0,
    ]);
  });
});
