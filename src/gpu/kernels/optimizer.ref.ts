// CPU twins of the gradient norm and AdamW, in f64.
import { GRAD_NORM_PARTIALS, MAX_SKIPPED_IN_A_ROW, type NORM_OF } from "./optimizer.ts";

/**
 * Twin of grad_norm_partials: the partials (GRAD_NORM_PARTIALS) of a variant with `lanes` invocations a partial.
 * @param blockTable (n / 64, 2), not read for `all`.
 */
export function gradNormPartialsRef(
  grads: ArrayLike<number>,
  blockTable: ArrayLike<number>,
  of: keyof typeof NORM_OF,
  lanes: number,
): Float64Array {
  const partials = new Float64Array(GRAD_NORM_PARTIALS);
  const broken = new Set<number>();
  for (let i = 0; i < grads.length; i++) {
    const isCritic = blockTable[Math.floor(i / 64) * 2] === 1;
    if (of !== "all" && isCritic !== (of === "critic")) continue;
    const part = Math.floor(Math.floor(i / 4) / lanes) % GRAD_NORM_PARTIALS;
    const g = grads[i] as number;
    if (Number.isFinite(g)) partials[part]! += g * g;
    else broken.add(part);
  }
  for (const part of broken) partials[part] = -1;
  return partials;
}

/** Twin of grad_norm_partials over one of the groups of NORM_OF: the norm of its gradient. */
export function groupNormRef(
  grads: ArrayLike<number>,
  blockTable: ArrayLike<number>,
  of: "policy" | "critic",
): number {
  let squares = 0;
  for (let i = 0; i < grads.length; i++)
    if ((blockTable[Math.floor(i / 64) * 2] === 1) === (of === "critic"))
      squares += (grads[i] as number) ** 2;
  return Math.sqrt(squares);
}

/**
 * Twin of grad_norm_partials and grad_norm_finish: the state (8) after this gradient.
 * @param threshold a norm of at least this skips the step; 0: none does.
 */
export function gradNormRef(
  grads: ArrayLike<number>,
  state: ArrayLike<number>,
  clip: number,
  beta1: number,
  beta2: number,
  threshold = 0,
): Float64Array {
  const next = Float64Array.from(state as ArrayLike<number>);
  const [, , , skipped = 0, t = 0, , , skippedInARow = 0] = next;
  let squares = 0;
  for (let i = 0; i < grads.length; i++) squares += (grads[i] as number) ** 2;
  if (!Number.isFinite(squares)) {
    next.set([0, 0, 0, skipped + 1]);
    next[7] = skippedInARow + 1;
    return next;
  }
  const norm = Math.sqrt(squares);
  // Three in a row stop the run, even if a good step follows before the CPU reads the state.
  if (skippedInARow < MAX_SKIPPED_IN_A_ROW) next[7] = 0;
  if (threshold > 0 && norm >= threshold) {
    next.set([norm, 0, 0, skipped + 1]);
    return next;
  }
  next.set([norm, Math.min(1, clip / (norm + 1e-6)), 1, skipped, t + 1]);
  next.set([1 - beta1 ** (t + 1), 1 - beta2 ** (t + 1)], 5);
  return next;
}

interface AdamwRefSettings {
  actorLr: number;
  criticLr: number;
  beta1: number;
  beta2: number;
  eps: number;
  weightDecay: number;
}

/**
 * Twin of adamw: new params, m and v (n). `blockTable` (n / 64, 2), `state` and `criticState` (8) as written by `gradNormRef`.
 * @param of whose parameters take the step.
 */
export function adamwRef(
  params: ArrayLike<number>,
  grads: ArrayLike<number>,
  m: ArrayLike<number>,
  v: ArrayLike<number>,
  blockTable: ArrayLike<number>,
  state: ArrayLike<number>,
  { actorLr, criticLr, beta1, beta2, eps, weightDecay }: AdamwRefSettings,
  criticState: ArrayLike<number> = state,
  of: keyof typeof NORM_OF = "all",
): { params: Float64Array; m: Float64Array; v: Float64Array } {
  const next = {
    params: Float64Array.from(params as ArrayLike<number>),
    m: Float64Array.from(m as ArrayLike<number>),
    v: Float64Array.from(v as ArrayLike<number>),
  };
  for (let i = 0; i < params.length; i++) {
    const block = Math.floor(i / 64);
    const isCritic = blockTable[block * 2] === 1;
    if (of !== "all" && isCritic !== (of === "critic")) continue;
    const [, scale = 0, finite, , , bias1 = 0, bias2 = 0] = Array.from(isCritic ? criticState : state);
    if (finite === 0) continue;
    const lr = isCritic ? criticLr : actorLr;
    const decay = weightDecay * (blockTable[block * 2 + 1] as number);
    const g = (grads[i] as number) * scale;
    const first = beta1 * (m[i] as number) + (1 - beta1) * g;
    const second = beta2 * (v[i] as number) + (1 - beta2) * g * g;
    const p = params[i] as number;
    next.m[i] = first;
    next.v[i] = second;
    next.params[i] = p - lr * (first / bias1 / (Math.sqrt(second / bias2) + eps) + decay * p);
  }
  return next;
}
