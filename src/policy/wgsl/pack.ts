// Packs sequences of different lengths onto one token axis without padding, with everything the kernels index by.
import { PolicyError } from "../../core/errors.ts";
import { message, setting } from "../../core/message.ts";
import type { Frame } from "../../core/types.ts";
import { sortTokensById } from "../../gpu/kernels/embedding.ts";
import { imageTokens, type ModelArchitecture } from "./architecture.ts";

/** One conversation as the model sees it. */
export interface Sequence {
  ids: Int32Array;
  /** For each token the number of the image token within this sequence, −1 for text. */
  imagePatch: Int32Array;
  /** The pictures, in the order of their image tokens. */
  images: readonly Frame[];
  /** Tokens that need a target position (their logits come from the token before). */
  targetMask: Uint8Array;
  /** Tokens whose value is trained, a part of `targetMask`; absent means all of it. The loss reads them on the batch axis. */
  valueMask?: Uint8Array;
  /** Where the sequence starts on the batch axis; facts about token t are at `batchStart + t`. */
  batchStart: number;
}

/** What one forward pass reads. N tokens, R target positions, P image tokens, Q patches before merging. */
export type PackedBatch = ReturnType<typeof packSequences>;

function countTargets(sequences: readonly Sequence[]): number {
  let targets = 0;
  for (const { targetMask } of sequences)
    for (let t = 1; t < targetMask.length; t++) targets += targetMask[t] as number;
  return targets;
}

/** Pictures as one u32 per pixel (little-endian RGBA). @throws PolicyError when one has another size. */
export function packPixels(
  images: readonly Frame[],
  { vision }: ModelArchitecture,
): Uint32Array<ArrayBuffer> {
  const width = vision.cols * vision.patch;
  const height = vision.rows * vision.patch;
  const pixels = new Uint32Array(images.length * width * height);
  images.forEach((frame, i) => {
    if (frame.width !== width || frame.height !== height) {
      throw new PolicyError(
        "wrong_architecture",
        `The model reads pictures of ${width} × ${height} px; this one has ${frame.width} × ${frame.height}.`,
        "Use the checkpoint with the environment and grid size that it was trained for.",
      );
    }
    const { buffer, byteOffset } = frame.data;
    pixels.set(new Uint32Array(buffer, byteOffset, width * height), i * width * height);
  });
  return pixels;
}

/** Attention spans of the vision tower: every patch sees its own picture. */
export function visionSpans(pictures: number, patchesEach: number): Uint32Array<ArrayBuffer> {
  const span = new Uint32Array(pictures * patchesEach * 4);
  for (let i = 0; i < pictures * patchesEach; i++) {
    const begin = Math.floor(i / patchesEach) * patchesEach;
    span.set([begin, begin + patchesEach, begin, begin + patchesEach], i * 4);
  }
  return span;
}

/** Packs `sequences` in order; nothing is padded. */
export function packSequences(sequences: readonly Sequence[], architecture: ModelArchitecture) {
  const packed = emptyPack(sequences, architecture);
  const at: Place = { token: 0, target: 0, imageToken: 0 };
  for (const sequence of sequences) {
    packTokens(packed, sequence, at);
    at.token += sequence.ids.length;
    at.imageToken += sequence.images.length * imageTokens(architecture);
  }
  // The embedding gradient walks text tokens sorted by id.
  return { ...packed, ...sortTokensById(packed.ids, packed.patchOfToken, architecture.vocabStride) };
}

/** Where the next sequence begins on each axis. */
interface Place {
  token: number;
  target: number;
  imageToken: number;
}

/** A pack with its pictures, whose tokens are still to be written. */
function emptyPack(sequences: readonly Sequence[], architecture: ModelArchitecture) {
  const tokens = sequences.reduce((sum, s) => sum + s.ids.length, 0);
  const images = sequences.flatMap((s) => s.images);
  const targets = countTargets(sequences);
  const imageTokenCount = images.length * imageTokens(architecture);
  const patchesEach = architecture.vision.rows * architecture.vision.cols;
  return {
    tokens,
    targets,
    imageTokens: imageTokenCount,
    patches: images.length * patchesEach,
    ...tokenArrays(tokens, imageTokenCount),
    /** RGBA bytes of all pictures, one u32 a pixel. */
    pixels: packPixels(images, architecture),
    /** (Q, 4): as `span`, for the vision tower: a patch attends the patches of its own picture. */
    visionSpan: visionSpans(images.length, patchesEach),
    ...targetArrays(tokens, targets),
  };
}

const tokenArrays = (tokens: number, imageTokenCount: number) => ({
  /** (N) vocabulary ids, and positions within the sequence. */
  ids: new Uint32Array(tokens),
  positions: new Uint32Array(tokens),
  /** (N, 4): keys [begin, end) that a token attends, queries [begin, end) that attend it. */
  span: new Uint32Array(tokens * 4),
  /** (N): image token that fills this token, −1 for text; (P): its inverse. */
  patchOfToken: new Int32Array(tokens).fill(-1),
  tokenOfPatch: new Int32Array(imageTokenCount).fill(-1),
});

