// One episode of three turns in sequences, with values, for tests of advantages.
import { conversation, turnSequences } from "../../agent/conversation.ts";
import type { Trajectory } from "../../core/types.ts";

/** Rewards and values of the worked example: three turns of VAGEN Lite without concatenation. */
const REWARDS = [0.1, 0.1, 1.1];
const VALUES = [0.3, 0.6, 0.8];

/**
 * Three turns with replies of 2, 3 and 1 tokens, each a sequence with the turn before it, or all in one conversation. The value of
 * a turn is at each of its tokens, and 9 at tokens that the policy did not write, where nothing may read it.
 */
export function perTurnTrajectory(concatenated = false): {
  trajectory: Trajectory;
  values: Float32Array<ArrayBuffer>;
} {
  const talk = conversation(2);
  talk.addOpening(Int32Array.of(0, 30));
  for (const length of [2, 3, 1]) {
    talk.addPrompt(Int32Array.of(3, 31));
    talk.addReply({ ids: new Int32Array(length).fill(40), logprobs: new Float32Array(length) });
  }
  const tokens = talk.finish(REWARDS, concatenated ? undefined : turnSequences(3, 1));
  const values = Float32Array.from(tokens.responseMask, (own, t) =>
    own ? (VALUES[tokens.turnIndex[t] as number] as number) : 9,
  );
  const turns = REWARDS.map((_, index) => ({ index, observation: { text: "", images: [] } }));
  const trajectory = { id: "e", groupId: "g", turns, truncated: false, tokens } as unknown as Trajectory;
  return { trajectory, values };
}
