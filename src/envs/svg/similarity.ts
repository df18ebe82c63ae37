// How alike two pictures are, measured without a neural network. Each measure is 1 for equal pictures and 0 for a blank one beside an
// icon: paper that both leave white says nothing.
import type { Frame } from "../../core/types.ts";

/** The measures, each from 0 to 1. */
export interface Measures {
  /**
   * Multi-scale structural similarity (Wang, Simoncelli and Bovik, 2003) of the grey pictures on three scales, over the windows in
   * which either picture shows anything.
   */
  ms_ssim: number;
  /** Overlap of edges: the sum of the smaller gradient at each pixel over that of the larger one. */
  edges: number;
  /** 1 minus the sum of colour differences over the sum of differences from the paper; not below 0. */
  color: number;
}

/** The weights of these measures in a score, with the names of `config.ts`. */
type Weights = Readonly<Record<"ms_ssim_weight" | "edge_weight" | "color_weight", number>>;

/** The weighted sum of the measures. */
export const weightedSum = (
  { ms_ssim, edges, color }: Measures,
  { ms_ssim_weight, edge_weight, color_weight }: Weights,
): number => ms_ssim_weight * ms_ssim + edge_weight * edges + color_weight * color;

/** Decide on success where only models are paid. */
const USUAL: Weights = { ms_ssim_weight: 0.4, edge_weight: 0.3, color_weight: 0.3 };

/** The similarity of a drawing, from 0 to 1: the weighted mean of its measures, with the usual weights where all are 0. */
export function weightedMean(measures: Measures, weights: Weights): number {
  const sum = sumOf(weights);
  return sum > 0 ? weightedSum(measures, weights) / sum : weightedSum(measures, USUAL) / sumOf(USUAL);
}

const sumOf = ({ ms_ssim_weight, edge_weight, color_weight }: Weights): number =>
  ms_ssim_weight + edge_weight + color_weight;

/** Pictures are compared at this size. */
export const COMPARED_SIDE = 64;

const SCALES = 3;
const WINDOW = 8;
const STRIDE = 4;
/** Stabilisers of SSIM for values from 0 to 1. */
const C1 = 0.01 ** 2;
const C2 = 0.03 ** 2;

/** A channel of a picture, from 0 to 1. */
interface Plane {
  side: number;
  values: Float64Array;
}

/** What is compared of a picture; made once for a target. */
export interface Features {
  rgb: Float64Array;
  /** Grey pictures, each half as wide as the one before. */
  greys: readonly Plane[];
  gradient: Float64Array;
}

/** @param picture `COMPARED_SIDE` pixels wide and high, opaque. */
export function featuresOf({ data }: Frame): Features {
  const rgb = colours(data);
  const values = new Float64Array(COMPARED_SIDE ** 2);
  for (let i = 0; i < values.length; i++)
    values[i] = 0.299 * rgb[3 * i]! + 0.587 * rgb[3 * i + 1]! + 0.114 * rgb[3 * i + 2]!;
  const greys: Plane[] = [{ side: COMPARED_SIDE, values }];
  while (greys.length < SCALES) greys.push(halved(greys.at(-1)!));
  return { rgb, greys, gradient: gradientOf(rgb) };
}

/** Red, green and blue of each pixel, from 0 to 1. */
function colours(data: Frame["data"]): Float64Array {
  const rgb = new Float64Array(COMPARED_SIDE ** 2 * 3);
  for (let pixel = 0; pixel < COMPARED_SIDE ** 2; pixel++)
    for (let channel = 0; channel < 3; channel++) rgb[3 * pixel + channel] = data[4 * pixel + channel]! / 255;
  return rgb;
}

export function compare(one: Features, other: Features): Measures {
  return {
    ms_ssim: msSsim(one.greys, other.greys),
    edges: overlap(one.gradient, other.gradient),
    color: agreement(one.rgb, other.rgb),
  };
}

/** Means of 2 × 2 pixels. */
function halved({ side, values }: Plane): Plane {
  const half = side / 2;
  const at = (row: number, col: number) => values[row * side + col]!;
  const means = new Float64Array(half ** 2);
  for (let i = 0; i < means.length; i++) {
    const [row, col] = [2 * Math.floor(i / half), 2 * (i % half)];
    means[i] = (at(row, col) + at(row, col + 1) + at(row + 1, col) + at(row + 1, col + 1)) / 4;
  }
  return { side: half, values: means };
}

