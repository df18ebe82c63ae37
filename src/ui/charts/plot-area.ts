// Where the plot lies inside its chart: what is drawn over a plot relies on it.
import { axisFormat, percentFormat } from "./axis-format.ts";
import type { Figure } from "./figure.ts";

/** Pixels around the plot. On the left it has at least these, and more where `plotLeft` needs them. */
export const MARGIN = { top: 8, right: 10, bottom: 22, left: 58 } as const;

/** Of the labels beside the plot: the widest digits that a system's font has at 11 px, and the gap to the plot. */
const DIGIT = 7;
const GAP = 10;

type Axis = Pick<Figure, "yTicks" | "share" | "log">;

/** How the value axis is written. */
export const valueFormat = ({ yTicks, share, log }: Axis): ((value: number) => string) =>
  share ? percentFormat(yTicks) : axisFormat(yTicks, log);

/** The pixel at which the plot begins: right of its longest label. */
export function plotLeft(axis: Axis): number {
  const letters = Math.max(...axis.yTicks.map(valueFormat(axis)).map(({ length }) => length));
  return Math.max(MARGIN.left, GAP + DIGIT * letters);
}

/** The pixel of an x on a figure's axis, in a chart of this width. */
export function pixelOf(figure: Figure, width: number, x: number): number {
  const {
    xDomain: [from, to],
  } = figure;
  const left = plotLeft(figure);
  return left + ((x - from) / (to - from || 1)) * (width - left - MARGIN.right);
}

/** The x at a pixel of a chart of this width; beside the plot, that of its edge. */
export function xAtPixel(figure: Figure, width: number, pixel: number): number {
  const {
    xDomain: [from, to],
  } = figure;
  const left = plotLeft(figure);
  const share = (pixel - left) / (width - left - MARGIN.right);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}
