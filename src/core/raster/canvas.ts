// What a picture is drawn on: colour, depth and the id of what is seen, at a whole number of samples per pixel.
import type { Frame } from "../types.ts";

export interface Canvas {
  /** Side of the square picture in pixels. */
  size: number;
  /** Samples per pixel along each side. More of them give smoother edges. */
  detail: number;
  /** Samples along each side of the canvas. */
  side: number;
  /** 0xrrggbb of each sample, row by row from the top left. */
  colors: Uint32Array;
  /** One over the distance along the view, 0 where nothing is. */
  nearness: Float32Array;
  /** Id of the group that is seen, 0 where nothing is. */
  ids: Uint16Array;
}

export function createCanvas(size: number, detail: number): Canvas {
  const side = size * detail;
  const samples = side * side;
  return {
    size,
    detail,
    side,
    colors: new Uint32Array(samples),
    nearness: new Float32Array(samples),
    ids: new Uint16Array(samples),
  };
}

export function clearCanvas({ colors, nearness, ids }: Canvas): void {
  colors.fill(0);
  nearness.fill(0);
  ids.fill(0);
}

/** The picture: each pixel is the mean of its samples, rounded down. */
export function frameOf({ size, detail, side, colors }: Canvas): Frame {
  const data = new Uint8ClampedArray(size * size * 4);
  const samples = detail * detail;
  for (let row = 0, at = 0; row < size; row++) {
    for (let col = 0; col < size; col++, at += 4) {
      // Red and blue are added up in one number, 16 bits apart, which has room for 256 samples.
      let redBlue = 0;
      let green = 0;
      for (let y = 0; y < detail; y++) {
        const first = (row * detail + y) * side + col * detail;
        for (let i = first; i < first + detail; i++) {
          redBlue += colors[i] & 0xff00ff;
          green += colors[i] & 0x00ff00;
        }
      }
      data[at] = Math.floor((redBlue >>> 16) / samples);
      data[at + 1] = Math.floor((green >>> 8) / samples);
      data[at + 2] = Math.floor((redBlue & 0xffff) / samples);
      data[at + 3] = 255;
    }
  }
  return { width: size, height: size, data };
}

/** Samples that each id is seen in, up to the largest id `last`. */
export function countIds({ ids }: Canvas, last: number): Uint32Array {
  const counts = new Uint32Array(last + 1);
  for (let i = 0; i < ids.length; i++) counts[ids[i]]++;
  return counts;
}
