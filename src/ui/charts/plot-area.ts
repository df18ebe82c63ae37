// Where the plot lies inside its chart: what is drawn over a plot relies on it.
import type { Figure } from "./figure.ts";

/** Pixels around the plot. */
export const MARGIN = { top: 8, right: 10, bottom: 22, left: 58 } as const;

/** The pixel of an x on a figure's axis, in a chart of this width. */
export function pixelOf({ xDomain: [from, to] }: Figure, width: number, x: number): number {
  return MARGIN.left + ((x - from) / (to - from || 1)) * (width - MARGIN.left - MARGIN.right);
}

/** The x at a pixel of a chart of this width; beside the plot, that of its edge. */
export function xAtPixel({ xDomain: [from, to] }: Figure, width: number, pixel: number): number {
  const share = (pixel - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}
