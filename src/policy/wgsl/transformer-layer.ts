// One pre-norm transformer layer, of the decoder (RMSNorm, rotary attention, SwiGLU) or of the vision tower (LayerNorm, GELU).
import { gatherRows } from "../../gpu/kernels/gather-rows.ts";
import type { Tensor } from "../../gpu/memory.ts";
import { linear, type Network, norm } from "./layers.ts";
import type { RowCount } from "./ops.ts";
import type { LayerActivations, StackActivations } from "./workspace.ts";

/** From qkv to `attended`, and from dattended to dqkv. */
export interface Attention {
  forward(a: LayerActivations): void;
  backward(a: LayerActivations, d: StackActivations): void;
}

interface Activation {
  forward(inp: Tensor, out: Tensor): void;
  backward(inp: Tensor, dout: Tensor, dinp: Tensor): void;
}

/** What differs between stacks; `up` names the first linear layer of the feed-forward part. */
interface LayerParts {
  attention: Attention;
  activation: Activation;
  up: "up" | "gate_up";
}

/**
 * The rows of a stack's last layer whose output is read. Only they go on after its attention, where the others have served as
 * keys and values.
 */
export interface KeptRows {
  rows: RowCount;
  /** (rows) which row is kept, and (n) its inverse, −1 for the others. */
  index: Tensor;
  inverse: Tensor;
  /** Their part of `attended`, kept for the backward pass, and of the layer's input. */
  attended: Tensor;
  x: Tensor;
  /** Gradients of their part of `attended`, and of the layer's output. */
  dattended: Tensor;
  dx: Tensor;
}

/** Copies kept rows out of a tensor of all rows and back, with zeros for the others. */
function picking({ rec: { plan } }: Network, n: RowCount, { rows, index, inverse }: KeptRows) {
  return {
    pick: (inp: Tensor, out: Tensor, c: number): void =>
      plan.add(gatherRows, { inp, index, out }, { r: rows, c }),
    spread: (inp: Tensor, out: Tensor, c: number): void =>
      plan.add(gatherRows, { inp, index: inverse, out }, { r: n, c }),
  };
}

/** The layer whose parameters are under `at` ("layers.0"), on `n` rows; with `kept`, its output has these only. */
export function transformerLayer(net: Network, at: string, n: RowCount, parts: LayerParts, kept?: KeptRows) {
  const { attention, activation } = parts;
  const late = kept?.rows ?? n;
  const [norm1, norm2] = [norm(net, `${at}.norm1`, n), norm(net, `${at}.norm2`, late)];
  const [qkv, out] = [linear(net, `${at}.qkv`, n), linear(net, `${at}.out`, late)];
  const [up, down] = [linear(net, `${at}.${parts.up}`, late), linear(net, `${at}.down`, late)];
  const [columns = 0, width = 0] = net.parameters.shape(`${at}.out.weight`);
  const layer = {
    /** The first half up to `attended`. */
    attend(x: Tensor, a: LayerActivations): void {
      norm1.forward(x, a.normed1, a.statistics1);
      qkv.forward(a.normed1, a.qkv);
      attention.forward(a);
    },
    /** x → xNext. */
    forward(x: Tensor, xNext: Tensor, a: LayerActivations): void {
      layer.attend(x, a);
      if (kept) {
        const { pick } = picking(net, n, kept);
        pick(a.attended, kept.attended, columns);
        pick(x, kept.x, width);
      }
      out.forward(kept?.attended ?? a.attended, a.mid, kept?.x ?? x);
      norm2.forward(a.mid, a.normed2, a.statistics2);
      up.forward(a.normed2, a.inner);
      activation.forward(a.inner, a.activated);
      down.forward(a.activated, xNext, a.mid);
    },
    /** The gradient of the layer's output is in d.dx before, or in that of `kept`; afterwards d.dx has that of its input x. */
    backward(x: Tensor, a: LayerActivations, d: StackActivations): void {
      const dx = kept?.dx ?? d.dx;
      down.backward(a.activated, dx, d.dactivated);
      activation.backward(a.inner, d.dactivated, d.dinner);
      up.backward(a.normed2, d.dinner, d.dnormed);
      norm2.backward(a.mid, d.dnormed, dx, a.statistics2);
      out.backward(kept?.attended ?? a.attended, dx, kept?.dattended ?? d.dattended);
      if (kept) {
        const { spread } = picking(net, n, kept);
        spread(kept.dattended, d.dattended, columns);
        spread(kept.dx, d.dx, width);
      }
      attention.backward(a, d);
      qkv.backward(a.normed1, d.dqkv, d.dnormed);
      norm1.backward(x, d.dnormed, d.dx, a.statistics1);
    },
  };
  return layer;
}
