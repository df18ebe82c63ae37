// One network: vision tower, token embedding, decoder, final norm on the prediction rows. The policy is one; a separate
// critic and the frozen reference are others with the same graph over other parameters.
import { embeddingBackward, embeddingForward } from "../../gpu/kernels/embedding.ts";
import { gatherRows } from "../../gpu/kernels/gather-rows.ts";
import { geluBackward, geluForward } from "../../gpu/kernels/gelu.ts";
import { rmsnormBackward, rmsnormBackwardWeight, rmsnormForward } from "../../gpu/kernels/rmsnorm.ts";
import { slice, type Tensor } from "../../gpu/memory.ts";
import type { ModelArchitecture } from "./architecture.ts";
import {
  type DecoderContext,
  decoderLayerBackward,
  decoderLayerForward,
  packedAttention,
  type TensorsByName,
} from "./decoder-layers.ts";
import { linear, linearBackward, linearTransposed, linearWeightGradient, type Recording } from "./ops.ts";
import type { ParameterLayout } from "./parameters.ts";
import { towerBackward, towerForward } from "./vision-tower.ts";
import type { Workspace } from "./workspace.ts";

/** Parameters (or gradients, or moments) of a flat buffer by name, under a prefix ("" or "critic."). */
export function tensorsByName(flat: Tensor, layout: ParameterLayout, prefix = ""): TensorsByName {
  return (name) => {
    const spec = layout.byName.get(prefix + name);
    if (!spec) throw new Error(`there is no parameter ${prefix}${name}`);
    return slice(flat, spec.offset, spec.length);
  };
}

const scoped =
  (tensors: TensorsByName, i: number): TensorsByName =>
  (name) =>
    tensors(`layers.${i}.${name}`);

export function decoderContext(
  rec: Recording,
  { decoder, normEps }: ModelArchitecture,
  ws: Workspace,
): DecoderContext {
  return {
    rec,
    shape: decoder,
    eps: normEps,
    positions: ws.inputs.positions,
    frequencies: ws.ropeFrequencies,
    span: ws.inputs.span,
  };
}

/** Embeds text and picture tokens into the first residual stream. */
export function embedTokens(
  { plan }: Recording,
  { decoder }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  pictures: Tensor,
): void {
  const { ids, patchOfToken } = ws.inputs;
  plan.add(
    embeddingForward,
    {
      ids,
      patch_of_token: patchOfToken,
      table: w("embed.weight"),
      patches: pictures,
      out: ws.decoder.x[0] as Tensor,
    },
    { n: "tokens", c: decoder.width },
  );
}

/** Final norm of `rows` (R, width) → `hidden`. */
export function finalNorm(
  { plan, caps }: Recording,
  { decoder, normEps }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  rows: Tensor,
  r: string,
): void {
  plan.add(
    rmsnormForward(caps),
    { inp: rows, weight: w("norm.weight"), out: ws.hidden, rstd: ws.rowRstd },
    { n: r, c: decoder.width, eps: normEps },
  );
}

/** Packed forward pass up to `ws.hidden`, the normed hidden states of the prediction rows. */
export function trunkForward(
  rec: Recording,
  architecture: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
): void {
  const context = decoderContext(rec, architecture, ws);
  const { decoder, inputs } = ws;
  embedTokens(rec, architecture, ws, w, towerForward(rec, architecture, ws, w));
  decoder.layers.forEach((a, i) => {
    decoderLayerForward(context, scoped(w, i), decoder.x[i] as Tensor, decoder.x[i + 1] as Tensor, a, () =>
      packedAttention(context, a),
    );
  });
  const last = decoder.x[decoder.layers.length] as Tensor;
  rec.plan.add(
    gatherRows,
    { inp: last, index: inputs.rowToken, out: ws.rows },
    { r: "rows", c: architecture.decoder.width },
  );
  finalNorm(rec, architecture, ws, w, ws.rows, "rows");
}

