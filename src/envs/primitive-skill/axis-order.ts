// The order in which the coordinates of a point are written.
import type { Vec3 } from "../../core/raster/solid.ts";
import type { WorldTruth } from "../../core/types.ts";

export const AXIS_ORDERS = ["xyz", "yxz"] as const;

export type AxisOrder = (typeof AXIS_ORDERS)[number];

/** Converts a point between [x, y, z] and its written order. The conversion is its own inverse. */
export const reordered = ([first, second, third]: Vec3, order: AxisOrder): Vec3 =>
  order === "yxz" ? [second, first, third] : [first, second, third];

/** The order in which the agent reads and writes the coordinates of a state. */
export const axisOrderOf = ({ facts }: WorldTruth): AxisOrder =>
  facts?.axis_order === "yxz" ? "yxz" : "xyz";
