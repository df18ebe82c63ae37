import { describe, expect, it } from "vitest";
import { rng } from "../core/rng.ts";
import type { Trajectory } from "../core/types.ts";
import { explainableShare, varianceShare } from "./explainable.ts";

describe("the share of variance between groups", () => {
  it("follows the worked example of two groups", () => {
    // Means 1 and 5; SSW = 2 + 2, so σ²_e = 2. SSB = 2·(2² + 2²) = 16 and n₀ = 2, so σ²_a = (16 − 2)/2 = 7.
    expect(
      varianceShare([
        [0, 2],
        [4, 6],
      ]),
    ).toBeCloseTo(7 / 9, 12);
  });
  it("weighs groups of different sizes", () => {
    // SSW = 2 with N − G = 1, σ²_e = 2; centre 2, SSB = 2·1 + 1·4 = 6; n₀ = 3 − 5/3 = 4/3, σ²_a = (6 − 2)/(4/3) = 3.
    expect(varianceShare([[0, 2], [4]])).toBeCloseTo(3 / 5, 12);
  });
  it("is 1 without variance inside groups, and below 0 where groups differ less than chance", () => {
    expect(
      varianceShare([
        [1, 1],
        [2, 2],
      ]),
    ).toBe(1);
    expect(
      varianceShare([
        [0, 2],
        [0, 2],
      ]),
    ).toBeLessThan(0);
  });
  it("cannot be estimated without repeats, from one group, or from equal values", () => {
    expect(varianceShare([[1], [2]])).toBeNull();
    expect(varianceShare([[1, 2]])).toBeNull();
    expect(varianceShare([[1, 1], [1]])).toBeNull();
  });
  it("finds the components that groups were drawn with", () => {
    const random = rng(7);
    // Uniform effects: variance w²/12. Groups of 1 to 8; between them 4/12, inside 12/12, so a share of 0.25.
    const groups = Array.from({ length: 4000 }, (_, g) => {
      const effect = 2 * random.float();
      return Array.from({ length: 1 + (g % 8) }, () => effect + Math.sqrt(12) * random.float());
    });
    expect(Math.abs(varianceShare(groups)! - 0.25)).toBeLessThan(0.02);
  });
});

/** An episode of a level; each turn is [column before, column after, reward]. */
function episode(level: string, turns: [number, number, number][]): Trajectory {
  const scene = (column: number) => ({ rows: 1, cols: 4, player: [0, column], entities: {} });
  return {
    groupId: level,
    turns: turns.map(([before, after, reward], index) => ({
      index,
      before: scene(before),
      after: scene(after),
      reward,
    })),
  } as unknown as Trajectory;
}

describe("the explainable share of returns", () => {
  const walks: Trajectory[] = [
    episode("a", [
      [0, 1, 0],
      [1, 2, 1],
    ]),
    episode("a", [[0, 3, 0]]),
    episode("a", [
      [0, 1, 0],
      [1, 2, 1],
    ]),
    episode("a", [[0, 3, 0]]),
    episode("b", [[0, 3, 0]]),
    episode("b", [[0, 3, 0]]),
  ];
  it("groups turns by what is known before the reply and after it", () => {
    const { episodes, observations, turnStart, turnEnd } = explainableShare(walks)!;
    expect([episodes, observations]).toEqual([6, 8]);
    // Before: level a turn 0 (returns 1 0 1 0), a turn 1 (1 1), b turn 0 (0 0). After: a turn 0 splits in two.
    expect([turnStart.groups, turnStart.repeated, turnEnd.groups]).toEqual([3, 3, 4]);
    expect(turnStart.share).toBeCloseTo(
      varianceShare([
        [1, 0, 1, 0],
        [1, 1],
        [0, 0],
      ])!,
      12,
    );
    expect(turnEnd.share).toBe(1);
  });
  it("compares the same state in different levels where chance decides, and knows the actions at the end of a turn", () => {
    // The level fixes the cards: with the same table and action some hands win and others lose.
    const hand = (level: string, column: number, action: string, reward: number) => {
      const played = episode(level, [[column, reward > 0 ? 2 : 3, reward]]);
      for (const turn of played.turns) Object.assign(turn, { executed: [{ name: action }] });
      return played;
    };
    const hands = [
      ...[hand("a", 0, "Hit", 1), hand("a", 0, "Stand", 0), hand("b", 0, "Hit", 0), hand("b", 0, "Hit", 0)],
      ...[hand("c", 0, "Stand", 1), hand("d", 0, "Stand", 1), hand("e", 1, "Stand", 0)],
    ];
    // One hand of each level. Before: column 0 (a 1, b 0, c 1, d 1) and column 1; after: Hit and Stand apart.
    const { episodes, turnStart, turnEnd } = explainableShare(hands, true)!;
    expect([episodes, turnStart.groups, turnEnd.groups]).toEqual([5, 2, 3]);
    expect(turnStart.share).toBeCloseTo(varianceShare([[1, 0, 1, 1], [0]])!, 12);
    expect(turnEnd.share).toBeCloseTo(varianceShare([[1, 0], [1, 1], [0]])!, 12);
    expect(explainableShare([hands[0]!, hands[0]!, hands[6]!], true)).toBeNull();
  });
  it("is unknown when each level is played once", () => {
    expect(explainableShare([walks[0]!, walks[4]!])).toBeNull();
  });
});
