// The square pictures of worlds: a number of patches wide and high, whatever the size of a patch.
import { EnvError } from "../core/errors.ts";
import type { Frame } from "../core/types.ts";

/** Side of a patch of the agent's picture, in pixels. */
export const PATCH = 8;
/** Largest side of a picture, in pixels. */
const LARGEST_PICTURE = 2048;

/** Rows and columns of the picture in patches. @param options `resolution`: side of the agent's picture in pixels. */
export const patchesOf = ({ resolution }: { resolution: number }): { rows: number; cols: number } => ({
  rows: resolution / PATCH,
  cols: resolution / PATCH,
});

/**
 * The side of a picture in pixels.
 * @param resolution side of the agent's picture in pixels, whose patches have `PATCH` pixels.
 * @param patchPx side of a patch in the picture to be drawn.
 * @throws EnvError("invalid_config") for a patch that is no whole number of pixels, or too large.
 */
export function pictureSide(resolution: number, patchPx: number): number {
  const side = (resolution / PATCH) * patchPx;
  if (Number.isInteger(patchPx) && patchPx >= 1 && side <= LARGEST_PICTURE) return side;
  throw new EnvError(
    "invalid_config",
    `patchPx is ${patchPx}; no patch can have that size.`,
    `Use a whole number of pixels from 1 to ${Math.floor((LARGEST_PICTURE * PATCH) / resolution)}.`,
  );
}

/** A picture that may be written on. */
export const copyOf = ({ width, height, data }: Frame): Frame => ({ width, height, data: data.slice() });
