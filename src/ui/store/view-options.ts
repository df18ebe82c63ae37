// Display options of charts and traces.

export type XAxis = "update" | "turns" | "tokens" | "time";

/** How far back the axis reaches: to the start of the current stage, or of the run. */
export type XRange = "stage" | "run";

export const HEAT_MAPS = ["none", "advantage", "value", "return", "reward", "entropy", "mask"] as const;
export type HeatMapId = (typeof HEAT_MAPS)[number];
