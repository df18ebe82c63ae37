// What decoding keeps on the device: the KV cache, the state of every conversation, and the tokens that were drawn.
import { type Arena, slice, type Tensor } from "../../gpu/memory.ts";
import type { ModelArchitecture } from "./architecture.ts";
import { cacheLayer, decodesInOneDispatch } from "./fused-decoding.ts";

export interface GeneratorOptions {
  /** Parallel conversations. */
  slots: number;
  /** Longest conversation in tokens. */
  maxContext: number;
  /** Longest reply in tokens. */
  maxReply: number;
  /** Id that ends a reply. */
  endOfTurn: number;
  /** Whether a reply is decoded in one dispatch; absent: where the model allows it. */
  inOneDispatch?: boolean;
}

/** Buffers of the generator, described without a device. */
export type GeneratorBuffers = ReturnType<typeof describeGenerator>;

export function describeGenerator(
  arena: Arena,
  architecture: ModelArchitecture,
  options: GeneratorOptions,
  tokens: number,
) {
  const { slots, maxReply } = options;
  const t = (label: string, length: number) => arena.tensor("decoding", label, length);
  return {
    keys: describeCache(arena, "keys", architecture, options),
    values: describeCache(arena, "values", architecture, options),
    /** (tokens): the conversation of each prefilled token. */
    slotOfToken: t("slot of token", tokens),
    /** (slots): the conversation of each reply. */
    slotOfReply: t("slot of reply", slots),
    /** (slots): what the next decoding step feeds. Not the inputs of training, which may run between two submissions. */
    nextIds: t("next ids", slots),
    /** (slots, 4) u32: position, generated, done, rng key. */
    state: t("decoding state", slots * 4),
    /** (slots, maxReply, 4): sampled tokens, their log-probabilities, entropies, and values where the model decodes in one dispatch. */
    drawn: t("sampled tokens", slots * maxReply * 4),
    /** −1 for every token: while decoding there are no pictures. */
    noPatch: t("no patch", slots),
  };
}

/** Keys or values of every layer: parts of one buffer where one kernel reads all of them, else a buffer each. */
interface Cache {
  readonly whole: Tensor | null;
  readonly layers: readonly Tensor[];
}

function describeCache(
  arena: Arena,
  label: string,
  architecture: ModelArchitecture,
  options: GeneratorOptions,
): Cache {
  const length = cacheLayer(architecture, options);
  const indices = Array.from({ length: architecture.decoder.layers }, (_, i) => i);
  const cache = (name: string, floats: number) => arena.tensor("KV cache", name, floats);
  if (!(options.inOneDispatch ?? decodesInOneDispatch(architecture, options)))
    return { whole: null, layers: indices.map((i) => cache(`${label} ${i}`, length)) };
  const whole = cache(label, length * indices.length);
  return { whole, layers: indices.map((i) => slice(whole, i * length, length)) };
}
