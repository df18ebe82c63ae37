// The sequences of a trajectory's token record: what the model reads as one sequence each.
import type { SequenceSpan, Trajectory, TrajectoryTokens } from "./types.ts";

/** Sequences in order; a record without any is a single one. */
export function sequenceSpans({
  tokens,
  turns,
}: Pick<Trajectory, "tokens" | "turns">): readonly SequenceSpan[] {
  return tokens.sequences ?? [{ from: 0, to: tokens.ids.length, firstTurn: 0, lastTurn: turns.length - 1 }];
}

/** 1 = sampled by the policy as part of a summary, and so of no reply. */
export function summaryMask({
  sequences = [],
  responseMask,
}: Pick<TrajectoryTokens, "sequences" | "responseMask">): Uint8Array {
  const mask = new Uint8Array(responseMask.length);
  for (const { summaryFrom, to } of sequences) if (summaryFrom !== undefined) mask.fill(1, summaryFrom, to);
  return mask;
}

/** The positions of every turn's reply in a record, in order. */
export function replyPositions(
  tokens: Pick<TrajectoryTokens, "sequences" | "responseMask" | "turnIndex">,
  turns: number,
): number[][] {
  const inSummary = summaryMask(tokens);
  const positions = Array.from({ length: turns }, (): number[] => []);
  for (const [t, turn] of tokens.turnIndex.entries())
    if (tokens.responseMask[t] && !inSummary[t]) positions[turn]?.push(t);
  return positions;
}

/** Facts that every token of a record has. */
const PER_TOKEN = [
  "ids",
  "responseMask",
  "turnEndMask",
  "turnIndex",
  "imagePatch",
  "rolloutLogprobs",
  "rolloutEntropies",
  "rolloutValues",
  "versions",
  "rewards",
  "values",
  "advantages",
  "returns",
  "entropy",
  "refLogprobs",
  "lossMask",
  "valueMask",
  "trainRewards",
] as const satisfies readonly (keyof TrajectoryTokens)[];

type TokenFact = (typeof PER_TOKEN)[number];

/** Concatenates records, which all have the same facts, into one without sequences. */
export function joinTokens(parts: readonly TrajectoryTokens[]): TrajectoryTokens {
  const joined = {} as Record<TokenFact, unknown>;
  for (const fact of PER_TOKEN) {
    const arrays = parts.flatMap((part) => part[fact] ?? []);
    const [first] = arrays;
    if (!first) continue;
    const length = arrays.reduce((sum, array) => sum + array.length, 0);
    const all = new (first.constructor as new (length: number) => typeof first)(length);
    let at = 0;
    for (const array of arrays) {
      all.set(array, at);
      at += array.length;
    }
    joined[fact] = all;
  }
  return joined as unknown as TrajectoryTokens;
}

/** Every sequence of a record as a record of its own; its facts are copies. */
export function splitTokens({ sequences, ...tokens }: TrajectoryTokens): TrajectoryTokens[] {
  return (sequences ?? []).map(({ from, to }) => {
    const facts = PER_TOKEN.flatMap((fact) => {
      const array = tokens[fact];
      return array ? [[fact, array.slice(from, to)]] : [];
    });
    return Object.fromEntries(facts) as TrajectoryTokens;
  });
}
