// How old the policy was that sampled what is trained on.
import type { Trajectory } from "../core/types.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Versions between sampling and training, over the sampled tokens: to the policy that the update makes (`theta`, the number of
 * the update) and to the one that it begins with (`proximal`, one less). Names are AReaL's. Absent without versions.
 */
export function stalenessMetrics(trajectories: readonly Trajectory[], update: number): Metrics {
  let [sum, count, max] = [0, 0, 0];
  for (const { tokens } of trajectories) {
    tokens.versions?.forEach((version) => {
      if (version < 0) return;
      sum += update - version;
      max = Math.max(max, update - version);
      count++;
    });
  }
  if (count === 0) return {};
  return {
    "version_stats/sample_staleness_theta_avg": sum / count,
    "version_stats/sample_staleness_theta_max": max,
    "version_stats/sample_staleness_proximal_avg": sum / count - 1,
  };
}
