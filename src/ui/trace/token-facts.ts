// Every number of one token, named as the card and the table show them.
import { sequenceSpans } from "../../core/token-sequences.ts";
import type { Trajectory, TrajectoryTokens } from "../../core/types.ts";
import { formatFixed, formatNumber, formatPercent, formatSigned } from "../lib/format.ts";
import type { Provenance } from "../store/run-view.ts";
import { isComputed } from "./heat-map.ts";

interface TokenFact {
  name: string;
  value: string;
}

/**
 * The facts of a token. Numbers of masked tokens are left out, because nothing uses them, and so are those that were never
 * computed: a validation episode has no advantages, and a demonstration no probabilities. `whitened`: its
 * advantages are.
 */
export function tokenFacts(
  { tokens, turns }: Trajectory,
  index: number,
  source: Provenance,
  whitened = false,
): TokenFact[] {
  // The model counts positions from the beginning of a sequence.
  const from = sequenceSpans({ tokens, turns }).find(({ to }) => index < to)?.from ?? 0;
  const id = { name: "id · position", value: `${tokens.ids[index]} · ${index - from}` };
  if (tokens.responseMask[index] !== 1) return [id, { name: "mask", value: givenText(tokens, index) }];
  const fact = (name: string, values: Float32Array | undefined, format: (value: number) => string) =>
    values && isComputed(tokens, values) ? [{ name, value: format(values[index] as number) }] : [];
  const signed = (value: number) => formatSigned(value, 4);
  const fixed = (value: number) => formatFixed(value);
  const rewards = [
    { name: "reward", value: signed(tokens.rewards[index] ?? 0) },
    ...fact("trained reward", tokens.trainRewards, signed),
  ];
  return [
    id,
    ...fact("probability", tokens.rolloutLogprobs, (logp) => formatPercent(Math.exp(logp))),
    ...fact("log p", tokens.rolloutLogprobs, logText),
    ...fact("log p, ref policy", tokens.refLogprobs, logText),
    ...fact("entropy", tokens.entropy, fixed),
    ...fact("value", tokens.values, fixed),
    ...rewards,
    ...fact(whitened ? "advantage, whitened" : "advantage", tokens.advantages, signed),
    // Where the critic is not trained there is none, which the record has as 0.
    ...(tokens.valueMask?.[index] === 0 ? [] : fact("return", tokens.returns, fixed)),
    ...(tokens.versions ? [{ name: "policy version", value: `${tokens.versions[index]}` }] : []),
    { name: "mask", value: roleOf(tokens, index, source) },
  ];
}

/** A log probability, which is close to 0 but not 0 for a token that is almost certain. */
const logText = (logp: number): string => (Math.abs(logp) < 5e-5 ? formatNumber(logp) : formatFixed(logp));

const givenText = ({ lossMask }: TrajectoryTokens, index: number): string =>
  lossMask?.[index] ? "given to the policy, but trained on anyway" : "given to the policy, not trained on";

/** What a token of a reply was for. */
function roleOf(tokens: TrajectoryTokens, index: number, source: Provenance): string {
  const what = source === "demonstration" ? "imitated" : learnedText(tokens, index);
  const isSummary = tokens.sequences?.some(
    ({ summaryFrom = Number.POSITIVE_INFINITY, to }) => index >= summaryFrom && index < to,
  );
  const unit = isSummary ? "summary" : "turn";
  return tokens.turnEndMask[index] === 1
    ? `${what}, end of ${unit}`
    : isSummary
      ? `${what}, in a summary`
      : what;
}

function learnedText(tokens: TrajectoryTokens, index: number): string {
  const { lossMask } = tokens;
  if (lossMask) return lossMask[index] ? "trained on" : "written by the policy, left out of the update";
  return isComputed(tokens, tokens.advantages) ? "trained on" : "written by the policy";
}

/** The neighbouring token that the policy wrote, or that exists at all; stays at the ends. */
export function neighbourToken({ tokens }: Trajectory, index: number | null, by: 1 | -1): number {
  const T = tokens.ids.length;
  if (index === null) return Math.max(0, tokens.responseMask.indexOf(1));
  for (let next = index + by; next >= 0 && next < T; next += by)
    if (tokens.responseMask[next] === 1) return next;
  return index;
}
