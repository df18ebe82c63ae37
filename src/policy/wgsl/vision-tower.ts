// The vision tower: patch embedding with learned row and column positions, zero or more pre-norm ViT layers
// (LayerNorm, GELU, attention within a picture), merging of neighbouring patches, linear connector.
import { attentionForward } from "../../gpu/kernels/attention.ts";
import { columnSum } from "../../gpu/kernels/column-sum.ts";
import { geluBackward, geluForward } from "../../gpu/kernels/gelu.ts";
import { layernormBackward, layernormBackwardWeight, layernormForward } from "../../gpu/kernels/layernorm.ts";
import { patchPositionBackward, patchPositionForward } from "../../gpu/kernels/patch-position.ts";
import { patchify } from "../../gpu/kernels/patchify.ts";
import { pixelShuffleBackward, pixelShuffleForward } from "../../gpu/kernels/pixel-shuffle.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { ModelArchitecture } from "./architecture.ts";
import { packedAttentionBackward, type TensorsByName } from "./decoder-layers.ts";
import { linear, linearBackward, linearWeightGradient, type Recording } from "./ops.ts";
import type { LayerActivations, StackActivations, Workspace } from "./workspace.ts";

const EPS = 1e-6;

/** Pictures → image tokens at the decoder's width; returns the tensor that holds them. */
export function towerForward(
  rec: Recording,
  { vision, decoder }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
): Tensor {
  const { rows, cols, patch, width, layers, merge } = vision;
  const { tower, inputs } = ws;
  const q = "patches";
  const pixels = 3 * patch * patch;
  rec.plan.add(
    patchify,
    { pixels: inputs.pixels, out: ws.patchPixels },
    { p: q, grid_rows: rows, grid_cols: cols, patch_size: patch },
  );
  linear(
    rec,
    {
      inp: ws.patchPixels,
      weight: w("vision.patch.weight"),
      bias: w("vision.patch.bias"),
      out: tower.x[0] as Tensor,
    },
    { m: q, k: pixels, n: width },
  );
  rec.plan.add(
    patchPositionForward,
    { x: tower.x[0] as Tensor, rows_table: w("vision.rows"), cols_table: w("vision.cols") },
    { p: q, c: width, grid_rows: rows, grid_cols: cols },
  );
  tower.layers.forEach((a, i) => {
    layerForward(
      rec,
      vision,
      (name) => w(`vision.layers.${i}.${name}`),
      tower.x[i] as Tensor,
      tower.x[i + 1] as Tensor,
      a,
      inputs.visionSpan,
    );
  });
  let out = tower.x[layers] as Tensor;
  if (layers > 0) {
    rec.plan.add(
      layernormForward(rec.caps),
      {
        inp: out,
        weight: w("vision.norm.weight"),
        bias: w("vision.norm.bias"),
        out: ws.towerNormed,
        mean: ws.towerMean,
        rstd: ws.towerRstd,
      },
      { n: q, c: width, eps: EPS },
    );
    out = ws.towerNormed;
  }
  if (merge > 1) {
    rec.plan.add(
      pixelShuffleForward,
      { inp: out, out: ws.merged },
      { p: q, c: width, grid_rows: rows, grid_cols: cols, s: merge },
    );
    out = ws.merged;
  }
  if (!vision.connector) return out;
  linear(
    rec,
    { inp: out, weight: w("connector.weight"), out: ws.pictureTokens },
    { m: "imageTokens", k: width * merge * merge, n: decoder.width },
  );
  return ws.pictureTokens;
}

/** From `dpictureTokens` to the gradients of every tower parameter. */
export function towerBackward(
  rec: Recording,
  { vision, decoder }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  dw: TensorsByName,
): void {
  const { rows, cols, patch, width, layers, merge, connector } = vision;
  const { tower, inputs } = ws;
  const q = "patches";
  let dout = ws.dpictureTokens;
  if (connector) {
    const inp = merge > 1 ? ws.merged : ws.towerNormed;
    linearBackward(
      rec,
      { inp, weight: w("connector.weight"), dout, dinp: ws.dmerged, dweight: dw("connector.weight") },
      { m: "imageTokens", k: width * merge * merge, n: decoder.width },
    );
    dout = ws.dmerged;
  }
  if (merge > 1) {
    const target = layers > 0 ? tower.dnormed : tower.dx;
    rec.plan.add(
      pixelShuffleBackward,
      { dout, dinp: target },
      { p: q, c: width, grid_rows: rows, grid_cols: cols, s: merge },
    );
    dout = target;
  }
  if (layers > 0) {
    const norm = { inp: tower.x[layers] as Tensor, mean: ws.towerMean, rstd: ws.towerRstd, dout };
    rec.plan.add(
      layernormBackwardWeight(rec.caps),
      { ...norm, dweight: dw("vision.norm.weight"), dbias: dw("vision.norm.bias") },
      { n: q, c: width },
    );
    rec.plan.add(
      layernormBackward(rec.caps),
      { ...norm, weight: w("vision.norm.weight"), dinp: tower.dx },
      { n: q, c: width },
      { ACCUMULATE: 0 },
    );
    dout = tower.dx;
  }
  for (let i = layers - 1; i >= 0; i--) {
    const scoped =
      (tensors: TensorsByName): TensorsByName =>
      (name) =>
        tensors(`vision.layers.${i}.${name}`);
    layerBackward(
      rec,
      vision,
      scoped(w),
      scoped(dw),
      tower.x[i] as Tensor,
      tower.layers[i] as LayerActivations,
      tower,
      inputs.visionSpan,
    );
  }
  rec.plan.add(
    patchPositionBackward,
    { dx: dout, drows: dw("vision.rows"), dcols: dw("vision.cols") },
    { p: q, c: width, grid_rows: rows, grid_cols: cols },
  );
  linearWeightGradient(
    rec,
    { inp: ws.patchPixels, dout, dweight: dw("vision.patch.weight") },
    { m: q, k: 3 * patch * patch, n: width },
  );
  rec.plan.add(columnSum(rec.caps), { inp: dout, out: dw("vision.patch.bias") }, { n: q, c: width });
}

