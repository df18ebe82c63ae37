// The tokens of one AReaL episode as four parallel arrays. Sampled ids are appended as they came; everything else is context,
// which is never trained on.

/** The version of tokens that no policy sampled. */
export const NO_VERSION = -1;

/** Four facts about each token of one sequence; always of equal length. */
export interface TokenArrays {
  ids: Int32Array;
  /** 1 = sampled. */
  responseMask: Uint8Array;
  /** log-probability under the policy that sampled; 0 for context. */
  logprobs: Float32Array;
  /** Updates that the policy had behind it when it sampled the token; −1 for context. */
  versions: Int32Array;
}

/** What an inference engine answers to one request. */
export interface Response {
  /** The tokens that the reply continues, as the engine had them. */
  inputIds: Int32Array;
  /** Sampled tokens, the end-of-turn token included when it was sampled. */
  ids: Int32Array;
  logprobs: Float32Array;
  /** Of each sampled token; weights may change while a reply is written. */
  versions: Int32Array;
}

/** A sequence that grows turn by turn. */
export interface SequenceBuilder {
  readonly length: number;
  /** Where each reply's last sampled token is. */
  readonly turnEnds: readonly number[];
  /** Appends tokens that nobody sampled: mask 0, log-probability 0, version −1. */
  addContext(ids: Iterable<number>): void;
  /**
   * Appends a reply, and before it whatever the engine had put between the sequence and the reply.
   * @throws RangeError for an empty reply, for arrays of different lengths, and when the engine's input does not begin with the sequence.
   */
  addResponse(response: Response): void;
  /** Closes a reply that was cut: appends `endOfTurn` as context unless the sequence ends with it already. */
  closeTurn(endOfTurn: number): void;
  /** A copy of the ids so far: what a request holds never grows with the sequence. */
  snapshot(): Int32Array;
  /** A copy of the sequence so far. */
  tokens(): TokenArrays;
}

/** An empty sequence. */
export function sequenceBuilder(): SequenceBuilder {
  const ids: number[] = [];
  const responseMask: number[] = [];
  const logprobs: number[] = [];
  const versions: number[] = [];
  const turnEnds: number[] = [];

  const add = (id: number, mask: 0 | 1, logprob: number, version: number) => {
    ids.push(id);
    responseMask.push(mask);
    logprobs.push(logprob);
    versions.push(version);
  };
  const addContext = (context: Iterable<number>) => {
    for (const id of context) add(id, 0, 0, NO_VERSION);
  };

  return {
    get length() {
      return ids.length;
    },
    turnEnds,
    addContext,
    addResponse(response) {
      checkResponse(response);
      addContext(inputGap(ids, response.inputIds));
      for (const [i, id] of response.ids.entries())
        add(id, 1, response.logprobs[i] as number, response.versions[i] as number);
      turnEnds.push(ids.length - 1);
    },
    closeTurn(endOfTurn) {
      if (ids[ids.length - 1] !== endOfTurn) addContext([endOfTurn]);
    },
    snapshot: () => Int32Array.from(ids),
    tokens: () => ({
      ids: Int32Array.from(ids),
      responseMask: Uint8Array.from(responseMask),
      logprobs: Float32Array.from(logprobs),
      versions: Int32Array.from(versions),
    }),
  };
}

function checkResponse({ ids, logprobs, versions }: Response): void {
  if (ids.length === 0) throw new RangeError("A reply has at least one token.");
  if (logprobs.length !== ids.length || versions.length !== ids.length)
    throw new RangeError(
      `A reply of ${ids.length} tokens came with ${logprobs.length} log-probabilities and ${versions.length} versions.`,
    );
  const unversioned = versions.findIndex((version) => version < 0);
  if (unversioned >= 0)
    throw new RangeError(`Sampled token ${unversioned} has version ${versions[unversioned]}.`);
}

/**
 * The tokens by which an engine's input is longer than the sequence; none when they are equal.
 * @throws RangeError when the input is shorter than the sequence or differs from it.
 */
export function inputGap(sequence: ArrayLike<number>, inputIds: Int32Array): Int32Array {
  if (inputIds.length < sequence.length)
    throw new RangeError(`The engine read ${inputIds.length} tokens, the sequence has ${sequence.length}.`);
  for (let t = 0; t < sequence.length; t++) {
    if (inputIds[t] !== sequence[t])
      throw new RangeError(`The engine read token ${inputIds[t]} at ${t}, the sequence has ${sequence[t]}.`);
  }
  return inputIds.subarray(sequence.length);
}
