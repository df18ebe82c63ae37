// Which episodes the reference's filters keep (golden/filters.json says where they come from).
import { expect, test } from "vitest";
import type { Trajectory } from "../../core/types.ts";
import golden from "./golden/filters.json" with { type: "json" };
import { filters } from "./index.ts";

const kept = (keep: readonly boolean[]) => keep.flatMap((is, i) => (is ? [i] : []));

test("there are 60 cases", () => expect(golden.cases).toHaveLength(60));

test.each(golden.cases.map((one, i) => [i, one] as const))("case %i", (_, { groups, scores, ...want }) => {
  const episodes = scores.map((score, i) => ({
    groupId: `g${groups[i]}`,
    score,
    trajectory: { success: false } as Trajectory,
  }));
  for (const id of ["reward_variance", "reward_variance_top_p"] as const) {
    const { topk, topP } = {
      topk: want.reward_variance.topk,
      topP: want.reward_variance_top_p.top_p,
    };
    const { keep, scale } = filters.get(id).apply(episodes, { topk, topP });
    expect(kept(keep)).toEqual(want[id].keep);
    expect(Math.abs(scale - want[id].scale)).toBeLessThan(1e-9);
  }
});
