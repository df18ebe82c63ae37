// The vision tower: patch embedding with learned row and column positions, zero or more pre-norm ViT layers
// (LayerNorm, GELU, attention within an image), merging of neighbouring patches, linear connector.
import { patchPositionBackward, patchPositionForward } from "../../gpu/kernels/patch-position.ts";
import { patchify } from "../../gpu/kernels/patchify.ts";
import { pixelShuffleBackward, pixelShuffleForward } from "../../gpu/kernels/pixel-shuffle.ts";
import type { Tensor } from "../../gpu/memory.ts";
import { attention, gelu, linear, type Network, norm } from "./layers.ts";
import { transformerLayer } from "./transformer-layer.ts";
import type { LayerActivations } from "./workspace.ts";

const P = "patches" as const;

function towerLayer(net: Network, i: number) {
  const { vision } = net.architecture;
  return transformerLayer(net, `vision.layers.${i}`, P, {
    attention: attention(net, vision, net.ws.inputs.visionSpan, P),
    activation: gelu(net, vision.ffn, P),
    up: "up",
  });
}

/** Adds the learned position of each patch to x, in place. */
function positions({ rec, architecture, parameters }: Network) {
  const { rows, cols, width } = architecture.vision;
  const shape = { p: P, c: width, grid_rows: rows, grid_cols: cols };
  return {
    forward(x: Tensor): void {
      const tables = {
        rows_table: parameters.value("vision.rows"),
        cols_table: parameters.value("vision.cols"),
      };
      rec.plan.add(patchPositionForward, { x, ...tables }, shape);
    },
    backward(dx: Tensor): void {
      const tables = {
        drows: parameters.gradient("vision.rows"),
        dcols: parameters.gradient("vision.cols"),
      };
      rec.plan.add(patchPositionBackward, { dx, ...tables }, shape);
    },
  };
}

/** merge × merge neighbouring patches become one row, merge² times as wide. */
function pixelShuffle({ rec: { plan }, architecture }: Network) {
  const { rows, cols, width, merge } = architecture.vision;
  const shape = { p: P, c: width, grid_rows: rows, grid_cols: cols, s: merge };
  return {
    forward: (inp: Tensor, out: Tensor): void => plan.add(pixelShuffleForward, { inp, out }, shape),
    backward: (dout: Tensor, dinp: Tensor): void => plan.add(pixelShuffleBackward, { dout, dinp }, shape),
  };
}

/** Images → image tokens at the decoder's width; returns the tensor that holds them. */
export function towerForward(net: Network): Tensor {
  const { rec, architecture, ws } = net;
  const { rows, cols, patch, layers, merge, connector } = architecture.vision;
  const { x, layers: activations } = ws.tower;
  const grid = { p: P, grid_rows: rows, grid_cols: cols, patch_size: patch };
  rec.plan.add(patchify, { pixels: ws.inputs.pixels, out: ws.patchPixels }, grid);
  linear(net, "vision.patch", P).forward(ws.patchPixels, x[0] as Tensor);
  positions(net).forward(x[0] as Tensor);
  activations.forEach((a, i) => {
    towerLayer(net, i).forward(x[i] as Tensor, x[i + 1] as Tensor, a);
  });
  let out = x[layers] as Tensor;
  if (layers > 0) {
    norm(net, "vision.norm", P).forward(out, ws.towerNormed, ws.towerStatistics);
    out = ws.towerNormed;
  }
  if (merge > 1) {
    pixelShuffle(net).forward(out, ws.merged);
    out = ws.merged;
  }
  if (!connector) return out;
  linear(net, "connector", "imageTokens").forward(out, ws.pictureTokens);
  return ws.pictureTokens;
}

/** From `dpictureTokens` to the gradients of every tower parameter. */
export function towerBackward(net: Network): void {
  const { architecture, ws } = net;
  const { layers, merge, connector } = architecture.vision;
  const { tower } = ws;
  let dout = ws.dpictureTokens;
  if (connector) {
    const inp = merge > 1 ? ws.merged : ws.towerNormed;
    linear(net, "connector", "imageTokens").backward(inp, dout, ws.dmerged);
    dout = ws.dmerged;
  }
  if (merge > 1) {
    const dinp = layers > 0 ? tower.dnormed : tower.dx;
    pixelShuffle(net).backward(dout, dinp);
    dout = dinp;
  }
  if (layers > 0) {
    const last = tower.x[layers] as Tensor;
    norm(net, "vision.norm", P).backward(last, dout, tower.dx, ws.towerStatistics, false);
    dout = tower.dx;
  }
  for (let i = layers - 1; i >= 0; i--)
    towerLayer(net, i).backward(tower.x[i] as Tensor, tower.layers[i] as LayerActivations, tower);
  positions(net).backward(dout);
  linear(net, "vision.patch", P).backward(ws.patchPixels, dout);
}
