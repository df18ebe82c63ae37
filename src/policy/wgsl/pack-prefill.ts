// What the cache is filled with before a reply is decoded: the new tokens of several conversations, one after another.
import type { GenerateRequest } from "../policy.ts";
import type { ModelArchitecture } from "./architecture.ts";
import { type PackedBatch, packPixels, visionSpans } from "./pack.ts";

/** The part of a request that is prefilled: everything but its last token, which the first decoding step feeds. */
export interface Prefill {
  ids: Int32Array;
  /** The token after them, which decoding feeds. */
  last: number;
  /** Position of the first of them. */
  start: number;
  /** Whether the policy wrote token t of `ids`, which is then text whatever its id. */
  isOwn: (t: number) => boolean;
  rngKey: number;
  request: GenerateRequest;
}

/** Packs the new tokens of several conversations; image tokens take the pictures of their request in order. */
export function packPrefill(
  micro: readonly Prefill[],
  architecture: ModelArchitecture,
  isImageToken: (id: number) => boolean,
): Pick<
  PackedBatch,
  "tokens" | "patches" | "imageTokens" | "ids" | "positions" | "patchOfToken" | "pixels" | "visionSpan"
> & { slot: Uint32Array<ArrayBuffer> } {
  const tokens = micro.reduce((sum, { ids }) => sum + ids.length, 0);
  const images = micro.flatMap(({ request }) => request.images);
  const [ids, positions, slot] = [new Uint32Array(tokens), new Uint32Array(tokens), new Uint32Array(tokens)];
  const patchOfToken = new Int32Array(tokens).fill(-1);
  let at = 0;
  let patch = 0;
  for (const { ids: own, start, isOwn, request } of micro) {
    for (let t = 0; t < own.length; t++, at++) {
      const id = own[t] as number;
      ids[at] = id;
      positions[at] = start + t;
      slot[at] = request.slot;
      if (!isOwn(t) && isImageToken(id)) patchOfToken[at] = patch++;
    }
  }
  const patchesEach = architecture.vision.rows * architecture.vision.cols;
  return {
    tokens,
    patches: images.length * patchesEach,
    imageTokens: patch,
    ids,
    positions,
    slot,
    patchOfToken,
    pixels: packPixels(images, architecture),
    visionSpan: visionSpans(images.length, patchesEach),
  };
}
