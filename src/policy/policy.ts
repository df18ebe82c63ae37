// The contract of policies: our WGSL model, the same model in ONNX Runtime, and scripted baselines.
import type { Frame } from "../core/types.ts";
import type { Env } from "../envs/env.ts";

export interface Sampling {
  /** 0 = greedy. */
  temperature: number;
  /** 1 = off. */
  topP: number;
  /** 0 = off. */
  topK: number;
  /** Longest reply in tokens; a reply that reaches it is cut there. */
  maxTokens: number;
  /** Seed of the counter-based generator; together with `rngKey` and the position it decides every draw. */
  seed: number;
}

export interface GenerateRequest {
  /** Which of the parallel conversations, 0 … count-1 of `begin`. */
  slot: number;
  /**
   * Tokens to append to the slot's context before the reply: the whole prompt on the first turn, afterwards what
   * follows the last reply. Replies themselves are already in the context, unless it is `fresh`.
   */
  promptIds: Int32Array;
  /** The slot's context is forgotten first: `promptIds` is all that the reply is drawn from, earlier replies included. */
  fresh?: boolean;
  /** 1 = a token of `promptIds` that the policy wrote itself: no picture, whatever its id. Absent: it wrote none. */
  responseMask?: Uint8Array;
  /** Pictures whose patches fill the image tokens of `promptIds`, in order. */
  images: readonly Frame[];
  /** The prompt asks for a summary, not for a reply in the game. */
  asksSummary?: boolean;
  /**
   * Identity of the trajectory, so that draws do not depend on the slot it happens to occupy. Replies from fresh contexts
   * draw differently although their positions are alike.
   */
  rngKey: number;
}

export interface Completion {
  /** Sampled token ids, the end-of-turn token included when it was sampled. */
  ids: Int32Array;
  /** log p of each id at the sampling temperature, under the full (untruncated) distribution. */
  logprobs: Float32Array;
  /** Entropy of that distribution before each id; absent where the policy does not say it. */
  entropies?: Float32Array;
  /** The critic's value before each id; absent where the policy has none, or does not evaluate it while it decodes. */
  values?: Float32Array;
}

export interface Policy {
  readonly kind: "wgsl" | "onnx" | "scripted";
  /** Forgets everything and starts `count` conversations; scripted policies need the `games` that these are about. */
  begin(count: number, games?: readonly Env[]): void;
  /** One reply for each request; one GPU round trip per turn or chunk of tokens, not per token. */
  generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
    signal?: AbortSignal,
  ): Promise<Completion[]>;
}
