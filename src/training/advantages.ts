// Advantages of an update's batch. An estimator that has kernels runs on the GPU in one plan; any other is a function on the CPU:
// its inputs are read back once, and its results are uploaded, between the kernels of the KL penalty and of whitening.
import { readNamed } from "../gpu/read.ts";
import type { AdvantageOptions } from "../policy/wgsl/advantages.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens } from "../rl/advantage/estimator.ts";
import { type PackedTrajectory, sequencesOf, tokenCount } from "./batch.ts";
import { uploadTokens } from "./batch-upload.ts";

/** What there is to read beside rewards and masks. */
interface Scored {
  /** Values and log-probabilities were computed for this batch; without them they are 0. */
  scored: boolean;
  /** For every token, not only for those that are trained on. */
  everyToken: boolean;
  /** Log-probabilities under the ref policy too. */
  refPolicy: boolean;
}

/** The plans that advantages need with these options: one, or for a function on the CPU what comes before and after it. */
export function advantageStages(options: AdvantageOptions): AdvantageOptions[] {
  if (options.estimator !== "host") return [options];
  return [...penaltyStage(options), ...whiteningStage(options)];
}

const penaltyStage = (options: AdvantageOptions): AdvantageOptions[] =>
  options.klInReward === "off" ? [] : [{ ...options, whiten: "none" }];
const whiteningStage = (options: AdvantageOptions): AdvantageOptions[] =>
  options.whiten === "none" ? [] : [{ ...options, klInReward: "off" }];

/**
 * Fills advantages and returns on the batch axis, which holds masks, rewards and scores.
 * @throws ExtensionError("failed") when an extension's estimator fails or returns no usable numbers.
 */
export async function estimateAdvantages(
  engine: Engine,
  estimator: AdvantageEstimator,
  packed: readonly PackedTrajectory[],
  options: AdvantageOptions,
  scored: Scored,
): Promise<void> {
  const run = async (stages: readonly AdvantageOptions[]) => {
    for (const stage of stages) await engine.advantages(stage, packed.length, tokenCount(packed));
  };
  if (options.estimator !== "host") return run([options]);
  await run(penaltyStage(options));
  const tokens = await readAdvantageTokens(engine, packed, scored);
  const { advantages, returns, valueMask } = estimator.estimate(tokens, paramsOf(options));
  const { batch } = engine.buffers;
  engine.write(batch.advantages, Float32Array.from(advantages));
  engine.write(batch.returns, Float32Array.from(returns));
  if (valueMask) trainValuesAt(engine, packed, valueMask);
  await run(whiteningStage(options));
}

/** Nothing predicts the first token of a sequence, so its KL is 0 whatever earlier updates have left there. */
export function forgetFirstTokens(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const { oldLogprobs, refLogprobs } = engine.buffers.batch;
  for (const { batchStart } of sequencesOf(packed))
    for (const tensor of [oldLogprobs, refLogprobs]) engine.write(tensor, new Float32Array(1), batchStart);
}

const paramsOf = (options: AdvantageOptions): AdvantageParams => ({
  gamma: options.gamma,
  lambda: options.lam,
  turnGamma: options.turnGamma,
  turnLambda: options.turnLam,
  turnAnchor: options.turnAnchor,
  groupStd: options.groupStd,
  clock: options.clock,
  carry: options.carry,
  scoreEveryToken: options.klAtEveryToken,
  ...(options.lamBy !== "off" && { lambdaByLength: { kind: options.lamBy, value: options.lamParam } }),
});

/** The batch as an estimator's function takes it, in one read-back. */
async function readAdvantageTokens(
  { gpu, buffers: { batch } }: Engine,
  packed: readonly PackedTrajectory[],
  { scored, everyToken, refPolicy }: Scored,
): Promise<AdvantageTokens> {
  const [n, s] = [tokenCount(packed), packed.length];
  const read = await readNamed(gpu, {
    rewards: { tensor: batch.rewards, length: n },
    gaeMask: { tensor: batch.gaeMask, length: n },
    turnEndMask: { tensor: batch.turnEndMask, length: n },
    rolloutLogprobs: { tensor: batch.rolloutLogprobs, length: n },
    values: { tensor: batch.values, length: n },
    oldLogprobs: { tensor: batch.oldLogprobs, length: n },
    refLogprobs: { tensor: batch.refLogprobs, length: n },
    bootstrap: { tensor: batch.bootstrap, length: s },
    groups: { tensor: batch.groups, length: s },
    starts: { tensor: batch.starts, length: s + 1 },
  });
  // Where nothing was scored, the axis holds leftovers of earlier updates.
  const known = (numbers: Float32Array, everywhere: boolean) =>
    scored ? atTargets(numbers, packed, everywhere) : new Float32Array(n);
  const { refLogprobs, ...tokens } = read;
  return {
    ...tokens,
    values: known(read.values, everyToken),
    oldLogprobs: known(read.oldLogprobs, everyToken),
    ...(refPolicy && { refLogprobs: known(refLogprobs, false) }),
    baselines: packed.map(({ baseline = 0 }) => baseline),
    groups: new Uint32Array(read.groups.buffer),
    starts: new Uint32Array(read.starts.buffer),
  };
}

/** Zeroes what has no target position. Nothing predicts a first token. */
function atTargets(
  numbers: Float32Array,
  packed: readonly PackedTrajectory[],
  everywhere: boolean,
): Float32Array {
  for (const { batchStart, targetMask } of sequencesOf(packed))
    targetMask.forEach((isTarget, t) => {
      if (t === 0 || !(isTarget || everywhere)) numbers[batchStart + t] = 0;
    });
  return numbers;
}

/** The estimator says itself which values are trained; only those of trained tokens can be. */
function trainValuesAt(engine: Engine, packed: readonly PackedTrajectory[], mask: Uint8Array): void {
  for (const one of packed) {
    one.valueMask = one.lossMask.map((trained, t) => (trained && mask[one.start + t] ? 1 : 0));
    for (const sequence of one.sequences) {
      const from = sequence.batchStart - one.start;
      sequence.valueMask = one.valueMask.subarray(from, from + sequence.ids.length);
    }
  }
  uploadTokens(engine, engine.buffers.batch.valueMask, packed, ({ valueMask }) => valueMask);
}