function layerForward(
  rec: Recording,
  { width, heads, headDim, ffn }: ModelArchitecture["vision"],
  w: TensorsByName,
  x: Tensor,
  xNext: Tensor,
  a: LayerActivations,
  span: Tensor,
): void {
  const n = "patches";
  rec.plan.add(
    layernormForward(rec.caps),
    {
      inp: x,
      weight: w("norm1.weight"),
      bias: w("norm1.bias"),
      out: a.normed1,
      mean: a.mean1,
      rstd: a.rstd1,
    },
    { n, c: width, eps: EPS },
  );
  linear(
    rec,
    { inp: a.normed1, weight: w("qkv.weight"), bias: w("qkv.bias"), out: a.qkv },
    { m: n, k: width, n: 3 * width },
  );
  rec.plan.add(
    attentionForward(rec.caps, headDim),
    { qkv: a.qkv, span, out: a.attended, lse: a.lse },
    { n, heads, kv_heads: heads },
    { HEAD_VEC4: headDim / 4 },
  );
  linear(
    rec,
    { inp: a.attended, weight: w("out.weight"), bias: w("out.bias"), residual: x, out: a.mid },
    { m: n, k: width, n: width },
  );
  rec.plan.add(
    layernormForward(rec.caps),
    {
      inp: a.mid,
      weight: w("norm2.weight"),
      bias: w("norm2.bias"),
      out: a.normed2,
      mean: a.mean2,
      rstd: a.rstd2,
    },
    { n, c: width, eps: EPS },
  );
  linear(
    rec,
    { inp: a.normed2, weight: w("up.weight"), bias: w("up.bias"), out: a.inner },
    { m: n, k: width, n: ffn },
  );
  rec.plan.add(geluForward, { inp: a.inner, out: a.activated }, { n, c: ffn });
  linear(
    rec,
    { inp: a.activated, weight: w("down.weight"), bias: w("down.bias"), residual: a.mid, out: xNext },
    { m: n, k: ffn, n: width },
  );
}

function layerBackward(
  rec: Recording,
  shape: ModelArchitecture["vision"],
  w: TensorsByName,
  dw: TensorsByName,
  x: Tensor,
  a: LayerActivations,
  s: StackActivations,
  span: Tensor,
): void {
  const { width, ffn } = shape;
  const n = "patches";
  linearBackward(
    rec,
    {
      inp: a.activated,
      weight: w("down.weight"),
      dout: s.dx,
      dinp: s.dactivated,
      dweight: dw("down.weight"),
      dbias: dw("down.bias"),
    },
    { m: n, k: ffn, n: width },
  );
  rec.plan.add(geluBackward, { inp: a.inner, dout: s.dactivated, dinp: s.dinner }, { n, c: ffn });
  linearBackward(
    rec,
    {
      inp: a.normed2,
      weight: w("up.weight"),
      dout: s.dinner,
      dinp: s.dnormed,
      dweight: dw("up.weight"),
      dbias: dw("up.bias"),
    },
    { m: n, k: width, n: ffn },
  );
  normBackward(rec, { inp: a.mid, mean: a.mean2, rstd: a.rstd2 }, w, dw, "norm2", s, width);
  linearBackward(
    rec,
    {
      inp: a.attended,
      weight: w("out.weight"),
      dout: s.dx,
      dinp: s.dattended,
      dweight: dw("out.weight"),
      dbias: dw("out.bias"),
    },
    { m: n, k: width, n: width },
  );
  packedAttentionBackward(rec, shape, span, a, s, n);
  linearBackward(
    rec,
    {
      inp: a.normed1,
      weight: w("qkv.weight"),
      dout: s.dqkv,
      dinp: s.dnormed,
      dweight: dw("qkv.weight"),
      dbias: dw("qkv.bias"),
    },
    { m: n, k: width, n: 3 * width },
  );
  normBackward(rec, { inp: x, mean: a.mean1, rstd: a.rstd1 }, w, dw, "norm1", s, width);
}

function normBackward(
  { plan, caps }: Recording,
  t: { inp: Tensor; mean: Tensor; rstd: Tensor },
  w: TensorsByName,
  dw: TensorsByName,
  name: string,
  s: StackActivations,
  width: number,
): void {
  const shape = { n: "patches", c: width };
  plan.add(
    layernormBackwardWeight(caps),
    { ...t, dout: s.dnormed, dweight: dw(`${name}.weight`), dbias: dw(`${name}.bias`) },
    shape,
  );
  plan.add(
    layernormBackward(caps),
    { ...t, weight: w(`${name}.weight`), dout: s.dnormed, dinp: s.dx },
    shape,
  );
}
