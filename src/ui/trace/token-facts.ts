// Every number of one token, named as the card and the table show them.
import type { Trajectory } from "../../core/types.ts";
import { formatFixed, formatPercent, formatSigned } from "../lib/format.ts";

export interface TokenFact {
  name: string;
  value: string;
}

/** The facts of a token; numbers of masked tokens are left out, because nothing uses them. */
export function tokenFacts({ tokens }: Trajectory, index: number): TokenFact[] {
  const id = { name: "id · position", value: `${tokens.ids[index]} · ${index}` };
  if (tokens.lossMask[index] !== 1)
    return [id, { name: "mask", value: "given to the policy, not trained on" }];
  const logp = tokens.logprobs[index]!;
  const ref = tokens.refLogprobs[index];
  return [
    id,
    { name: "probability", value: formatPercent(Math.exp(logp)) },
    { name: "log p", value: formatFixed(logp) },
    ...(ref === undefined ? [] : [{ name: "log p, reference", value: formatFixed(ref) }]),
    { name: "entropy", value: formatFixed(tokens.entropy[index] ?? 0) },
    { name: "value", value: formatFixed(tokens.values[index] ?? 0) },
    { name: "reward", value: formatSigned(tokens.rewards[index] ?? 0, 4) },
    ...(tokens.penalisedRewards
      ? [{ name: "reward after KL", value: formatSigned(tokens.penalisedRewards[index] ?? 0, 4) }]
      : []),
    { name: "advantage", value: formatSigned(tokens.advantages[index] ?? 0, 4) },
    { name: "return", value: formatFixed(tokens.returns[index] ?? 0) },
    { name: "mask", value: tokens.turnEndMask[index] === 1 ? "trained on, end of turn" : "trained on" },
  ];
}

/** The neighbouring token that the policy wrote, or that exists at all; stays at the ends. */
export function neighbourToken({ tokens }: Trajectory, index: number | null, by: 1 | -1): number {
  const T = tokens.ids.length;
  if (index === null) return Math.max(0, tokens.lossMask.indexOf(1));
  for (let next = index + by; next >= 0 && next < T; next += by) if (tokens.lossMask[next] === 1) return next;
  return index;
}
