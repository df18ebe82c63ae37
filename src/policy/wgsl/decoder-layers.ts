// One layer of the Llama-style decoder: pre-RMSNorm, rotary grouped-query attention, SwiGLU.
import type { Tensor } from "../../gpu/memory.ts";
import { attention, linear, type Network, norm, rope, swiglu } from "./layers.ts";
import type { LayerActivations, StackActivations } from "./workspace.ts";

const N = "tokens";

/**
 * Layer `i` of the decoder.
 * @param attend replaces attention within the micro-step, for decoding over a cache: it reads the rotated qkv and writes
 *   `attended`. Such a layer has no backward pass.
 */
export function decoderLayer(net: Network, i: number, attend?: (a: LayerActivations) => void) {
  const { decoder } = net.architecture;
  const [norm1, norm2] = [norm(net, `layers.${i}.norm1`, N), norm(net, `layers.${i}.norm2`, N)];
  const [qkv, out] = [linear(net, `layers.${i}.qkv`, N), linear(net, `layers.${i}.out`, N)];
  const [gateUp, down] = [linear(net, `layers.${i}.gate_up`, N), linear(net, `layers.${i}.down`, N)];
  const [rotary, activation] = [rope(net, N), swiglu(net, decoder.ffn, N)];
  const packed = attention(net, decoder, net.ws.inputs.span, N);
  return {
    /** x → xNext. */
    forward(x: Tensor, xNext: Tensor, a: LayerActivations): void {
      norm1.forward(x, a.normed1, a.statistics1);
      qkv.forward(a.normed1, a.qkv);
      rotary.forward(a.qkv);
      if (attend) attend(a);
      else packed.forward(a);
      out.forward(a.attended, a.mid, x);
      norm2.forward(a.mid, a.normed2, a.statistics2);
      gateUp.forward(a.normed2, a.inner);
      activation.forward(a.inner, a.activated);
      down.forward(a.activated, xNext, a.mid);
    },
    /** d.dx holds the gradient of the layer's output before, and that of its input x after. */
    backward(x: Tensor, a: LayerActivations, d: StackActivations): void {
      down.backward(a.activated, d.dx, d.dactivated);
      activation.backward(a.inner, d.dactivated, d.dinner);
      gateUp.backward(a.normed2, d.dinner, d.dnormed);
      norm2.backward(a.mid, d.dnormed, d.dx, a.statistics2);
      out.backward(a.attended, d.dx, d.dattended);
      packed.backward(a, d);
      rotary.backward(d.dqkv);
      qkv.backward(a.normed1, d.dqkv, d.dnormed);
      norm1.backward(x, d.dnormed, d.dx, a.statistics1);
    },
  };
}
