// An update's trajectories on the GPU's batch axis, and what comes back from it.
import type { Trajectory } from "../core/types.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";

/** One trajectory with its place on the batch axis. */
export interface Placed {
  trajectory: Trajectory;
  start: number;
  sequence: Sequence;
}

const pictures = ({ turns }: Trajectory) => turns.flatMap(({ observation }) => observation.images);

/** Lays trajectories behind one another; prediction rows are the policy's own tokens. */
export function placeTrajectories(trajectories: readonly Trajectory[]): Placed[] {
  let start = 0;
  return trajectories.map((trajectory) => {
    const { ids, imagePatch, lossMask } = trajectory.tokens;
    const sequence: Sequence = {
      ids,
      imagePatch,
      images: pictures(trajectory),
      rowMask: lossMask,
      batchStart: start,
    };
    const placed = { trajectory, start, sequence };
    start += ids.length;
    return placed;
  });
}

/** Sequences in which every token has a prediction row: estimators without a mask need values everywhere. */
export const withAllRows = (placed: readonly Placed[]): Sequence[] =>
  placed.map(({ sequence }) => ({ ...sequence, rowMask: new Uint8Array(sequence.ids.length).fill(1) }));

export const tokenCount = (placed: readonly Placed[]): number =>
  placed.reduce((sum, { sequence }) => sum + sequence.ids.length, 0);

/** Uploads masks, rewards and boundaries of the batch. */
export function uploadBatch(engine: Engine, placed: readonly Placed[]): void {
  const { batch } = engine.buffers;
  const tokens = tokenCount(placed);
  const joined = (pick: (p: Placed) => ArrayLike<number>) => {
    const out = new Float32Array(tokens);
    for (const p of placed) out.set(pick(p), p.start);
    return out;
  };
  engine.write(
    batch.lossMask,
    joined((p) => p.trajectory.tokens.lossMask),
  );
  engine.write(
    batch.turnEndMask,
    joined((p) => p.trajectory.tokens.turnEndMask),
  );
  engine.write(
    batch.rewards,
    joined((p) => p.trajectory.tokens.rewards),
  );
  engine.write(batch.starts, Uint32Array.from([...placed.map(({ start }) => start), tokens]));
  engine.write(batch.bootstrap, new Float32Array(placed.length));
}