/** From `ws.dhidden` to the gradients of every trunk parameter. */
export function trunkBackward(
  rec: Recording,
  architecture: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  dw: TensorsByName,
): void {
  const { plan, caps } = rec;
  const { decoder, inputs } = ws;
  const { width } = architecture.decoder;
  const shape = { n: "rows", c: width };
  plan.add(
    rmsnormBackwardWeight(caps),
    { inp: ws.rows, rstd: ws.rowRstd, dout: ws.dhidden, dweight: dw("norm.weight") },
    shape,
  );
  plan.add(
    rmsnormBackward(caps),
    { inp: ws.rows, weight: w("norm.weight"), rstd: ws.rowRstd, dout: ws.dhidden, dinp: ws.drows },
    shape,
    { ACCUMULATE: 0 },
  );
  plan.add(
    gatherRows,
    { inp: ws.drows, index: inputs.rowOfToken, out: decoder.dx },
    { r: "tokens", c: width },
  );
  const context = decoderContext(rec, architecture, ws);
  for (let i = decoder.layers.length - 1; i >= 0; i--) {
    decoderLayerBackward(
      context,
      scoped(w, i),
      scoped(dw, i),
      decoder.x[i] as Tensor,
      decoder.layers[i]!,
      decoder,
    );
  }
  plan.add(
    embeddingBackward,
    { dout: decoder.dx, order: inputs.order, offsets: inputs.offsets, dtable: dw("embed.weight") },
    { v: architecture.vocabStride, c: width },
  );
  plan.add(
    gatherRows,
    { inp: decoder.dx, index: inputs.tokenOfPatch, out: ws.dpictureTokens },
    { r: "imageTokens", c: width },
  );
  towerBackward(rec, architecture, ws, w, dw);
}

/** logits (R, vocabStride) of `ws.hidden` into `out`. `r` names the number of rows. */
export function headForward(
  rec: Recording,
  { decoder, vocabStride, tied }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  out: Tensor,
  r = "rows",
): void {
  const { width } = decoder;
  if (tied)
    linearTransposed(
      rec,
      { dout: ws.hidden, weight: w("embed.weight"), dinp: out },
      { m: r, k: vocabStride, n: width },
    );
  else linear(rec, { inp: ws.hidden, weight: w("head.weight"), out }, { m: r, k: width, n: vocabStride });
}

/** `ws.logits` holds dlogits; writes `ws.dhidden` and the head's gradient. */
export function headBackward(
  rec: Recording,
  { decoder, vocabStride, tied }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  dw: TensorsByName,
): void {
  const { width } = decoder;
  if (tied) {
    linear(
      rec,
      { inp: ws.logits, weight: w("embed.weight"), out: ws.dhidden },
      { m: "rows", k: vocabStride, n: width },
    );
    linearWeightGradient(
      rec,
      { inp: ws.logits, dout: ws.hidden, dweight: dw("embed.weight") },
      { m: "rows", k: vocabStride, n: width },
    );
  } else {
    linearBackward(
      rec,
      {
        inp: ws.hidden,
        weight: w("head.weight"),
        dout: ws.logits,
        dinp: ws.dhidden,
        dweight: dw("head.weight"),
      },
      { m: "rows", k: width, n: vocabStride },
    );
  }
}

/** Value head on `ws.hidden`: linear, GELU, linear; column 0 of `ws.values` (R, 4) is the value. */
export function valueForward(
  rec: Recording,
  { decoder, valueHidden }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
): void {
  linear(
    rec,
    { inp: ws.hidden, weight: w("value.hidden.weight"), bias: w("value.hidden.bias"), out: ws.valueHidden },
    { m: "rows", k: decoder.width, n: valueHidden },
  );
  rec.plan.add(geluForward, { inp: ws.valueHidden, out: ws.valueActivated }, { n: "rows", c: valueHidden });
  linear(
    rec,
    { inp: ws.valueActivated, weight: w("value.out.weight"), bias: w("value.out.bias"), out: ws.values },
    { m: "rows", k: valueHidden, n: 4 },
  );
}

/**
 * From `ws.dvalues` to the value head's gradients, and to the trunk: "none" stops there, "add" adds to `ws.dhidden`,
 * "set" overwrites it (a separate critic has no other gradient).
 */
export function valueBackward(
  rec: Recording,
  { decoder, valueHidden }: ModelArchitecture,
  ws: Workspace,
  w: TensorsByName,
  dw: TensorsByName,
  trunk: "none" | "add" | "set",
): void {
  const m = "rows";
  linearBackward(
    rec,
    {
      inp: ws.valueActivated,
      weight: w("value.out.weight"),
      dout: ws.dvalues,
      dinp: ws.dvalueActivated,
      dweight: dw("value.out.weight"),
      dbias: dw("value.out.bias"),
    },
    { m, k: valueHidden, n: 4 },
  );
  rec.plan.add(
    geluBackward,
    { inp: ws.valueHidden, dout: ws.dvalueActivated, dinp: ws.dvalueHidden },
    { n: m, c: valueHidden },
  );
  const hidden = {
    inp: ws.hidden,
    weight: w("value.hidden.weight"),
    dout: ws.dvalueHidden,
    dweight: dw("value.hidden.weight"),
    dbias: dw("value.hidden.bias"),
  };
  linearBackward(
    rec,
    trunk === "none" ? hidden : { ...hidden, dinp: ws.dhidden },
    { m, k: decoder.width, n: valueHidden },
    trunk === "add",
  );
}
