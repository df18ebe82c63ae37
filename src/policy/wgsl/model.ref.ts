// CPU twin of the whole network in f64, built from the kernels' twins. It defines what the GPU graph must compute.
import { attentionForwardRef } from "../../gpu/kernels/attention.ref.ts";
import { embeddingForwardRef } from "../../gpu/kernels/embedding.ref.ts";
import { gatherRowsRef } from "../../gpu/kernels/gather-rows.ref.ts";
import { geluForwardRef } from "../../gpu/kernels/gelu.ref.ts";
import { layernormForwardRef } from "../../gpu/kernels/layernorm.ref.ts";
import { linearBackwardInputRef, linearForwardRef } from "../../gpu/kernels/linear.ref.ts";
import { logProbRowsRef } from "../../gpu/kernels/log-prob.ref.ts";
import { patchPositionForwardRef } from "../../gpu/kernels/patch-position.ref.ts";
import { patchifyRef } from "../../gpu/kernels/patchify.ref.ts";
import { pixelShuffleForwardRef } from "../../gpu/kernels/pixel-shuffle.ref.ts";
import { ppoLossRef } from "../../gpu/kernels/ppo-loss.ref.ts";
import { KL_KIND } from "../../gpu/kernels/ppo-loss.ts";
import { rmsnormForwardRef } from "../../gpu/kernels/rmsnorm.ref.ts";
import { ropeRef } from "../../gpu/kernels/rope.ref.ts";
import { swigluForwardRef } from "../../gpu/kernels/swiglu.ref.ts";
import { valueLossRef } from "../../gpu/kernels/value-loss.ref.ts";
import type { ModelArchitecture } from "./architecture.ts";
import type { PackedBatch } from "./pack.ts";
import type { ParameterLayout } from "./parameters.ts";
import type { StepSettings } from "./step-settings.ts";

type Weights = (name: string) => Float64Array;

/** Tensors of a flat f64 buffer by name. */
function weightsOf(flat: Float64Array, layout: ParameterLayout, prefix = ""): Weights {
  return (name) => {
    const spec = layout.byName.get(prefix + name);
    if (!spec) throw new Error(`there is no parameter ${prefix}${name}`);
    return flat.subarray(spec.offset, spec.offset + spec.length);
  };
}

function towerRef({ vision, decoder }: ModelArchitecture, w: Weights, packed: PackedBatch): Float64Array {
  const { rows, cols, patch, width, layers, heads, headDim, ffn, merge } = vision;
  const q = packed.patches;
  const pixels = patchifyRef(packed.pixels, q, rows, cols, patch);
  let x = linearForwardRef(
    pixels,
    w("vision.patch.weight"),
    w("vision.patch.bias"),
    null,
    q,
    3 * patch * patch,
    width,
  );
  x = patchPositionForwardRef(x, w("vision.rows"), w("vision.cols"), q, width, rows, cols);
  for (let i = 0; i < layers; i++) {
    const lw = (name: string) => w(`vision.layers.${i}.${name}`);
    const normed1 = layernormForwardRef(x, lw("norm1.weight"), lw("norm1.bias"), q, width, 1e-6).out;
    const qkv = linearForwardRef(normed1, lw("qkv.weight"), lw("qkv.bias"), null, q, width, 3 * width);
    const attended = attentionForwardRef(qkv, packed.visionSpan, q, heads, heads, headDim).out;
    const mid = linearForwardRef(attended, lw("out.weight"), lw("out.bias"), x, q, width, width);
    const normed2 = layernormForwardRef(mid, lw("norm2.weight"), lw("norm2.bias"), q, width, 1e-6).out;
    const inner = linearForwardRef(normed2, lw("up.weight"), lw("up.bias"), null, q, width, ffn);
    x = linearForwardRef(
      geluForwardRef(inner, q, ffn),
      lw("down.weight"),
      lw("down.bias"),
      mid,
      q,
      ffn,
      width,
    );
  }
  if (layers > 0)
    x = layernormForwardRef(x, w("vision.norm.weight"), w("vision.norm.bias"), q, width, 1e-6).out;
  if (merge > 1) x = pixelShuffleForwardRef(x, q, width, rows, cols, merge);
  if (!vision.connector) return x;
  return linearForwardRef(
    x,
    w("connector.weight"),
    null,
    null,
    packed.imageTokens,
    width * merge * merge,
    decoder.width,
  );
}

/** Normed hidden states (R, width) of the target positions. */
function hiddenRef(architecture: ModelArchitecture, w: Weights, packed: PackedBatch): Float64Array {
  const { decoder, ropeTheta, normEps: eps } = architecture;
  const { layers, width, heads, kvHeads, headDim, ffn } = decoder;
  const n = packed.tokens;
  const columns = (heads + 2 * kvHeads) * headDim;
  let x = embeddingForwardRef(
    packed.ids,
    packed.patchOfToken,
    w("embed.weight"),
    towerRef(architecture, w, packed),
    n,
    width,
  );
  for (let i = 0; i < layers; i++) {
    const lw = (name: string) => w(`layers.${i}.${name}`);
    const normed1 = rmsnormForwardRef(x, lw("norm1.weight"), n, width, eps).out;
    const qkv = linearForwardRef(normed1, lw("qkv.weight"), null, null, n, width, columns);
    const rotated = ropeRef(qkv, packed.positions, n, heads + kvHeads, columns, headDim, ropeTheta, 1);
    const attended = attentionForwardRef(rotated, packed.span, n, heads, kvHeads, headDim).out;
    const mid = linearForwardRef(attended, lw("out.weight"), null, x, n, heads * headDim, width);
    const normed2 = rmsnormForwardRef(mid, lw("norm2.weight"), n, width, eps).out;
    const inner = linearForwardRef(normed2, lw("gate_up.weight"), null, null, n, width, 2 * ffn);
    x = linearForwardRef(swigluForwardRef(inner, n, ffn), lw("down.weight"), null, mid, n, ffn, width);
  }
  const rows = gatherRowsRef(x, packed.tokenOfTarget, packed.targets, width);
  return rmsnormForwardRef(rows, w("norm.weight"), packed.targets, width, eps).out;
}

