// One network: vision tower, token embedding, decoder, final norm on the target positions, heads. The policy is one; a
// separate critic and the frozen ref policy are others with the same graph over other parameters.
//
// What is added to and what is overwritten, as everywhere in the graph:
// - Parameter gradients (dweight, dbias, dtable) are added to: micro-batches accumulate into one minibatch. The engine
//   clears them when a minibatch begins.
// - Activations and their gradients are overwritten. The exceptions: the residual gradient `dx` of a stack, to which the norms
//   of each layer add, and `ws.dhidden`, to which a value head on the policy adds (`valueBackward`).
// - Positions and rotations (`patch_position`, `rope`) and the losses (gradients over the logits) work in place.
import { embeddingBackward, embeddingForward } from "../../gpu/kernels/embedding.ts";
import { gatherRows } from "../../gpu/kernels/gather-rows.ts";
import { scaleGradient } from "../../gpu/kernels/scale-gradient.ts";
import type { Tensor } from "../../gpu/memory.ts";
import { attention, gelu, linear, type Network, norm, rope, swiglu, transposedLinear } from "./layers.ts";
import type { RowCount } from "./ops.ts";
import type { LossKind } from "./step-settings.ts";
import { type Attention, type KeptRows, transformerLayer } from "./transformer-layer.ts";
import { towerBackward, towerForward } from "./vision-tower.ts";
import type { LayerActivations, StackActivations } from "./workspace.ts";

/**
 * Embeds text and image tokens into the first residual stream.
 * @param patchOfToken (tokens) row of `images` for each image token, −1 for text.
 */
export function embedTokens(
  { rec, architecture, ws, parameters }: Network,
  images: Tensor,
  patchOfToken = ws.inputs.patchOfToken,
): void {
  const table = parameters.value("embed.weight");
  rec.plan.add(
    embeddingForward,
    {
      ids: ws.inputs.ids,
      patch_of_token: patchOfToken,
      table,
      patches: images,
      out: ws.decoder.x[0] as Tensor,
    },
    { n: "tokens", c: architecture.decoder.width },
  );
}

/**
 * Layer `i` of the decoder.
 * @param attend reads rotated queries and keys. Decoding passes attention over its cache; the default is attention within
 *   the micro-batch.
 */
export function decoderLayer(net: Network, i: number, attend?: Attention, kept?: KeptRows) {
  const { architecture, ws } = net;
  const { decoder } = architecture;
  const { forward, backward } = attend ?? attention(net, decoder, ws.inputs.span, "tokens");
  const rotary = rope(net, "tokens");
  const parts = {
    attention: {
      forward(a: LayerActivations) {
        rotary.forward(a.qkv);
        forward(a);
      },
      backward(a: LayerActivations, d: StackActivations) {
        backward(a, d);
        rotary.backward(d.dqkv);
      },
    },
    activation: swiglu(net, decoder.ffn, kept?.rows ?? "tokens"),
    up: "gate_up",
  } as const;
  return transformerLayer(net, `layers.${i}`, "tokens", parts, kept);
}

/** Layer `i` of a packed pass: after the attention of the last one, only target positions go on. */
function packedLayer(net: Network, i: number) {
  const { ws, architecture } = net;
  if (i < architecture.decoder.layers - 1) return decoderLayer(net, i);
  return decoderLayer(net, i, undefined, {
    rows: "targets",
    index: ws.inputs.tokenOfTarget,
    inverse: ws.inputs.targetOfToken,
    attended: ws.keptAttended,
    x: ws.keptX,
    dattended: ws.dkeptAttended,
    dx: ws.dkeptX,
  });
}

/** Final norm of `inp` (m, width) → `ws.hidden`. */
export function finalNorm(net: Network, inp: Tensor, m: RowCount): void {
  norm(net, "norm", m).forward(inp, net.ws.hidden, net.ws.finalStatistics);
}

