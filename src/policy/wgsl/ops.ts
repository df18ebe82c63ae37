// Matrix products as entries of a plan: which kernel variant, which tile, which scratch buffer.
// Shapes may be plan-time names ("tokens", "targets"), resolved at every replay.
import type { GpuCaps } from "../../gpu/device.ts";
import {
  linearBackwardInputDirect,
  linearBackwardInputLarge,
  linearBackwardInputStaged,
  linearBackwardWeightDirect,
  linearBackwardWeightLarge,
  linearBackwardWeightStaged,
  linearForwardDirect,
  linearForwardLarge,
  linearForwardStaged,
} from "../../gpu/kernels/linear.ts";
import { sumPartials } from "../../gpu/kernels/sum-partials.ts";
import { readsAhead } from "../../gpu/kernels/variant.ts";
import { type TileClass, tileClass } from "../../gpu/linear-tiles.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { Plan, PlanValues, Replay, UniformValue } from "../../gpu/plan.ts";
import type { StepSettings } from "./step-settings.ts";

/** What every replay of a pass may set: sizes of its micro-batch, then numbers of the step, the estimator and the sampler. */
type PassValue =
  | "tokens"
  | "targets"
  | "patches"
  | "imageTokens"
  | Exclude<keyof StepSettings, "kind" | "mean" | "policyMean" | "valueMean">
  | "scale"
  | "policyScale"
  | "valueScale"
  | "s"
  | "n"
  | "teacherFrom"
  | "gamma"
  | "lam"
  | "lamParam"
  | "turnGamma"
  | "turnLam"
  | "clockGammaTurn"
  | "clockLambdaTurn"
  | "clockLambdaToken"
  | "clockMix"
  | "behaviourCap"
  | "advantageScale"
  | "maxTokens"
  | "steps"
  | "topP"
  | "topK"
  | "seed";

export type PassPlan = Plan<PassValue>;
export type PassReplay = Replay<PassValue>;
export type PassValues = PlanValues<PassValue>;

/** A number of rows: fixed, or one that every replay sets. */
export type RowCount = UniformValue<PassValue>;

/** Where a graph is recorded and what it may use. */
export interface Recording {
  plan: PassPlan;
  caps: GpuCaps;
  /** Partial products of weight gradients; see `weightSplits`. */
  partials: Tensor;
  /** The most rows of a pass: tokens of a micro-step, or sequences in decoding. */
  rows: number;
  /** One row for each sequence, as in decoding, rather than one for each token. */
  fewRows?: boolean;
}

/**
 * Weight gradients are split over rows until this many workgroups can run at once. An H100 runs several times 128: with so few, the
 * weight gradients of a step of the `base` presets took twice as long (docs/benchmarks.md). Smaller cards have not been measured.
 */
const TARGET_WORKGROUPS = { software: 4, hardware: 512 } as const;
const MAX_SPLITS = 16;
/** Weights of at most this many tiles, as in the value head and in small models, keep too little of a real GPU busy with 16 splits; their partials are small. */
const FEW_TILES = { most: 4, splits: 64 } as const;

/** Tile of an invocation for the gradient of a weight, 4 × rows and vec4 columns. */
const WEIGHT_TILE = { ROWS: 2, COLS: 2 } as const;

/** Rows and columns of the weight that a workgroup of 8 × 8 such invocations covers. */
const SOFTWARE_GROUP = { rows: 32 * WEIGHT_TILE.ROWS, cols: 32 * WEIGHT_TILE.COLS } as const;

/** How many partial products the gradient of a (k, n) weight is computed in; it decides bits, so it ignores the staged tile. */
export function weightSplits(caps: GpuCaps, k: number, n: number): number {
  const { rows, cols } = caps.software ? SOFTWARE_GROUP : { rows: 64, cols: 64 };
  const groups = Math.ceil(k / rows) * Math.ceil(n / cols);
  const target = caps.software ? TARGET_WORKGROUPS.software : TARGET_WORKGROUPS.hardware;
  const limit = !caps.software && groups <= FEW_TILES.most ? FEW_TILES.splits : MAX_SPLITS;
  return Math.min(limit, Math.max(1, Math.ceil(target / groups)));
}

