// Some drawings of SVG reconstruction as numbers that any changed byte would change.
import { rng } from "../../src/core/rng.ts";
import { drawingText } from "../../src/envs/svg/drawing.ts";
import { drawFromSet } from "../../src/envs/svg/icon-set.ts";
import { drawIcon } from "../../src/envs/svg/icons.ts";
import { rasterise } from "../../src/envs/svg/raster.ts";
import { readDrawing, type SafeDrawing } from "../../src/envs/svg/sanitise.ts";
import { COMPARED_SIDE, compare, featuresOf } from "../../src/envs/svg/similarity.ts";

const SAMPLES = 24;

const GRADIENTS =
  '<svg viewBox="0 0 32 32"><radialGradient id="g"><stop offset="0" stop-color="gold"/><stop offset="1" stop-color="blue"/></radialGradient><ellipse cx="16" cy="16" rx="14" ry="9" fill="url(#g)" stroke="red" stroke-width="1.5" opacity=".7" transform="rotate(20 16 16)"/></svg>';

/** FNV-1a, 32 bits. */
const hash = (data: Uint8ClampedArray): number =>
  data.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5);

/** For each drawing a hash of its pixels, and how similar it is to the one before. */
export function drawSample(): { pixels: number; ms_ssim: number; edges: number; color: number }[] {
  const codes = Array.from({ length: SAMPLES }, (_, seed) =>
    seed % 2 ? drawFromSet(rng(seed), "test") : drawingText(drawIcon(rng(seed), 3, 4)),
  );
  const frames = [...codes, GRADIENTS].map((code) =>
    rasterise(readDrawing(code) as SafeDrawing, COMPARED_SIDE),
  );
  const features = frames.map(featuresOf);
  return frames.map(({ data }, i) => ({ pixels: hash(data), ...compare(features[i]!, features.at(i - 1)!) }));
}
