// Sequences of the workflow as the trainer keeps tokens.
import { joinTokens } from "../../core/token-sequences.ts";
import type { SequenceSpan, TrajectoryTokens } from "../../core/types.ts";
import type { ExportedSequence } from "./individual.ts";
import type { TokenArrays } from "./sequence.ts";

/** Where turns end in a row and what the sequence earns. */
interface SequenceFacts {
  /** The last sampled token of each turn, rising. */
  turnEnds: readonly number[];
  /** Lands on the last of them. */
  reward: number;
  /** Patch number of each token, −1 for text; as many as the sequence has tokens, or more. */
  imagePatch: Int32Array;
}

/** A sequence as the tokens of a trajectory: its one reward on the last sampled token. Estimates are zeros to be filled in. */
export function trajectoryTokens(
  { ids, responseMask, logprobs, versions }: TokenArrays,
  { turnEnds, reward, imagePatch }: SequenceFacts,
): TrajectoryTokens {
  const { length } = ids;
  const rewards = new Float32Array(length);
  const turnEndMask = new Uint8Array(length);
  for (const end of turnEnds) turnEndMask[end] = 1;
  const last = turnEnds[turnEnds.length - 1];
  if (last !== undefined) rewards[last] = reward;
  return {
    ids,
    responseMask,
    turnEndMask,
    turnIndex: turnNumbers(turnEndMask),
    imagePatch: imagePatch.slice(0, length),
    rolloutLogprobs: logprobs,
    versions,
    rewards,
    values: new Float32Array(length),
    advantages: new Float32Array(length),
    returns: new Float32Array(length),
    entropy: new Float32Array(length),
    refLogprobs: new Float32Array(0),
  };
}

/**
 * Sequences that are each trained on by themselves, behind one another as the record of one trajectory; sequence k ends with reply k. All
 * have the beginning of one conversation, whose patches are `imagePatch`.
 */
export function separateTokens(
  sequences: readonly ExportedSequence[],
  imagePatch: Int32Array,
): TrajectoryTokens {
  const parts = sequences.map((sequence, turn) => {
    const turnEnds = [sequence.ids.length - 1];
    const tokens = trajectoryTokens(sequence, { turnEnds, reward: sequence.reward, imagePatch });
    return { ...tokens, turnIndex: tokens.turnIndex.fill(turn) };
  });
  return { ...joinTokens(parts), sequences: consecutiveSpans(parts) };
}

function consecutiveSpans(parts: readonly TrajectoryTokens[]): SequenceSpan[] {
  let from = 0;
  return parts.map(({ ids }, turn) => {
    const span = { from, to: from + ids.length, firstTurn: 0, lastTurn: turn };
    from = span.to;
    return span;
  });
}

/** Patches in the order of the sequence. An image token that the policy wrote itself shows no picture. */
export function patchNumbers({ ids, responseMask }: TokenArrays, imageId: number): Int32Array {
  let next = 0;
  return ids.map((id, t) => (id === imageId && !responseMask[t] ? next++ : -1));
}

/** Tokens behind the end of a turn belong to the next one. */
function turnNumbers(turnEndMask: Uint8Array): Int16Array {
  let turn = 0;
  return Int16Array.from(turnEndMask, (end) => (end ? turn++ : turn));
}
