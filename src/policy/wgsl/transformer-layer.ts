// One pre-norm transformer layer, of the decoder (RMSNorm, rotary attention, SwiGLU) or of the vision tower (LayerNorm, GELU).
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

/** The layer whose parameters are under `at` ("layers.0"), on `n` rows. */
export function transformerLayer(net: Network, at: string, n: RowCount, parts: LayerParts) {
  const { attention, activation } = parts;
  const [norm1, norm2] = [norm(net, `${at}.norm1`, n), norm(net, `${at}.norm2`, n)];
  const [qkv, out] = [linear(net, `${at}.qkv`, n), linear(net, `${at}.out`, n)];
  const [up, down] = [linear(net, `${at}.${parts.up}`, n), linear(net, `${at}.down`, n)];
  return {
    /** x → xNext. */
    forward(x: Tensor, xNext: Tensor, a: LayerActivations): void {
      norm1.forward(x, a.normed1, a.statistics1);
      qkv.forward(a.normed1, a.qkv);
      attention.forward(a);
      out.forward(a.attended, a.mid, x);
      norm2.forward(a.mid, a.normed2, a.statistics2);
      up.forward(a.normed2, a.inner);
      activation.forward(a.inner, a.activated);
      down.forward(a.activated, xNext, a.mid);
    },
    /** d.dx holds the gradient of the layer's output before, and that of its input x after. */
    backward(x: Tensor, a: LayerActivations, d: StackActivations): void {
      down.backward(a.activated, d.dx, d.dactivated);
      activation.backward(a.inner, d.dactivated, d.dinner);
      up.backward(a.normed2, d.dinner, d.dnormed);
      norm2.backward(a.mid, d.dnormed, d.dx, a.statistics2);
      out.backward(a.attended, d.dx, d.dattended);
      attention.backward(a, d);
      qkv.backward(a.normed1, d.dqkv, d.dnormed);
      norm1.backward(x, d.dnormed, d.dx, a.statistics1);
    },
  };
}
