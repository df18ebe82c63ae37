// Token embedding: table rows for text, encoded patches for image tokens.
import backward from "#shaders/embedding_backward.wgsl?raw";
import forward from "#shaders/embedding_forward.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** out (N, C) = table[ids] for text, patches[patch_of_token] for image tokens. `patches` needs a row even if unused. */
export const embeddingForward = defineKernel({
  label: "embedding_forward",
  code: [forward],
  uniforms: { n: "u32", c: "u32" },
  bindings: { ids: "read", patch_of_token: "read", table: "read", patches: "read", out: "read_write" },
  grid: ({ n, c }) => grid1d((n * c) / 4, 64),
});

/** dtable (V, C) += sums of dout (N, C) per id, over `order` and `offsets` of `sortTokensById`. */
export const embeddingBackward = defineKernel({
  label: "embedding_backward",
  code: [backward],
  uniforms: { v: "u32", c: "u32" },
  bindings: { dout: "read", order: "read", offsets: "read", dtable: "read_write" },
  grid: ({ v, c }) => grid1d((v * c) / 4, 64),
});

/**
 * Positions of the text tokens sorted by id (stable), and where each id begins among them.
 * @param patchOfToken −1 for text; other tokens are left out.
 * @returns order: as long as `ids`, zeros past the text tokens; offsets: (vocab + 1).
 */
export function sortTokensById(
  ids: ArrayLike<number>,
  patchOfToken: ArrayLike<number>,
  vocab: number,
): { order: Uint32Array<ArrayBuffer>; offsets: Uint32Array<ArrayBuffer> } {
  const offsets = new Uint32Array(vocab + 1);
  const isText = (i: number) => (patchOfToken[i] as number) < 0;
  for (let i = 0; i < ids.length; i++) if (isText(i)) offsets[(ids[i] as number) + 1]!++;
  for (let v = 0; v < vocab; v++) offsets[v + 1]! += offsets[v] as number;
  const next = offsets.slice();
  const order = new Uint32Array(ids.length);
  for (let i = 0; i < ids.length; i++) if (isText(i)) order[next[ids[i] as number]!++] = i;
  return { order, offsets };
}
