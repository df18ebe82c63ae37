import { expect, test } from "vitest";
import type { Trajectory } from "../../core/types.ts";
import { filters, groupVariances } from "./index.ts";

/** An episode that earned `score`, which says nothing about whether it succeeded. */
const played = (groupId: string, score: number, success = false) => ({
  groupId,
  score,
  trajectory: { success } as Trajectory,
});

/** Groups a, b, c, d of two episodes with the variances 4, 0, 1 and 0.25. */
const episodes = (
  [
    ["a", 0],
    ["b", 1],
    ["a", 4],
    ["b", 1],
    ["c", 0],
    ["c", 2],
    ["d", 1],
    ["d", 2],
  ] as const
).map(([groupId, score]) => played(groupId, score));
const options = { topk: 0.5, topP: 0.9 };
const keptGroups = (keep: readonly boolean[]) => [
  ...new Set(episodes.filter((_, i) => keep[i]).map(({ groupId }) => groupId)),
];

test("variances are those of the group, and 0 for a group of one", () => {
  expect([...groupVariances(episodes)]).toEqual([
    ["a", 4],
    ["b", 0],
    ["c", 1],
    ["d", 0.25],
  ]);
  expect([...groupVariances([played("x", 3)])]).toEqual([["x", 0]]);
});

test("ddof 1 makes them unbiased, which may change the order of groups of different sizes", () => {
  expect([...groupVariances(episodes, 1).values()]).toEqual([8, 0, 2, 0.5]);
  expect([...groupVariances([played("x", 3)], 1).values()]).toEqual([0]);
  // Variances 1 and 1.04, of two and five episodes: unbiased 2 and 1.3.
  const uneven = [0, 2]
    .map((score) => played("two", score))
    .concat([0, 1, 2, 2, 3].map((score) => played("five", score)));
  const first = (ddof: number) =>
    filters.get("reward_variance").apply(uneven, { topk: 0.5, topP: 1, ddof }).keep[0];
  expect([first(0), first(1)]).toEqual([false, true]);
});

test("reward_variance keeps a share of the groups, rounded up, unscaled", () => {
  const filter = filters.get("reward_variance");
  expect(keptGroups(filter.apply(episodes, options).keep)).toEqual(["a", "c"]);
  expect(keptGroups(filter.apply(episodes, { ...options, topk: 0.51 }).keep)).toEqual(["a", "c", "d"]);
  expect(keptGroups(filter.apply(episodes, { ...options, topk: 0.01 }).keep)).toEqual(["a"]);
  expect(filter.apply(episodes, options).scale).toBe(1);
});

test("reward_variance_top_p keeps the fewest groups with that share, and shortens the step", () => {
  const filter = filters.get("reward_variance_top_p");
  // 4 + 1 = 5 of 5.25 is 95 %; 4 alone is 76 %.
  const { keep, scale, metrics } = filter.apply(episodes, options);
  expect(keptGroups(keep)).toEqual(["a", "c"]);
  expect(scale).toBeCloseTo(Math.sqrt(2 / 4), 12);
  expect(metrics.cumulative_variance_ratio).toBeCloseTo(5 / 5.25, 12);
  expect(metrics.num_selected_groups).toBe(2);
  expect(keptGroups(filter.apply(episodes, { ...options, topP: 0.5 }).keep)).toEqual(["a"]);
});

test("without any variance nothing is dropped by top_p", () => {
  const alike = episodes.map(({ groupId }) => played(groupId, 1));
  const { keep, scale } = filters.get("reward_variance_top_p").apply(alike, options);
  expect(keep.every(Boolean)).toBe(true);
  expect(scale).toBe(1);
});

test("dynamic accepts groups that neither always fail nor always succeed, and may accept none", () => {
  const filter = filters.get("dynamic");
  const scored = [
    played("failed", 0),
    played("solved", 1, true),
    played("mixed", 0),
    // Paid for talking, and hopeless all the same.
    played("failed", 0.25),
    // What it pays depends on the task and on the attempt.
    played("solved", 0.95, true),
    played("mixed", 10, true),
    played("costly", -1),
    played("costly", 1, true),
  ];
  const { keep, scale, metrics } = filter.apply(scored, options);
  expect(new Set(scored.filter((_, i) => keep[i]).map(({ groupId }) => groupId))).toEqual(
    new Set(["mixed", "costly"]),
  );
  expect(scale).toBe(1);
  expect(metrics).toMatchObject({ num_selected_groups: 2, num_total_groups: 4 });
  const none = filter.apply(scored.slice(0, 2), options);
  expect(none.keep).toEqual([false, false]);
  expect(Object.values(none.metrics).every(Number.isFinite)).toBe(true);
});
