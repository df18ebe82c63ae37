// What a library must do to take part. All of them do the same work on the same numbers.

export interface Contender {
  readonly name: string;
  /** What is particular about this implementation; printed under the table. */
  readonly notes: string;
  /** Starts from the shared parameters with a fresh optimiser. */
  resetTraining(): Promise<void>;
  /** One optimiser step on token ids (batch, context), uploaded within; resolves when the GPU is done. */
  trainStep(ids: Int32Array<ArrayBuffer>): Promise<void>;
  /** Mean cross-entropy of the last step, before its update. */
  lastLoss(): Promise<number>;
  /** Fills the cache with the prompts; not timed. */
  beginDecoding(): Promise<void>;
  /** The next DECODE_CHUNK greedy tokens of every sequence (batch, DECODE_CHUNK), read back once. */
  decodeChunk(): Promise<Int32Array>;
  dispose(): void;
}
