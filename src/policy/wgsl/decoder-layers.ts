// The Llama-style decoder stack: pre-RMSNorm, rotary grouped-query attention, SwiGLU. Forward and backward.
import {
  attentionBackwardDelta,
  attentionBackwardKeyValue,
  attentionBackwardQuery,
  attentionForward,
} from "../../gpu/kernels/attention.ts";
import { rmsnormBackward, rmsnormBackwardWeight, rmsnormForward } from "../../gpu/kernels/rmsnorm.ts";
import { rope } from "../../gpu/kernels/rope.ts";
import { swigluBackward, swigluForward } from "../../gpu/kernels/swiglu.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { StackShape } from "./architecture.ts";
import { linear, linearBackward, type Recording } from "./ops.ts";
import type { LayerActivations, StackActivations } from "./workspace.ts";

/** A parameter (or its gradient) by name. */
export type TensorsByName = (name: string) => Tensor;

export interface DecoderContext {
  rec: Recording;
  shape: StackShape;
  eps: number;
  positions: Tensor;
  /** (headDim / 2) rotations per position, see `ropeFrequencies`. */
  frequencies: Tensor;
  /** (N, 4) attention spans; unused with a cache. */
  span: Tensor;
}

/** Columns of the fused query, key and value projection. */
const qkvColumns = ({ heads, kvHeads, headDim }: StackShape) => (heads + 2 * kvHeads) * headDim;

function addRope(
  { rec, shape, positions, frequencies }: DecoderContext,
  qkv: Tensor,
  direction: 1 | -1,
): void {
  const { heads, kvHeads, headDim } = shape;
  rec.plan.add(
    rope,
    { qkv, positions, frequencies },
    { n: "tokens", heads: heads + kvHeads, stride: qkvColumns(shape), head_dim: headDim, direction },
  );
}

/** Packed causal attention over the micro-step's own tokens. */
export function packedAttention(
  { rec, shape, span }: DecoderContext,
  { qkv, attended, lse }: LayerActivations,
): void {
  const { heads, kvHeads, headDim } = shape;
  rec.plan.add(
    attentionForward(rec.caps, headDim),
    { qkv, span, out: attended, lse },
    { n: "tokens", heads, kv_heads: kvHeads },
    { HEAD_VEC4: headDim / 4 },
  );
}

/** One layer, x → xNext. `attend` reads qkv (already rotated) and writes `attended`. */
export function decoderLayerForward(
  context: DecoderContext,
  w: TensorsByName,
  x: Tensor,
  xNext: Tensor,
  a: LayerActivations,
  attend: () => void,
): void {
  const { rec, shape, eps } = context;
  const { width, heads, headDim, ffn } = shape;
  const n = "tokens";
  rec.plan.add(
    rmsnormForward(rec.caps),
    { inp: x, weight: w("norm1.weight"), out: a.normed1, rstd: a.rstd1 },
    { n, c: width, eps },
  );
  linear(
    rec,
    { inp: a.normed1, weight: w("qkv.weight"), out: a.qkv },
    { m: n, k: width, n: qkvColumns(shape) },
  );
  addRope(context, a.qkv, 1);
  attend();
  linear(
    rec,
    { inp: a.attended, weight: w("out.weight"), residual: x, out: a.mid },
    { m: n, k: heads * headDim, n: width },
  );
  rec.plan.add(
    rmsnormForward(rec.caps),
    { inp: a.mid, weight: w("norm2.weight"), out: a.normed2, rstd: a.rstd2 },
    { n, c: width, eps },
  );
  linear(rec, { inp: a.normed2, weight: w("gate_up.weight"), out: a.inner }, { m: n, k: width, n: 2 * ffn });
  rec.plan.add(swigluForward, { inp: a.inner, out: a.activated }, { n, f: ffn });
  linear(
    rec,
    { inp: a.activated, weight: w("down.weight"), residual: a.mid, out: xNext },
    { m: n, k: ffn, n: width },
  );
}

