// The device of a run, with the tiles that it computes the run's matrix products fastest with.
import type { Gpu } from "../gpu/device.ts";
import { TileChoices } from "../gpu/tile-choice.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";

/** Narrower models have no product that could gain from a larger tile. */
const TUNED_WIDTH = 128;

/** Choices for commands, whose runs last as long as their process. */
export const sessionTiles = new TileChoices(null);

/** `gpu` with the choice of `tiles` among its properties, if the model is large enough for it to matter. Never rejects. */
export async function tunedGpu(
  gpu: Gpu,
  { decoder, vision }: Pick<ModelArchitecture, "decoder" | "vision">,
  tiles: TileChoices,
): Promise<Gpu> {
  if (Math.max(decoder.width, vision.width) < TUNED_WIDTH) return gpu;
  return { ...gpu, caps: { ...gpu.caps, largeTiles: await tiles.of(gpu) } };
}
