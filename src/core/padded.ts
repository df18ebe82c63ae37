// Pictures of several sizes for a model that reads one.
import type { Frame } from "./types.ts";

/** The colour beside a smaller picture. */
const GREY = 128;

/** The picture in the upper left corner of one with that size in pixels; itself if it has that size. */
export function padded(picture: Frame, width: number, height: number): Frame {
  if (picture.width === width && picture.height === height) return picture;
  const data = new Uint8ClampedArray(width * height * 4).fill(GREY);
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  const row = picture.width * 4;
  for (let y = 0; y < picture.height; y++)
    data.set(picture.data.subarray(y * row, (y + 1) * row), y * width * 4);
  return { width, height, data };
}