/** Staged tiles pay on real GPUs once a tile of 64 × 64 is reasonably full. */
const prefersStaged = (caps: GpuCaps, inner: number, outer: number) =>
  !caps.software && inner >= 16 && outer >= 32;

/** Which of two staged tiles with equal bits runs: the larger one where the device was measured to be faster with it. */
const staged = <Spec>(caps: GpuCaps, of: TileClass | null, usual: Spec, large: Spec): Spec =>
  of && caps.largeTiles?.includes(of) ? large : usual;

/** The most rows of a product. */
const most = (m: RowCount, { rows }: Recording): number => (typeof m === "number" ? m : rows);

/**
 * Register tiles of the direct kernels, rows × vec4 columns. Of the tiles that were measured this one is the fastest on two software
 * adapters, and larger ones take the driver seconds to compile (docs/log.md). Where many sequences have one row each, as in decoding,
 * a taller tile reads each weight less often.
 */
const rowsFor = ({ fewRows, rows }: Recording) => (fewRows && rows > 8 ? 16 : 8);
const colsFor = (outputs: number) => (outputs >= 64 ? 2 : 1);

interface LinearShape {
  m: RowCount;
  k: number;
  n: number;
}

/** out = inp · weight (+ bias) (+ residual). */
export function linearForward(
  recording: Recording,
  tensors: {
    inp: Tensor;
    weight: Tensor;
    bias?: Tensor | undefined;
    residual?: Tensor | undefined;
    out: Tensor;
  },
  { m, k, n }: LinearShape,
): void {
  const { plan, caps } = recording;
  const { inp, weight, bias = weight, residual = weight, out } = tensors;
  const epilogue = { HAS_BIAS: tensors.bias ? 1 : 0, HAS_RESIDUAL: tensors.residual ? 1 : 0 };
  const bound = { inp, weight, bias, residual, out };
  if (prefersStaged(caps, k, n)) {
    const tile = tileClass("forward", most(m, recording), n);
    plan.add(staged(caps, tile, linearForwardStaged, linearForwardLarge), bound, { m, k, n }, epilogue);
  } else
    plan.add(
      linearForwardDirect,
      bound,
      { m, k, n },
      { ...epilogue, ROWS: rowsFor(recording), COLS: colsFor(n) },
    );
}

/** dinp = dout · weightᵀ, or += when `accumulate`. */
export function linearBackwardInput(
  recording: Recording,
  tensors: { dout: Tensor; weight: Tensor; dinp: Tensor },
  { m, k, n }: LinearShape,
  accumulate = false,
): void {
  const { plan, caps } = recording;
  const ACCUMULATE = accumulate ? 1 : 0;
  if (prefersStaged(caps, n, k)) {
    const tile = tileClass("input", most(m, recording), k);
    const kernel = staged(caps, tile, linearBackwardInputStaged, linearBackwardInputLarge);
    plan.add(kernel, tensors, { m, k, n }, { ACCUMULATE });
  } else
    plan.add(
      linearBackwardInputDirect,
      tensors,
      { m, k, n },
      { ACCUMULATE, ROWS: rowsFor(recording), COLS: colsFor(k) },
    );
}

/** dweight += inpᵀ · dout, summed over rows in a fixed order. */
export function linearBackwardWeight(
  { plan, caps, partials }: Recording,
  tensors: { inp: Tensor; dout: Tensor; dweight: Tensor },
  { m, k, n }: LinearShape,
): void {
  const splits = weightSplits(caps, k, n);
  const target = splits > 1 ? partials : tensors.dweight;
  const bound = { inp: tensors.inp, dout: tensors.dout, dweight: target };
  const ACCUMULATE = splits > 1 ? 0 : 1;
  if (prefersStaged(caps, 16, Math.min(k, n))) {
    const tile = tileClass("weight", k, n, splits);
    const kernel = staged(caps, tile, linearBackwardWeightStaged, linearBackwardWeightLarge);
    plan.add(kernel, bound, { m, k, n, splits }, { ACCUMULATE });
  } else plan.add(linearBackwardWeightDirect, bound, { m, k, n, splits }, { ACCUMULATE, ...WEIGHT_TILE });
  if (splits > 1)
    plan.add(sumPartials, { partials, out: tensors.dweight }, { splits, length: k * n }, readsAhead(caps));
}
