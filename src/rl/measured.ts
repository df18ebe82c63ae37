// What environments measure of the states in which episodes end, such as how similar a drawing is to its model.
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import type { Metrics } from "./metrics.ts";

/** A measure of each episode's last state; 0 where there is none, as before the first drawing. */
export const measuredValues = (trajectories: readonly Trajectory[], measure: string): number[] =>
  trajectories.map(({ turns }) => {
    const value = turns.at(-1)?.after.facts?.[measure];
    return typeof value === "number" ? value : 0;
  });

/** The mean of each measure under `train/measured/…`; `entry` is the name of a further environment of a mixture. */
export const measuredMetrics = (
  trajectories: readonly Trajectory[],
  measures: readonly string[],
  entry?: string,
): Metrics =>
  trajectories.length === 0
    ? {}
    : Object.fromEntries(
        measures.map((name) => [
          `train/measured/${entry === undefined ? "" : `${entry}/`}${name}`,
          mean(measuredValues(trajectories, name)),
        ]),
      );