const targetArrays = (tokens: number, targets: number) => ({
  /** (R): token whose hidden state predicts, and (N) its inverse, −1 where there is none. */
  tokenOfTarget: new Int32Array(targets),
  targetOfToken: new Int32Array(tokens).fill(-1),
  /** (R): id that is predicted, and its index on the batch axis. */
  targetIds: new Uint32Array(targets),
  src: new Uint32Array(targets),
});

type Pack = ReturnType<typeof emptyPack>;

/** Writes the tokens of a sequence from `at` on, and moves `at.target` behind its targets. */
function packTokens(packed: Pack, { ids, imagePatch, targetMask, batchStart }: Sequence, at: Place): void {
  const start = at.token;
  const end = start + ids.length;
  for (let t = 0; t < ids.length; t++) {
    const i = start + t;
    packed.ids[i] = ids[t] as number;
    packed.positions[i] = t;
    packSpan(packed.span, i, start, end);
    const patch = imagePatch[t] as number;
    if (patch >= 0) packPatch(packed, at.imageToken + patch, i);
    if (t > 0 && targetMask[t]) packTarget(packed, at.target++, i, batchStart + t);
  }
}

/** Writes what token `i` of the sequence [start, end) attends, and what attends it. */
function packSpan(span: Uint32Array, i: number, start: number, end: number): void {
  // Not `set` with an array: one allocation a token took longer than the rest of the loop.
  span[4 * i] = start;
  span[4 * i + 1] = i + 1;
  span[4 * i + 2] = i;
  span[4 * i + 3] = end;
}

/** Writes that image token `patch` fills token `i`. */
function packPatch({ patchOfToken, tokenOfPatch }: Pack, patch: number, i: number): void {
  patchOfToken[i] = patch;
  tokenOfPatch[patch] = i;
}

/** Writes that token `i` is predicted, from the one before it. @param src its index on the batch axis. */
function packTarget(packed: Pack, target: number, i: number, src: number): void {
  packed.tokenOfTarget[target] = i - 1;
  packed.targetOfToken[i - 1] = target;
  packed.targetIds[target] = packed.ids[i] as number;
  packed.src[target] = src;
}

type Ids = { readonly ids: ArrayLike<number> };

const tokensOf = (sequences: readonly Ids[]): number =>
  sequences.reduce((sum, { ids }) => sum + ids.length, 0);

/** Sequences in their order, each batch filled up to `capacity` tokens. No other split into consecutive batches has fewer of them. */
function filled<S extends Ids>(sequences: readonly S[], capacity: number): S[][] {
  const batches: S[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const sequence of sequences) {
    if (used + sequence.ids.length > capacity) {
      batches.push([]);
      used = 0;
    }
    (batches[batches.length - 1] as S[]).push(sequence);
    used += sequence.ids.length;
  }
  return batches;
}

/**
 * Where a batch that begins at `from` ends: as near to `share` tokens as whole sequences allow, not before `least`, and with at most
 * `most` tokens.
 */
function endOf(sequences: readonly Ids[], from: number, least: number, share: number, most: number): number {
  let used = 0;
  for (let to = from; to < sequences.length; to++) {
    const { length } = (sequences[to] as Ids).ids;
    if (used + length > most || (to >= least && used + length / 2 > share)) return to;
    used += length;
  }
  return sequences.length;
}

/** As few consecutive batches of at most `most` tokens as possible, with about equal shares of the tokens. */
function balanced<S extends Ids>(sequences: readonly S[], most: number): S[][] {
  // Filled from the last sequence on, so that each begins as early as it can.
  const earliest = filled([...sequences].reverse(), most).reverse();
  let [from, least, rest] = [0, 0, tokensOf(sequences)];
  return earliest.map(({ length }, i) => {
    // What follows has to fit into the other batches.
    least += length;
    const to = endOf(sequences, from, least, rest / (earliest.length - i), most);
    const batch = sequences.slice(from, to);
    from = to;
    rest -= tokensOf(batch);
    return batch;
  });
}

/**
 * Splits sequences into micro-batches of at most `capacity` tokens, keeping their order. There are as few as possible, with about equal
 * shares of the tokens, because a small one costs as many dispatches as a full one. None is larger than the largest would be if each
 * were filled up.
 * @throws PolicyError("too_long") when one sequence alone exceeds the capacity.
 */
export function microBatches<S extends Ids>(sequences: readonly S[], capacity: number): S[][] {
  const tooLong = sequences.find(({ ids }) => ids.length > capacity);
  if (tooLong) {
    throw new PolicyError(
      "too_long",
      `An episode has ${tooLong.ids.length} tokens; one micro-step holds ${capacity}.`,
      message`Raise ${setting("trainer.micro_batch_tokens")}, or lower ${setting("rollout.max_turns")} or ${setting("rollout.response_length")}.`,
    );
  }
  return balanced(sequences, Math.max(0, ...filled(sequences, capacity).map(tokensOf)));
}
