// The token record of one multi-turn conversation, built while it happens. Sampled ids are kept as they are: turning
// them into text and back could give other ids than those whose probabilities were recorded.
import type { TrajectoryTokens } from "../core/types.ts";
import type { Completion } from "../policy/policy.ts";

/** Alternates between what the policy is given and what it writes. */
export interface Conversation {
  /** Tokens so far. */
  readonly length: number;
  /** Appends tokens that the policy did not write (loss mask 0); those equal to the image id are picture patches. */
  addPrompt(ids: Int32Array): void;
  /** Appends a reply (loss mask 1) and ends the turn on its last token, also when it was cut before the end token. */
  addReply(completion: Completion): void;
  /**
   * The record, with reward k on the last token of turn k. Whatever followed the last reply is dropped: nobody answered
   * it. Values, advantages, returns and entropy are zeros to be filled in; `refLogprobs` is empty.
   * @throws RangeError unless there is one reward per reply.
   */
  finish(turnRewards: readonly number[]): TrajectoryTokens;
}

/** An empty conversation; `imageId` is the token that stands where a patch of a picture goes. */
export function conversation(imageId: number): Conversation {
  const ids: number[] = [];
  const logprobs: number[] = [];
  const written: boolean[] = [];
  const turnOf: number[] = [];
  const ends: number[] = [];

  const add = (id: number, logprob: number, byPolicy: boolean) => {
    ids.push(id);
    logprobs.push(logprob);
    written.push(byPolicy);
    turnOf.push(ends.length);
  };

  return {
    get length() {
      return ids.length;
    },
    addPrompt(prompt) {
      for (const id of prompt) add(id, 0, false);
    },
    addReply(reply) {
      if (reply.ids.length === 0) throw new RangeError("A reply has at least one token.");
      for (const [i, id] of reply.ids.entries()) add(id, reply.logprobs[i], true);
      ends.push(ids.length - 1);
    },
    finish(turnRewards) {
      if (turnRewards.length !== ends.length)
        throw new RangeError(`${turnRewards.length} rewards for ${ends.length} turns`);
      const length = ends.length === 0 ? 0 : ends[ends.length - 1] + 1;
      const rewards = new Float32Array(length);
      const turnEndMask = new Uint8Array(length);
      for (const [turn, end] of ends.entries()) {
        rewards[end] = turnRewards[turn];
        turnEndMask[end] = 1;
      }
      return {
        ids: Int32Array.from(ids.slice(0, length)),
        lossMask: Uint8Array.from(written.slice(0, length), Number),
        turnEndMask,
        turnIndex: Int16Array.from(turnOf.slice(0, length)),
        imagePatch: patchNumbers(ids.slice(0, length), written, imageId),
        logprobs: Float32Array.from(logprobs.slice(0, length)),
        rewards,
        values: new Float32Array(length),
        advantages: new Float32Array(length),
        returns: new Float32Array(length),
        entropy: new Float32Array(length),
        refLogprobs: new Float32Array(0),
      };
    },
  };
}

/** Patches in the order of the conversation. An image token that the policy wrote itself shows no picture. */
function patchNumbers(ids: readonly number[], written: readonly boolean[], imageId: number): Int32Array {
  let next = 0;
  return Int32Array.from(ids, (id, t) => (id === imageId && !written[t] ? next++ : -1));
}
