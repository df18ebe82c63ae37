// Where each token that the policy wrote ends in the text of its reply.
import type { Vocabulary } from "../../agent/vocabulary.ts";
import { replyPositions } from "../../core/token-sequences.ts";
import type { Trajectory } from "../../core/types.ts";
import { surfaceOf } from "./token-model.ts";

/** For each turn the number of characters of the reply up to each written token. Two half bytes are one character. */
export function tokenEndsOf({ turns, tokens }: Trajectory, vocabulary: Vocabulary): number[][] {
  const positions = replyPositions(tokens, turns.length);
  return turns.map(({ index, reply }) => {
    const ends: number[] = [];
    let end = 0;
    for (const i of positions[index] ?? []) {
      const text = surfaceOf(vocabulary, tokens.ids[i]!);
      end += /^<0x/.test(text) ? 0.5 : text.length;
      ends.push(Math.min(reply.length, Math.floor(end)));
    }
    return ends;
  });
}
