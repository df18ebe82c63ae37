// Edges by Canny's method (1986), as OpenCV's `Canny(grey, 100, 200)` finds them: every rounding and every tie is decided in the same way.
// https://docs.opencv.org/4.x/da/d22/tutorial_py_canny.html
import type { Frame } from "../../core/types.ts";

/** A grey picture, row by row. */
export interface Grey {
  width: number;
  height: number;
  values: Uint8Array;
}

/** The luma of ITU-R 601 in 16-bit fixed point, as Pillow's `convert("L")` gives it. */
export function greyOf({ width, height, data }: Frame): Grey {
  const values = new Uint8Array(width * height);
  for (let i = 0; i < values.length; i++)
    values[i] = (19595 * data[4 * i]! + 38470 * data[4 * i + 1]! + 7471 * data[4 * i + 2]! + 32768) >> 16;
  return { width, height, values };
}

/** A pixel is a part of an edge only if its gradient is larger than `LOW`; one larger than `HIGH` begins an edge. */
const LOW = 100;
const HIGH = 200;

/** The edges of a picture: 1 on an edge, 0 elsewhere, row by row. */
export function edgesOf({ width, height, values }: Grey): Uint8Array {
  const line = width + 2;
  const gradients = gradientsOf(withFrame(values, width, height), line);
  const marks = grown(gradients, candidatesIn(gradients));
  const edges = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let col = 0; col < width; col++)
      edges[row * width + col] = marks[(row + 1) * line + col + 1] === EDGE ? 1 : 0;
  return edges;
}

/** The picture with a frame that is one pixel wide and repeats the pixels on its border. */
function withFrame(values: Uint8Array, width: number, height: number): Uint8Array {
  const line = width + 2;
  const framed = new Uint8Array(line * (height + 2));
  for (let row = 0; row < height + 2; row++) {
    const start = width * Math.min(height - 1, Math.max(0, row - 1));
    framed[line * row] = values[start]!;
    framed.set(values.subarray(start, start + width), line * row + 1);
    framed[line * row + width + 1] = values[start + width - 1]!;
  }
  return framed;
}

/** Gradients at the pixels; 0 in the frame. */
interface Gradients {
  across: Int16Array;
  down: Int16Array;
  /** |across| + |down|. */
  sizes: Int16Array;
  /** From a pixel to the one below it. */
  line: number;
}

/** Sobel's operator on 3 × 3 pixels. @param values with a frame */
function gradientsOf(values: Uint8Array, line: number): Gradients {
  const empty = () => new Int16Array(values.length);
  const [across, down, sizes] = [empty(), empty(), empty()];
  for (let i = line + 1; i < values.length - line - 1; i++) {
    if (i % line === 0 || i % line === line - 1) continue;
    const falling = values[i + line + 1]! - values[i - line - 1]!;
    const rising = values[i - line + 1]! - values[i + line - 1]!;
    across[i] = falling + rising + 2 * (values[i + 1]! - values[i - 1]!);
    down[i] = falling - rising + 2 * (values[i + line]! - values[i - line]!);
    sizes[i] = Math.abs(across[i]!) + Math.abs(down[i]!);
  }
  return { across, down, sizes, line };
}

const CANDIDATE = 1;
const EDGE = 2;

/** Marks the pixels that may be a part of an edge. */
function candidatesIn(gradients: Gradients): Uint8Array {
  const { sizes } = gradients;
  const marks = new Uint8Array(sizes.length);
  for (let i = 0; i < sizes.length; i++) if (sizes[i]! > LOW && isRidge(gradients, i)) marks[i] = CANDIDATE;
  return marks;
}

/** tan 22.5° in 15-bit fixed point. */
const TAN = 13573;

/** Whether the gradient of a pixel is the largest along its own direction, which is rounded to a multiple of 45°. */
function isRidge({ across, down, sizes, line }: Gradients, i: number): boolean {
  const size = sizes[i]!;
  const x = Math.abs(across[i]!);
  const y = Math.abs(down[i]!) << 15;
  if (y < x * TAN) return size > sizes[i - 1]! && size >= sizes[i + 1]!;
  // tan 67.5° is tan 22.5° + 2.
  if (y > x * TAN + (x << 16)) return size > sizes[i - line]! && size >= sizes[i + line]!;
  const diagonal = across[i]! * down[i]! < 0 ? line - 1 : line + 1;
  return size > sizes[i - diagonal]! && size > sizes[i + diagonal]!;
}

/** Marks as edges the candidates that begin one, and those that others connect with them, side by side or corner to corner. */
function grown({ sizes, line }: Gradients, marks: Uint8Array): Uint8Array {
  const open: number[] = [];
  const add = (i: number) => {
    if (marks[i] !== CANDIDATE) return;
    marks[i] = EDGE;
    open.push(i);
  };
  for (let i = 0; i < sizes.length; i++) if (sizes[i]! > HIGH) add(i);
  for (let i = open.pop(); i !== undefined; i = open.pop())
    for (const row of [i - line, i, i + line]) for (let near = row - 1; near <= row + 1; near++) add(near);
  return marks;
}