/** dx holds the gradient of the layer's output and leaves with that of its input. */
export function decoderLayerBackward(
  context: DecoderContext,
  w: TensorsByName,
  dw: TensorsByName,
  x: Tensor,
  a: LayerActivations,
  s: StackActivations,
): void {
  feedForwardBackward(context, w, dw, a, s);
  attentionBackward(context, w, dw, x, a, s);
}

function feedForwardBackward(
  { rec, shape }: DecoderContext,
  w: TensorsByName,
  dw: TensorsByName,
  a: LayerActivations,
  s: StackActivations,
): void {
  const { width, ffn } = shape;
  const n = "tokens";
  linearBackward(
    rec,
    {
      inp: a.activated,
      weight: w("down.weight"),
      dout: s.dx,
      dinp: s.dactivated,
      dweight: dw("down.weight"),
    },
    { m: n, k: ffn, n: width },
  );
  rec.plan.add(swigluBackward, { inp: a.inner, dout: s.dactivated, dinp: s.dinner }, { n, f: ffn });
  linearBackward(
    rec,
    {
      inp: a.normed2,
      weight: w("gate_up.weight"),
      dout: s.dinner,
      dinp: s.dnormed,
      dweight: dw("gate_up.weight"),
    },
    { m: n, k: width, n: 2 * ffn },
  );
  normBackward(
    rec,
    { inp: a.mid, weight: w("norm2.weight"), dweight: dw("norm2.weight"), rstd: a.rstd2 },
    s,
    width,
  );
}

function attentionBackward(
  context: DecoderContext,
  w: TensorsByName,
  dw: TensorsByName,
  x: Tensor,
  a: LayerActivations,
  s: StackActivations,
): void {
  const { rec, shape, span } = context;
  const { width, heads, kvHeads, headDim } = shape;
  const n = "tokens";
  linearBackward(
    rec,
    { inp: a.attended, weight: w("out.weight"), dout: s.dx, dinp: s.dattended, dweight: dw("out.weight") },
    { m: n, k: heads * headDim, n: width },
  );
  packedAttentionBackward(rec, { heads, kvHeads, headDim }, span, a, s, n);
  addRope(context, s.dqkv, -1);
  linearBackward(
    rec,
    { inp: a.normed1, weight: w("qkv.weight"), dout: s.dqkv, dinp: s.dnormed, dweight: dw("qkv.weight") },
    { m: n, k: width, n: qkvColumns(shape) },
  );
  normBackward(
    rec,
    { inp: x, weight: w("norm1.weight"), dweight: dw("norm1.weight"), rstd: a.rstd1 },
    s,
    width,
  );
}

/** Gradient of packed attention: dattended → dqkv. Shared with the vision tower. */
export function packedAttentionBackward(
  { plan, caps }: Recording,
  { heads, kvHeads, headDim }: Pick<StackShape, "heads" | "kvHeads" | "headDim">,
  span: Tensor,
  { qkv, attended, lse }: LayerActivations,
  { dattended, delta, dqkv }: StackActivations,
  n: string,
): void {
  const uniforms = { n, heads, kv_heads: kvHeads };
  const constants = { HEAD_VEC4: headDim / 4 };
  const bound = { qkv, span, dout: dattended, lse, delta, dqkv };
  plan.add(attentionBackwardDelta, { dout: dattended, out: attended, delta }, { n, heads }, constants);
  plan.add(attentionBackwardQuery(caps, headDim), bound, uniforms, constants);
  plan.add(attentionBackwardKeyValue(caps, headDim), bound, uniforms, constants);
}

/** Adds the norm's input gradient to the residual gradient dx, and its weight gradient to `dweight`. */
function normBackward(
  { plan, caps }: Recording,
  t: { inp: Tensor; weight: Tensor; dweight: Tensor; rstd: Tensor },
  s: StackActivations,
  width: number,
): void {
  const shape = { n: "tokens", c: width };
  plan.add(
    rmsnormBackwardWeight(caps),
    { inp: t.inp, rstd: t.rstd, dout: s.dnormed, dweight: t.dweight },
    shape,
  );
  plan.add(
    rmsnormBackward(caps),
    { inp: t.inp, weight: t.weight, rstd: t.rstd, dout: s.dnormed, dinp: s.dx },
    shape,
  );
}
