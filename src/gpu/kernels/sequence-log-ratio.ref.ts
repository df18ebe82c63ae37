// CPU twin of sequence_log_ratio, in f64.
import type { RATIO } from "./loss-facts.ts";

interface Input {
  readonly new_logprobs: ArrayLike<number>;
  /** (Nb, 4): old log-probability and advantage first. */
  readonly facts: ArrayLike<number>;
  readonly mask: ArrayLike<number>;
  readonly turn_end_mask: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
}

/** Widths of the clip of GMPO, in log-ratios. */
interface Clip {
  readonly clip_low: number;
  readonly clip_high: number;
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** A token's log-ratio after GMPO's clip, which bounds it only where the advantage pushes it further. */
function clippedDifference(d: number, advantage: number, { clip_low, clip_high }: Clip): number {
  const [side, near] = [Math.sign(advantage), clamp(d, -20, 20)];
  return side * Math.min(side * near, side * clamp(near, -clip_low, clip_high));
}

/** Where the groups of a sequence begin and end: its turns, the last one with what follows it, or all of it. */
function groupsOf(
  { turn_end_mask, starts }: Input,
  s: number,
  byTurn: boolean,
): [from: number, to: number][] {
  const [from, to] = [starts[s] as number, starts[s + 1] as number];
  const ends = byTurn
    ? Array.from({ length: to - from }, (_, k) => from + k + 1).filter((end) => turn_end_mask[end - 1])
    : [];
  return [...new Set([...ends, to])].map((end, k, all) => [k ? (all[k - 1] as number) : from, end]);
}

/** Twin of sequence_log_ratio: (Nb, 2), the shared log-ratio and the mean advantage of each token's group. */
export function sequenceLogRatioRef(input: Input, ratio: keyof typeof RATIO, clip: Clip): Float64Array {
  const { new_logprobs, facts, mask, starts } = input;
  const out = new Float64Array(new_logprobs.length * 2);
  for (let s = 0; s + 1 < starts.length; s++) {
    for (const [from, to] of groupsOf(input, s, ratio.startsWith("turn"))) {
      const inside = Array.from({ length: to - from }, (_, k) => from + k).filter((i) => mask[i]);
      const mean = (of: (i: number) => number) =>
        inside.reduce((sum, i) => sum + of(i), 0) / Math.max(1, inside.length);
      const advantage = (i: number) => facts[i * 4 + 1] as number;
      const logRatio = mean((i) => {
        const d = (new_logprobs[i] as number) - (facts[i * 4] as number);
        return ratio === "clipped_sequence" ? clippedDifference(d, advantage(i), clip) : d;
      });
      const value = ratio === "turn_product" ? logRatio * inside.length : logRatio;
      for (let i = from; i < to; i++) out.set([value, mean(advantage)], i * 2);
    }
  }
  return out;
}
