// The work that every compared library does, on the same numbers.

/** The benchmark's model, trained and decoded with one library: the studio's own or another. */
export interface Implementation {
  readonly name: string;
  /** Peculiarities of this implementation; printed below the table. */
  readonly notes: string;
  /** Starts from the shared parameters with a fresh optimiser. */
  resetTraining(): Promise<void>;
  /** One optimiser step on token ids (batch, context), uploaded within; resolves when the GPU is done. */
  trainStep(ids: Int32Array<ArrayBuffer>): Promise<void>;
  /** As many optimiser steps as there are batches, submitted one after another as training does; resolves when the GPU is done with all. */
  trainRow?(batches: readonly Int32Array<ArrayBuffer>[]): Promise<void>;
  /** Mean cross-entropy of the last step, before its update. */
  lastLoss(): Promise<number>;
  /** Fills the cache with the prompts; not timed. */
  beginDecoding(): Promise<void>;
  /** The next DECODE_CHUNK greedy tokens of every sequence (batch, DECODE_CHUNK), read back once. */
  decodeChunk(): Promise<Int32Array>;
  dispose(): void;
}
