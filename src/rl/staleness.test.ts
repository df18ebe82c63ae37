import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { stalenessMetrics } from "./staleness.ts";

const sampledBy = (...versions: number[]) =>
  ({ tokens: { versions: Int32Array.from(versions) } }) as unknown as Trajectory;

test("staleness counts sampled tokens only, to the policy before and after the update", () => {
  // Update 9: distances 1, 1, 4 and 2, whose mean is 2.
  const metrics = stalenessMetrics([sampledBy(-1, 8, 8, -1, 5), sampledBy(-1, 7)], 9);
  expect(metrics).toEqual({
    "version_stats/sample_staleness_theta_avg": 2,
    "version_stats/sample_staleness_theta_max": 4,
    "version_stats/sample_staleness_proximal_avg": 1,
  });
});

test("without sampled tokens, or without versions, nothing is said", () => {
  expect(stalenessMetrics([sampledBy(-1, -1)], 3)).toEqual({});
  expect(stalenessMetrics([{ tokens: {} } as Trajectory], 3)).toEqual({});
});