/** Packed forward pass up to `ws.hidden`, the normed hidden states of the target positions. */
export function backboneForward(net: Network): void {
  const { x, layers } = net.ws.decoder;
  embedTokens(net, towerForward(net));
  layers.forEach((a, i) => {
    packedLayer(net, i).forward(x[i] as Tensor, x[i + 1] as Tensor, a);
  });
  finalNorm(net, x[layers.length] as Tensor, "targets");
}

/** From `ws.dhidden` to the gradients of every backbone parameter. */
export function backboneBackward(net: Network): void {
  const { rec, architecture, ws, parameters } = net;
  const { decoder, inputs } = ws;
  const c = architecture.decoder.width;
  const last = decoder.x[decoder.layers.length] as Tensor;
  norm(net, "norm", "targets").backward(last, ws.dhidden, ws.dkeptX, ws.finalStatistics, false);
  for (let i = decoder.layers.length - 1; i >= 0; i--)
    packedLayer(net, i).backward(decoder.x[i] as Tensor, decoder.layers[i] as LayerActivations, decoder);
  const { order, offsets, tokenOfPatch } = inputs;
  const table = { dout: decoder.dx, order, offsets, dtable: parameters.gradient("embed.weight") };
  rec.plan.add(embeddingBackward, table, { v: architecture.vocabStride, c });
  const images = { inp: decoder.dx, index: tokenOfPatch, out: ws.dpictureTokens };
  rec.plan.add(gatherRows, images, { r: "imageTokens", c });
  towerBackward(net);
}

const head = (net: Network, m: RowCount) =>
  net.architecture.tied ? transposedLinear(net, "embed", m) : linear(net, "head", m);

/** logits (m, vocabStride) of `ws.hidden` into `out`. */
export function headForward(net: Network, out: Tensor, m: RowCount = "targets"): void {
  head(net, m).forward(net.ws.hidden, out);
}

/** `ws.logits` holds dlogits; `ws.dhidden` =, the head's gradient +=. */
export function headBackward(net: Network): void {
  const { hidden, logits, dhidden } = net.ws;
  head(net, "targets").backward(hidden, logits, dhidden);
}

const valueLayers = (net: Network) => ({
  hidden: linear(net, "value.hidden", "targets"),
  activation: gelu(net, net.architecture.valueHidden, "targets"),
  out: linear(net, "value.out", "targets"),
});

/** Value head on `ws.hidden`: linear, GELU, linear; column 0 of `ws.values` (R, 4) is the value. */
export function valueForward(net: Network): void {
  const { ws } = net;
  const { hidden, activation, out } = valueLayers(net);
  hidden.forward(ws.hidden, ws.valueHidden);
  activation.forward(ws.valueHidden, ws.valueActivated);
  out.forward(ws.valueActivated, ws.values);
}

/**
 * From `ws.dvalues` to the value head's gradients, and to the backbone: "none" stops there, "whole" adds to `ws.dhidden`, "scaled"
 * adds `valueGradScale` times as much, "set" overwrites it (a separate critic has no other gradient).
 */
export function valueBackward(net: Network, backbone: LossKind["valueGradient"] | "set"): void {
  const { rec, ws, architecture } = net;
  const { hidden, activation, out } = valueLayers(net);
  out.backward(ws.valueActivated, ws.dvalues, ws.dvalueActivated);
  activation.backward(ws.valueHidden, ws.dvalueActivated, ws.dvalueHidden);
  // The head's own parameters have the whole gradient.
  hidden.backward(ws.hidden, ws.dvalueHidden);
  if (backbone === "none") return;
  if (backbone === "scaled") {
    const shape = { n: "targets", c: architecture.valueHidden } as const;
    rec.plan.add(scaleGradient, { grad: ws.dvalueHidden }, { ...shape, scale: "valueGradScale" });
  }
  hidden.backwardInput(ws.dvalueHidden, ws.dhidden, backbone !== "set");
}
