// An episode as separate calls of the model, as AReaL's proxy workflow exports them (`export_style: individual`): a sequence for
// each reply, with all that was sent before it as context.
import { NO_VERSION, type Response, type TokenArrays } from "./sequence.ts";

/** One call of the model and what it earned by itself. */
export interface Call {
  readonly response: Response;
  readonly reward: number;
}

/** A sequence to train on. */
export interface ExportedSequence extends TokenArrays {
  reward: number;
}

/** A sequence for every call, in order. Rewards are passed backwards: R_i = r_i + turnDiscount · R_{i+1}. */
export function individualSequences(calls: readonly Call[], turnDiscount: number): ExportedSequence[] {
  const earned: number[] = [];
  for (let i = calls.length - 1; i >= 0; i--)
    earned[i] = calls[i]!.reward + turnDiscount * (earned[i + 1] ?? 0);
  return calls.map(({ response }, i) => ({ ...sequenceOf(response), reward: earned[i]! }));
}

/** What was sent as context, the reply as sampled. */
function sequenceOf({ inputIds, ids, logprobs, versions }: Response): TokenArrays {
  const length = inputIds.length + ids.length;
  const sequence = {
    ids: new Int32Array(length),
    responseMask: new Uint8Array(length).fill(1, inputIds.length),
    logprobs: new Float32Array(length),
    versions: new Int32Array(length).fill(NO_VERSION),
  };
  sequence.ids.set(inputIds);
  sequence.ids.set(ids, inputIds.length);
  sequence.logprobs.set(logprobs, inputIds.length);
  sequence.versions.set(versions, inputIds.length);
  return sequence;
}