/** The largest Sobel gradient of the three channels at each pixel; pixels beyond the border are like those on it. */
function gradientOf(rgb: Float64Array): Float64Array {
  const last = COMPARED_SIDE - 1;
  const line = 3 * COMPARED_SIDE;
  const gradient = new Float64Array(COMPARED_SIDE ** 2);
  for (let row = 0; row <= last; row++) {
    const [above, at, below] = [line * Math.max(0, row - 1), line * row, line * Math.min(last, row + 1)];
    for (let col = 0; col <= last; col++) {
      const left = 3 * Math.max(0, col - 1);
      const right = 3 * Math.min(last, col + 1);
      let largest = 0;
      for (let channel = 0; channel < 3; channel++) {
        const [l, m, r] = [left + channel, 3 * col + channel, right + channel];
        largest = Math.max(largest, squaredSobel(rgb, above, at, below, l, m, r));
      }
      gradient[row * COMPARED_SIDE + col] = Math.sqrt(largest);
    }
  }
  return gradient;
}

/** The squared gradient at the middle of 3 × 3 values, whose rows and columns begin at these places. */
function squaredSobel(
  values: Float64Array,
  above: number,
  at: number,
  below: number,
  left: number,
  mid: number,
  right: number,
): number {
  const across =
    values[above + right]! +
    2 * values[at + right]! +
    values[below + right]! -
    (values[above + left]! + 2 * values[at + left]! + values[below + left]!);
  const down =
    values[below + left]! +
    2 * values[below + mid]! +
    values[below + right]! -
    (values[above + left]! + 2 * values[above + mid]! + values[above + right]!);
  return across * across + down * down;
}

/** 1 where there is nothing in either. */
function overlap(a: Float64Array, b: Float64Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    both += Math.min(a[i]!, b[i]!);
    either += Math.max(a[i]!, b[i]!);
  }
  return either === 0 ? 1 : both / either;
}

function agreement(a: Float64Array, b: Float64Array): number {
  let [apart, ink] = [0, 0];
  for (let i = 0; i < a.length; i += 3) {
    apart += distance(a, b, i);
    ink += Math.max(toPaper(a, i), toPaper(b, i));
  }
  return ink === 0 ? 1 : Math.max(0, 1 - apart / ink);
}

const distance = (a: Float64Array, b: Float64Array, i: number): number =>
  norm(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
const toPaper = (a: Float64Array, i: number): number => norm(1 - a[i]!, 1 - a[i + 1]!, 1 - a[i + 2]!);
const norm = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);

/** The geometric mean of contrast and structure on the finer scales and all of SSIM on the coarsest. */
function msSsim(a: readonly Plane[], b: readonly Plane[]): number {
  const scales = a.map((plane, scale) => ssim(plane, b[scale]!, scale === a.length - 1));
  return cubeRoot(scales.reduce((product, value) => product * value, 1));
}

/** By Newton's method from 1, which is enough steps down to 10⁻²⁰: engines differ in the last bit of `**` and `Math.cbrt`. @param x from 0 to 1. */
function cubeRoot(x: number): number {
  if (x < 1e-20) return 0;
  let root = 1;
  for (let i = 0; i < 60; i++) root -= (root * root * root - x) / (3 * root * root);
  return root;
}

/** Over the windows in which either picture shows anything; 1 if there is none. Never below 0. */
function ssim(a: Plane, b: Plane, withLuminance: boolean): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row + WINDOW <= a.side; row += STRIDE)
    for (let col = 0; col + WINDOW <= a.side; col += STRIDE) {
      const found = ssimOfWindow(a, b, row * a.side + col, withLuminance);
      if (found === null) continue;
      sum += found;
      count++;
    }
  return count === 0 ? 1 : Math.max(0, sum / count);
}

/** Null where both are white. */
function ssimOfWindow(
  { side, values: a }: Plane,
  { values: b }: Plane,
  start: number,
  withLuminance: boolean,
) {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let row = 0; row < WINDOW; row++)
    for (let i = start + row * side; i < start + row * side + WINDOW; i++) {
      const [x, y] = [a[i]!, b[i]!];
      sumA += x;
      sumB += y;
      squareA += x * x;
      squareB += y * y;
      product += x * y;
    }
  const n = WINDOW ** 2;
  const [meanA, meanB] = [sumA / n, sumB / n];
  if (meanA > 1 - 1e-9 && meanB > 1 - 1e-9) return null;
  const [varA, varB] = [squareA / n - meanA ** 2, squareB / n - meanB ** 2];
  const structure = (2 * (product / n - meanA * meanB) + C2) / (varA + varB + C2);
  return withLuminance ? (structure * (2 * meanA * meanB + C1)) / (meanA ** 2 + meanB ** 2 + C1) : structure;
}
