// An update's trajectories on the GPU's batch axis, and what comes back from it.
import type { Trajectory } from "../core/types.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import type { ValueTokens } from "../rl/advantage/estimator.ts";
import { valueMask } from "../rl/advantage/value-mask.ts";

/** One trajectory with its place on the batch axis. */
export interface Placed {
  trajectory: Trajectory;
  start: number;
  /** Its `rowMask` are the tokens that are trained on. */
  sequence: Sequence;
  /** 1 = carries credit. */
  creditMask: Uint8Array;
  /** What each of its tokens counts in the loss. */
  weight: number;
}

/** Which tokens an update is about. */
export interface MaskOptions {
  /** Train on the policy's tokens only. */
  lossMask: boolean;
  /** Credit flows over the policy's tokens only. */
  creditMask: boolean;
  valueTokens: ValueTokens;
  /** Every token of an episode counts one over their number, so that every episode counts the same. */
  averageSequences: boolean;
}

/** The usual masks: the policy's tokens for everything. */
export const POLICY_TOKENS: MaskOptions = {
  lossMask: true,
  creditMask: true,
  valueTokens: "policy",
  averageSequences: false,
};

const pictures = ({ turns }: Trajectory) => turns.flatMap(({ observation }) => observation.images);

/** Nothing comes before the first token, so nothing predicts it. */
const everyToken = (length: number) => new Uint8Array(length).fill(1, 1);

/** Lays trajectories behind one another; prediction rows are the tokens that are trained on. */
export function placeTrajectories(
  trajectories: readonly Trajectory[],
  options: MaskOptions = POLICY_TOKENS,
): Placed[] {
  let start = 0;
  return trajectories.map((trajectory) => {
    const placed = placeAt(trajectory, start, options);
    start += placed.sequence.ids.length;
    return placed;
  });
}

function placeAt(trajectory: Trajectory, start: number, options: MaskOptions): Placed {
  const { tokens } = trajectory;
  const { ids, imagePatch, lossMask } = tokens;
  const rowMask = options.lossMask ? lossMask : everyToken(ids.length);
  const sequence: Sequence = {
    ids,
    imagePatch,
    images: pictures(trajectory),
    rowMask,
    valueMask: valueMask(options.valueTokens, rowMask, tokens),
    batchStart: start,
  };
  const rows = rowMask.reduce((sum, m) => sum + m, 0);
  return {
    trajectory,
    start,
    sequence,
    creditMask: options.creditMask ? lossMask : everyToken(ids.length),
    weight: options.averageSequences ? 1 / Math.max(1, rows) : 1,
  };
}

/** Sequences in which every token has a prediction row: estimators without a mask need values everywhere. */
export const withAllRows = (placed: readonly Placed[]): Sequence[] =>
  placed.map(({ sequence }) => ({ ...sequence, rowMask: new Uint8Array(sequence.ids.length).fill(1) }));

/**
 * Truncated trajectories with one more token, whose prediction row is the value after the last one. Its place on the batch axis
 * is behind all tokens, by the trajectory's number. Which token it is does not matter: only what comes before it is read.
 */
export function withBootstrapRows(placed: readonly Placed[]): Sequence[] {
  const behind = tokenCount(placed);
  return placed.flatMap(({ trajectory, sequence }, s) => {
    if (!trajectory.truncated) return [];
    const { length } = sequence.ids;
    const longer = <T extends Int32Array | Uint8Array>(array: T, last: number): T => {
      const out = new (array.constructor as new (length: number) => T)(length + 1);
      out.set(array);
      out[length] = last;
      return out;
    };
    return [
      {
        ids: longer(sequence.ids, sequence.ids[length - 1] as number),
        imagePatch: longer(sequence.imagePatch, -1),
        images: sequence.images,
        rowMask: longer(new Uint8Array(length), 1),
        batchStart: behind + s - length,
      },
    ];
  });
}

export const tokenCount = (placed: readonly Placed[]): number =>
  placed.reduce((sum, { sequence }) => sum + sequence.ids.length, 0);

/** Uploads masks, rewards, weights and boundaries of the batch. */
export function uploadBatch(engine: Engine, placed: readonly Placed[]): void {
  const { batch } = engine.buffers;
  const tokens = tokenCount(placed);
  const joined = (pick: (p: Placed) => ArrayLike<number>) => {
    const out = new Float32Array(tokens);
    for (const p of placed) out.set(pick(p), p.start);
    return out;
  };
  const noMask = new Uint8Array(0);
  engine.write(
    batch.creditMask,
    joined(({ creditMask }) => creditMask),
  );
  engine.write(
    batch.valueMask,
    joined(({ sequence }) => sequence.valueMask ?? noMask),
  );
  engine.write(
    batch.turnEndMask,
    joined((p) => p.trajectory.tokens.turnEndMask),
  );
  engine.write(
    batch.rewards,
    joined((p) => p.trajectory.tokens.rewards),
  );
  engine.write(
    batch.behaviourLogprobs,
    joined((p) => p.trajectory.tokens.logprobs),
  );
  engine.write(
    batch.weights,
    joined(({ sequence, weight }) => new Float32Array(sequence.ids.length).fill(weight)),
  );
  engine.write(batch.starts, Uint32Array.from([...placed.map(({ start }) => start), tokens]));
  engine.write(batch.groups, groupNumbers(placed));
  engine.write(batch.bootstrap, new Float32Array(placed.length));
}

/** Groups by number, in the order in which they first occur. */
function groupNumbers(placed: readonly Placed[]): Uint32Array<ArrayBuffer> {
  const numbers = new Map<string, number>();
  return Uint32Array.from(placed, ({ trajectory: { groupId } }) => {
    const number = numbers.get(groupId) ?? numbers.size;
    numbers.set(groupId, number);
    return number;
  });
}
