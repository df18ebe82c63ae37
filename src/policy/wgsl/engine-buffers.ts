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

export function describeEngine(options: EngineOptions) {
  const { architecture, microTokens } = options;
  const arena = new Arena();
  const layout = parameterLayout(architecture);
  const flat = (label: string) => arena.tensor("parameters", label, layout.flatLength);
  const optimiser = (label: string, length: number) => arena.tensor("optimiser", label, length);
  const batchTokens = options.batchTokens;
  return {
    arena,
    layout,
    params: flat("parameters"),
    refParams: arena.tensor("parameters", "ref policy", options.refPolicy ? layout.flatLength : 0),
    rolloutParams: arena.tensor(
      "parameters",
      "rollout policy",
      options.rolloutPolicy ? layout.flatLength : 0,
    ),
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
    ws: createWorkspace(
      arena,
      architecture,
      { tokens: microTokens, pictures: Math.ceil(microTokens / imageTokens(architecture)) },
      options.fullKl && !options.keepsRefDistributions,
    ),
    batch: createBatchAxis(
      arena,
      batchTokens,
      options.batchEpisodes,
      options.batchSequences ?? options.batchEpisodes,
      64,
      {
        teacher: options.teacher === true,
        refColumns: options.keepsRefDistributions ? architecture.vocabStride : 0,
      },
    ),
    /** Sums over the targets of an update: policy loss statistics (8), value loss statistics (4). */
    totals: arena.tensor("batch", "loss totals", 8),
    valueTotals: arena.tensor("batch", "value totals", 4),
    /** Where passes for log-probabilities alone write what is not read. */
    unusedEntropy: arena.tensor("batch", "unused entropy", batchTokens),
    unusedValues: arena.tensor("batch", "unused values", batchTokens),
  };
}
