// The buffers of an engine: parameters, optimiser state, workspace and batch, described without a device.
import type { Gpu } from "../../gpu/device.ts";
import { GRAD_NORM_PARTIALS } from "../../gpu/kernels/optimizer.ts";
import { Arena } from "../../gpu/memory.ts";
import { imageTokens, type ModelArchitecture } from "./architecture.ts";
import { createBatchAxis } from "./batch-axis.ts";
import { weightSplits } from "./ops.ts";
import { type ParameterLayout, parameterLayout } from "./parameters.ts";
import { createWorkspace } from "./workspace.ts";

export interface EngineOptions {
  architecture: ModelArchitecture;
  /** Tokens of one micro-step. */
  microTokens: number;
  /** Episodes and tokens of one update's batch. */
  batchEpisodes: number;
  batchTokens: number;
  /** Sequences that the model reads of them; absent: one for each episode. */
  batchSequences?: number;
  /** Keep a frozen copy of the policy for KL terms. */
  refPolicy: boolean;
  /** Keep a copy of the policy to play episodes with while the policy is trained; default false. */
  rolloutPolicy?: boolean;
  /** Whether the loss may use the exact KL, which needs the ref policy's logits. */
  fullKl: boolean;
  /** Keep the ref policy's distributions over the vocabulary for a whole batch: an exact KL then runs it once an update. Absent: no. */
  keepsRefDistributions?: boolean;
  /** Whether the loss imitates a teacher, whose log-probabilities then need room. Absent: it does not. */
  teacher?: boolean;
}

/** Every buffer that an engine needs, described without a device. */
export type EngineBuffers = ReturnType<typeof describeEngine>;

/** What passes are recorded over. */
export interface ModelParts {
  readonly architecture: ModelArchitecture;
  readonly buffers: EngineBuffers;
}

/** Floats for the partial products of the largest split weight gradient. */
function partialsLength(layout: ParameterLayout): number {
  const largest = (software: boolean) =>
    Math.max(
      64,
      ...layout.specs.map(({ shape }) => {
        const [k = 1, n = 1] = shape;
        const splits = weightSplits({ software } as Gpu["caps"], k, n);
        return shape.length === 2 && splits > 1 ? splits * k * n : 0;
      }),
    );
  return Math.max(largest(true), largest(false));
}

/** Describes every buffer of an engine; allocates nothing. */
export function describeEngine(options: EngineOptions) {
  const arena = new Arena();
  const layout = parameterLayout(options.architecture);
  return {
    arena,
    layout,
    ...describeParameters(arena, layout, options),
    ...describeOptimiser(arena, layout),
    ws: describeWorkspace(arena, options),
    batch: describeBatch(arena, options),
    ...describeResults(arena, options),
  };
}

/** Copies of the parameters (flatLength). */
function describeParameters(
  arena: Arena,
  { flatLength }: ParameterLayout,
  { refPolicy, rolloutPolicy }: EngineOptions,
) {
  const flat = (label: string, length: number) => arena.tensor("parameters", label, length);
  return {
    params: flat("parameters", flatLength),
    refParams: flat("ref policy", refPolicy ? flatLength : 0),
    rolloutParams: flat("rollout policy", rolloutPolicy ? flatLength : 0),
  };
}

function describeOptimiser(arena: Arena, layout: ParameterLayout) {
  const optimiser = (label: string, length: number) => arena.tensor("optimiser", label, length);
  return {
    grads: optimiser("gradients", layout.flatLength),
    m: optimiser("first moment", layout.flatLength),
    v: optimiser("second moment", layout.flatLength),
    blockTable: optimiser("parameter groups", (layout.flatLength / 64) * 2),
    /** Scale and clock of the policy's parameters, and of the critic's. */
    optimizerState: optimiser("optimiser state", 8),
    criticState: optimiser("critic optimiser state", 8),
    gradPartials: optimiser("gradient norm", GRAD_NORM_PARTIALS),
    /** The critic's own, where it is clipped apart from the policy's. */
    criticPartials: optimiser("critic gradient norm", GRAD_NORM_PARTIALS),
    weightPartials: optimiser("weight gradient partials", partialsLength(layout)),
  };
}

function describeWorkspace(arena: Arena, options: EngineOptions) {
  const { architecture, microTokens, fullKl, keepsRefDistributions } = options;
  const pictures = Math.ceil(microTokens / imageTokens(architecture));
  return createWorkspace(
    arena,
    architecture,
    { tokens: microTokens, pictures },
    fullKl && !keepsRefDistributions,
  );
}

function describeBatch(arena: Arena, options: EngineOptions) {
  const { architecture, batchEpisodes, batchTokens, batchSequences, teacher, keepsRefDistributions } =
    options;
  return createBatchAxis(arena, {
    tokens: batchTokens,
    episodes: batchEpisodes,
    sequences: batchSequences ?? batchEpisodes,
    teacher: teacher === true,
    refColumns: keepsRefDistributions ? architecture.vocabStride : 0,
  });
}

function describeResults(arena: Arena, { batchTokens }: EngineOptions) {
  const result = (label: string, length: number) => arena.tensor("batch", label, length);
  return {
    /** Sums over the targets of an update: policy loss statistics (8), value loss statistics (4). */
    totals: result("loss totals", 8),
    valueTotals: result("value totals", 4),
    /** Where passes for log-probabilities alone write what is not read. */
    unusedEntropy: result("unused entropy", batchTokens),
    unusedValues: result("unused values", batchTokens),
  };
}
