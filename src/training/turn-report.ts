// What an update with a loss of turns reports: how many turns a sequence has, how long they are, and how far their ratios spread.
import { mean } from "../core/statistics.ts";
import { readNamed } from "../gpu/read.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Metrics } from "../rl/metrics.ts";
import { type PackedTrajectory, tokenCount } from "./batch.ts";

/** Metrics under VAGEN's names; the ratios are those of each turn's last step. */
export async function turnLossMetrics(
  { gpu, buffers: { batch } }: Engine,
  packed: readonly PackedTrajectory[],
  trained: readonly PackedTrajectory[],
): Promise<Metrics> {
  const length = tokenCount(packed) * 2;
  const { groups } = await readNamed(gpu, { groups: { tensor: batch.ratioGroups, length } });
  return turnMetrics(trained, groups);
}

/** One turn of a sequence: its number of trained tokens, and the logarithm of the ratio that they share. */
interface Turn {
  readonly tokens: number;
  readonly logRatio: number;
}

/** @param groups (Nb, 2) as sequence_log_ratio leaves it. */
export function turnMetrics(packed: readonly PackedTrajectory[], groups: ArrayLike<number>): Metrics {
  const sequences = packed.flatMap((one) =>
    one.sequences.map(({ batchStart, targetMask }) => {
      const ends = one.trajectory.tokens.turnEndMask.subarray(batchStart - one.start);
      return turnsOf(targetMask, ends, (t) => groups[(batchStart + t) * 2] as number);
    }),
  );
  const spoken = sequences.filter((turns) => turns.length > 0);
  const turns = spoken.flat();
  if (turns.length === 0) return {};
  const ratios = turns.map(({ logRatio }) => logRatio);
  const centre = mean(ratios);
  return {
    "actor/turns_per_row": turns.length / spoken.length,
    "actor/turn_len_mean": mean(turns.map(({ tokens }) => tokens)),
    "actor/turn_log_ratio_std": Math.sqrt(mean(ratios.map((x) => (x - centre) ** 2))),
  };
}

/** The turns of a sequence that have trained tokens. */
function turnsOf(mask: Uint8Array, ends: Uint8Array, logRatioAt: (t: number) => number): Turn[] {
  const turns: Turn[] = [];
  let tokens = 0;
  mask.forEach((trained, t) => {
    tokens += trained;
    const isEnd = ends[t] === 1 || t === mask.length - 1;
    if (!isEnd || tokens === 0) return;
    turns.push({ tokens, logRatio: logRatioAt(t) });
    tokens = 0;
  });
  return turns;
}
