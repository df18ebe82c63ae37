// Inputs that several kernels share.
import { noise } from "./numbers.ts";

/** [rows, vocabulary, stride]: one row, one below and above a workgroup, vocabularies that divide by nothing. */
export const ROW_SHAPES = [
  [1, 5, 8],
  [15, 7, 8],
  [17, 131, 132],
  [3, 300, 320],
] as const;

/** Logits (R, stride) with large numbers in the padded columns, which kernels must not read. */
export function paddedLogits(r: number, vocab: number, stride: number, seed = 1): Float32Array {
  return noise(r * stride, seed, 2).map((x, i) => (i % stride < vocab ? x : 1e4));
}

export function randomTargets(r: number, vocab: number): Uint32Array {
  return Uint32Array.from({ length: r }, (_, i) => (i * 7919 + 3) % vocab);
}

/** A scattering of rows onto a longer batch axis: injective, not monotone. */
export function scatter(r: number): { src: Uint32Array<ArrayBuffer>; nb: number } {
  const nb = r * 2 + 3;
  return { src: Uint32Array.from({ length: r }, (_, i) => nb - 2 - 2 * i), nb };
}

type Sequence = readonly [length: number, kind: "causal" | "full"];

/** Spans (N, 4) of sequences packed one after another, as attention reads them. */
export function packedSpan(sequences: readonly Sequence[]): Uint32Array<ArrayBuffer> {
  const span: number[] = [];
  let begin = 0;
  for (const [length, kind] of sequences) {
    const end = begin + length;
    for (let i = begin; i < end; i++)
      span.push(begin, kind === "causal" ? i + 1 : end, kind === "causal" ? i : begin, end);
    begin = end;
  }
  return Uint32Array.from(span);
}

/** Every fifth of `n` tokens shows a picture; of several ids the last never occurs. */
export function tokensWithPictures(n: number, vocab: number) {
  const ids = Uint32Array.from({ length: n }, (_, i) => (i * 7919) % Math.max(1, vocab - 1));
  let next = 0;
  const patchOfToken = Int32Array.from({ length: n }, (_, i) => (i % 5 === 3 ? next++ : -1));
  return { ids, patchOfToken, patchCount: Math.max(1, next) };
}
