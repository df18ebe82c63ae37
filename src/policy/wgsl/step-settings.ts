// What one optimiser step is made with: the kind of its loss, and its numbers as plans take them.
import type { KL_KIND } from "../../gpu/kernels/ppo-loss.ts";
import type { PlanValues } from "../../gpu/plan.ts";
import type { Sequence } from "./pack.ts";

/** What decides the graph of a loss; a change compiles another plan. */
export interface LossKind {
  objective: "sft" | "ppo";
  /** Estimator of the KL to the ref policy. */
  kl: keyof typeof KL_KIND;
  /** The ratio of whole sequences instead of that of each token (GSPO). */
  sequenceRatio: boolean;
  /** The value loss reaches the backbone (a separate critic has its own). */
  valueReachesBackbone: boolean;
  clipValue: boolean;
}

/** Numbers of one optimiser step; they change without recompiling. */
export interface StepSettings {
  kind: LossKind;
  temperature: number;
  clipLow: number;
  clipHigh: number;
  /** Bound on the loss of tokens with a negative advantage, in advantages; 0 is none. */
  clipC: number;
  /** What the loss is a mean over. The weights of tokens are on the batch axis. */
  per: "token" | "sequence";
  entropyCoef: number;
  klCoef: number;
  vfCoef: number;
  valueClip: number;
  actorLr: number;
  criticLr: number;
  beta1: number;
  beta2: number;
  weightDecay: number;
  gradClip: number;
}

const marked = (mask: Uint8Array) => mask.subarray(1).reduce((sum, x) => sum + x, 0);

/** Means over the minibatch: of its tokens or its sequences for the policy, of the tokens whose value is trained for the critic. */
export function stepValues(
  { kind: _, per, ...numbers }: StepSettings,
  sequences: readonly Sequence[],
): PlanValues {
  const total = (mask: (sequence: Sequence) => Uint8Array) =>
    sequences.reduce((sum, sequence) => sum + marked(mask(sequence)), 0);
  const count = per === "sequence" ? sequences.length : total(({ targetMask }) => targetMask);
  const valueCount = total(({ targetMask, valueMask = targetMask }) => valueMask);
  const inverse = (n: number) => (n > 0 ? 1 / n : 0);
  return { ...numbers, scale: inverse(count), valueScale: inverse(valueCount) * numbers.vfCoef };
}
