// Uploads what the GPU reads of a batch: masks, rewards, weights and boundaries, each at its place on the batch axis.
import type { TrajectoryTokens } from "../core/types.ts";
import type { Tensor } from "../gpu/memory.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { type PackedTrajectory, sequencesOf, tokenCount } from "./batch.ts";
import { sequenceWeights } from "./loss-weights.ts";

/** Uploads one number for each token of the batch: `pick` gives those of a trajectory. Where it gives fewer, the rest is 0. */
export function uploadTokens(
  engine: Engine,
  tensor: Tensor,
  packed: readonly PackedTrajectory[],
  pick: (one: PackedTrajectory) => ArrayLike<number>,
): void {
  const joined = new Float32Array(tokenCount(packed));
  for (const one of packed) joined.set(pick(one), one.start);
  engine.write(tensor, joined);
}

/** Uploads masks, rewards, weights and boundaries of the batch. */
export function uploadBatch(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const { batch } = engine.buffers;
  const tokens = tokenCount(packed);
  const upload = (tensor: Tensor, pick: (one: PackedTrajectory) => ArrayLike<number>) =>
    uploadTokens(engine, tensor, packed, pick);
  upload(batch.gaeMask, ({ gaeMask }) => gaeMask);
  upload(batch.responseMask, ({ trajectory }) => trajectory.tokens.responseMask);
  upload(batch.valueMask, ({ valueMask }) => valueMask);
  upload(batch.turnEndMask, ({ trajectory }) => trajectory.tokens.turnEndMask);
  upload(batch.rewards, ({ rewards }) => rewards);
  upload(batch.rolloutLogprobs, ({ trajectory }) => trajectory.tokens.rolloutLogprobs);
  upload(batch.weights, ({ weights }) => weights);
  upload(batch.policyWeights, ({ policyWeights }) => policyWeights);
  engine.write(batch.starts, Uint32Array.from([...packed.map(({ start }) => start), tokens]));
  engine.write(
    batch.sequenceStarts,
    Uint32Array.from([...sequencesOf(packed).map(({ batchStart }) => batchStart), tokens]),
  );
  engine.write(batch.groups, groupNumbers(packed));
  engine.write(batch.bootstrap, new Float32Array(packed.length));
}

/** Uploads the log-probabilities, entropies and values recorded while decoding, in place of `engine.score`. Numbers that a trajectory lacks are 0. */
export function uploadRollout(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const { batch } = engine.buffers;
  const upload = (tensor: Tensor, pick: (tokens: TrajectoryTokens) => Float32Array | undefined) =>
    uploadTokens(engine, tensor, packed, ({ trajectory }) => pick(trajectory.tokens) ?? []);
  upload(batch.oldLogprobs, ({ rolloutLogprobs }) => rolloutLogprobs);
  upload(batch.entropy, ({ rolloutEntropies }) => rolloutEntropies);
  upload(batch.values, ({ rolloutValues }) => rolloutValues);
}

/**
 * Makes every sequence count the same in the value loss: each value one over those of its sequence. After the advantages, because an
 * estimator may say which values are trained.
 */
export function averageValues(engine: Engine, packed: readonly PackedTrajectory[]): void {
  uploadTokens(engine, engine.buffers.batch.valueMask, packed, ({ sequences, start, valueMask }) =>
    sequenceWeights(sequences, start, valueMask).map((weight, t) => weight * (valueMask[t] as number)),
  );
}

/** Groups by number, in the order in which they first occur. */
function groupNumbers(packed: readonly PackedTrajectory[]): Uint32Array<ArrayBuffer> {
  const numbers = new Map<string, number>();
  return Uint32Array.from(packed, ({ trajectory: { groupId } }) => {
    const number = numbers.get(groupId) ?? numbers.size;
    numbers.set(groupId, number);
    return number;
  });
}