/** logits (R, vocabStride) and values (R) of the target positions. */
export function forwardRef(
  architecture: ModelArchitecture,
  layout: ParameterLayout,
  flat: Float64Array,
  packed: PackedBatch,
): { logits: Float64Array; values: Float64Array } {
  const { decoder, vocabStride, valueHidden, tied, critic } = architecture;
  const w = weightsOf(flat, layout);
  const { targets: rows } = packed;
  const hidden = hiddenRef(architecture, w, packed);
  const logits = tied
    ? linearBackwardInputRef(hidden, w("embed.weight"), rows, vocabStride, decoder.width)
    : linearForwardRef(hidden, w("head.weight"), null, null, rows, decoder.width, vocabStride);
  const state =
    critic === "separate" ? hiddenRef(architecture, weightsOf(flat, layout, "critic."), packed) : hidden;
  const inner = linearForwardRef(
    state,
    w("value.hidden.weight"),
    w("value.hidden.bias"),
    null,
    rows,
    decoder.width,
    valueHidden,
  );
  const out = linearForwardRef(
    geluForwardRef(inner, rows, valueHidden),
    w("value.out.weight"),
    w("value.out.bias"),
    null,
    rows,
    valueHidden,
    4,
  );
  return { logits, values: Float64Array.from({ length: rows }, (_, r) => out[r * 4] as number) };
}

/** log p of each row's target over the first `vocab` columns. */
export function targetLogprobsRef(
  { vocab, vocabStride }: ModelArchitecture,
  logits: Float64Array,
  { targets: rows, targetIds }: PackedBatch,
  temperature = 1,
): Float64Array {
  return logProbRowsRef(logits, targetIds, rows, vocab, vocabStride, temperature).logprobs;
}

/** What a PPO step reads beside parameters and tokens, on the batch axis. */
export interface PpoFactsRef {
  /** (Nb, 4), as loss_facts leaves them. */
  facts: ArrayLike<number>;
  /** (Nb, 2) and (Nb). */
  groups: ArrayLike<number>;
  policyWeights: ArrayLike<number>;
  oldValues: ArrayLike<number>;
  returns: ArrayLike<number>;
  valueMask: ArrayLike<number>;
}

/**
 * The losses that one PPO step lowers, as means over the rows: the policy's (clipped objective, entropy, KL) and the
 * critic's times its coefficient. With their statistics, summed over rows. `refLogits` are those of the frozen policy.
 */
export function ppoLossesRef(
  architecture: ModelArchitecture,
  { logits, values }: ReturnType<typeof forwardRef>,
  refLogits: ArrayLike<number>,
  { targets: rows, targetIds, src }: PackedBatch,
  facts: PpoFactsRef,
  settings: StepSettings,
): { policy: number; value: number; totals: number[]; valueTotals: number[] } {
  const { vocab, vocabStride: stride } = architecture;
  const { kind } = settings;
  const policy = ppoLossRef(
    {
      logits,
      ref_logits: refLogits,
      targets: targetIds,
      src,
      facts: facts.facts,
      groups: facts.groups,
      policy_weights: facts.policyWeights,
    },
    {
      r: rows,
      vocab,
      stride,
      scale: 1 / rows,
      temperature: settings.temperature,
      clip_low: settings.clipLow,
      clip_high: settings.clipHigh,
      clip_c: settings.clipC,
      entropy_coef: settings.entropyCoef,
      kl_coef: settings.klCoef,
      policy_scale: 1 / rows,
      tau_pos: settings.tauPos,
      tau_neg: settings.tauNeg,
      cov_kl_coef: settings.covKlCoef,
      teacher_from: facts.policyWeights.length,
      pivot_coef: settings.pivotCoef,
      pivot_beta: settings.pivotBeta,
    },
    KL_KIND[kind.kl],
    {
      objective: kind.policy.objective,
      grouped: kind.policy.ratio !== "token",
      ownMean: kind.policy.ownMean,
    },
  );
  const columns = Float64Array.from({ length: rows * 4 }, (_, i) => (i % 4 ? 0 : (values[i / 4] as number)));
  const clip = kind.clipValue ? settings.valueClip : null;
  const trained = src.reduce((sum, at) => sum + (facts.valueMask[at] as number), 0);
  const value = valueLossRef(columns, src, facts.oldValues, facts.returns, facts.valueMask, rows, 1, clip);
  const sums = (stats: Float64Array, cols: number) =>
    Array.from({ length: cols }, (_, c) => stats.reduce((sum, x, i) => (i % cols === c ? sum + x : sum), 0));
  const valueTotals = sums(value.stats, 4);
  return {
    policy: policy.loss,
    value: (settings.vfCoef * (valueTotals[0] as number)) / trained,
    totals: sums(policy.stats, 8),
    valueTotals,
  };
}
