// Where a chart's numbers go, so that they cover little of the curve.

/** Pixels of the window. */
interface Surroundings {
  /** The plot, without its axes. */
  plot: { left: number; right: number; top: number; bottom: number };
  /** x of the cursor. */
  x: number;
  window: { width: number; height: number };
}

/** A box for `position: fixed`; its height is not known, so only one end is fixed. */
export interface Place {
  left: number;
  top?: number;
  bottom?: number;
}

/** From the cursor, and from the edges of the window. */
const GAP = 10;
const EDGE = 4;

/** Beside the cursor, on the side that leaves more of the plot free; where neither has room, above the plot or below it. */
export function beside({ plot, x, window }: Surroundings, width: number): Place {
  const sides = [x + GAP, x - GAP - width].filter(
    (left) => left >= EDGE && left + width <= window.width - EDGE,
  );
  const hidden = (left: number) => Math.min(left + width, plot.right) - Math.max(left, plot.left);
  const [left] = sides.sort((a, b) => hidden(a) - hidden(b));
  const above = plot.top > window.height - plot.bottom;
  if (left !== undefined) {
    // Towards the middle of the window, where there is room for it.
    const isLow = (plot.top + plot.bottom) / 2 > window.height / 2;
    return isLow ? { left, bottom: window.height - plot.bottom } : { left, top: Math.max(EDGE, plot.top) };
  }
  const middle = Math.max(EDGE, Math.min(x - width / 2, window.width - EDGE - width));
  return above
    ? { left: middle, bottom: window.height - plot.top + GAP }
    : { left: middle, top: plot.bottom + GAP };
}
