// Layers as handles that know their shape, their parameters and the gradients of these. A graph is built by calling
// `forward` and `backward` of its layers; each call appends dispatches to the plan that is being recorded.
import {
  attentionBackwardDelta,
  attentionBackwardKeyValue,
  attentionBackwardQuery,
  attentionForward,
} from "../../gpu/kernels/attention.ts";
import { columnSum } from "../../gpu/kernels/column-sum.ts";
import { geluBackward, geluForward } from "../../gpu/kernels/gelu.ts";
import { layernormBackward, layernormBackwardWeight, layernormForward } from "../../gpu/kernels/layernorm.ts";
import { rmsnormBackward, rmsnormBackwardWeight, rmsnormForward } from "../../gpu/kernels/rmsnorm.ts";
import { rope as ropeKernel } from "../../gpu/kernels/rope.ts";
import { swigluBackward, swigluForward } from "../../gpu/kernels/swiglu.ts";
import { readsAhead } from "../../gpu/kernels/variant.ts";
import { slice, type Tensor } from "../../gpu/memory.ts";
import type { ModelArchitecture, StackShape } from "./architecture.ts";
import type { ModelParts } from "./engine-buffers.ts";
import {
  linearBackwardInput,
  linearBackwardWeight,
  linearForward,
  type Recording,
  type RowCount,
} from "./ops.ts";
import type { LayerActivations, NormStatistics, StackActivations, Workspace } from "./workspace.ts";

/** The parameters of one network and their gradients, by name. */
interface Parameters {
  has(name: string): boolean;
  shape(name: string): readonly number[];
  value(name: string): Tensor;
  gradient(name: string): Tensor;
}

/** What a graph is built from: where it is recorded, its parameters and its buffers. */
export interface Network {
  readonly rec: Recording;
  readonly architecture: ModelArchitecture;
  readonly ws: Workspace;
  readonly parameters: Parameters;
}

/**
 * The network of `model` over a flat buffer of parameters. Every name is looked up under `prefix` ("" or "critic.").
 * Gradients are those of `buffers.grads`, where only a network over `buffers.params` has any.
 */
export function networkOf(rec: Recording, model: ModelParts, values: Tensor, prefix = ""): Network {
  const { layout, grads, params, ws } = model.buffers;
  const find = (name: string) => {
    const spec = layout.byName.get(prefix + name);
    if (!spec) throw new Error(`there is no parameter ${prefix}${name}`);
    return spec;
  };
  const view = (flat: Tensor, name: string) => slice(flat, find(name).offset, find(name).length);
  const parameters: Parameters = {
    has: (name) => layout.byName.has(prefix + name),
    shape: (name) => find(name).shape,
    value: (name) => view(values, name),
    gradient(name) {
      if (values !== params) throw new Error(`${prefix}${name} has no gradient: this network is not trained`);
      return view(grads, name);
    },
  };
  return { rec, architecture: model.architecture, ws, parameters };
}

/** The weight of layer `name`, with its dimensions. */
function matrix({ parameters }: Network, name: string) {
  const [rows = 0, columns = 0] = parameters.shape(`${name}.weight`);
  return { weight: parameters.value(`${name}.weight`), rows, columns };
}

/** Linear layer `name` on `m` rows, with a bias where the layout has one. */
export function linear(net: Network, name: string, m: RowCount) {
  const { rec, parameters } = net;
  const { weight, rows: k, columns: n } = matrix(net, name);
  const shape = { m, k, n };
  const hasBias = parameters.has(`${name}.bias`);
  /** dinp =, or += when `accumulate`. */
  const backwardInput = (dout: Tensor, dinp: Tensor, accumulate: boolean): void =>
    linearBackwardInput(rec, { dout, weight, dinp }, shape, accumulate);
  return {
    /** out = inp · weight (+ bias) (+ residual). */
    forward(inp: Tensor, out: Tensor, residual?: Tensor): void {
      const bias = hasBias ? parameters.value(`${name}.bias`) : undefined;
      linearForward(rec, { inp, weight, bias, residual, out }, shape);
    },
    /** dweight and dbias +=; dinp =, or += when `accumulate`, or not computed when absent. */
    backward(inp: Tensor, dout: Tensor, dinp?: Tensor, accumulate = false): void {
      if (dinp) backwardInput(dout, dinp, accumulate);
      linearBackwardWeight(rec, { inp, dout, dweight: parameters.gradient(`${name}.weight`) }, shape);
      if (hasBias) {
        const out = parameters.gradient(`${name}.bias`);
        rec.plan.add(columnSum(rec.caps), { inp: dout, out }, { n: m, c: n });
      }
    },
    backwardInput,
  };
}

/** A layer without bias that multiplies by the transpose of the weight (n, k) of `name`: a tied head. */
export function transposedLinear(net: Network, name: string, m: RowCount) {
  const { weight, rows: n, columns: k } = matrix(net, name);
  const shape = { m, k: n, n: k };
  return {
    /** out = inp · weightᵀ. */
    forward(inp: Tensor, out: Tensor): void {
      linearBackwardInput(net.rec, { dout: inp, weight, dinp: out }, shape);
    },
    /** dinp =, dweight +=. */
    backward(inp: Tensor, dout: Tensor, dinp: Tensor): void {
      linearForward(net.rec, { inp: dout, weight, out: dinp }, shape);
      const dweight = net.parameters.gradient(`${name}.weight`);
      linearBackwardWeight(net.rec, { inp: dout, dout: inp, dweight }, shape);
    },
  };
}

/** A norm of `n` rows: LayerNorm where the layout has a bias for `name`, otherwise RMSNorm. */
export const norm = (net: Network, name: string, n: RowCount) =>
  net.parameters.has(`${name}.bias`) ? layerNorm(net, name, n) : rmsNorm(net, name, n);

function rmsNorm({ rec, architecture, parameters }: Network, name: string, n: RowCount) {
  const { plan, caps } = rec;
  const weight = parameters.value(`${name}.weight`);
  const shape = { n, c: weight.length };
  return {
    /** out =, and the statistics that `backward` reads. */
    forward(inp: Tensor, out: Tensor, { rstd }: NormStatistics): void {
      plan.add(rmsnormForward(caps), { inp, weight, out, rstd }, { ...shape, eps: architecture.normEps });
    },
    /** dweight +=; dinp +=, or = without `accumulate`. */
    backward(inp: Tensor, dout: Tensor, dinp: Tensor, { rstd }: NormStatistics, accumulate = true): void {
      const dweight = parameters.gradient(`${name}.weight`);
      plan.add(rmsnormBackwardWeight(caps), { inp, rstd, dout, dweight }, shape);
      const ACCUMULATE = accumulate ? 1 : 0;
      plan.add(rmsnormBackward(caps), { inp, weight, rstd, dout, dinp }, shape, { ACCUMULATE });
    },
  };
}

const LAYER_NORM_EPS = 1e-6;

function layerNorm({ rec, parameters }: Network, name: string, n: RowCount): ReturnType<typeof rmsNorm> {
  const { plan, caps } = rec;
  const weight = parameters.value(`${name}.weight`);
  const shape = { n, c: weight.length };
  return {
    forward(inp, out, { mean, rstd }) {
      const bias = parameters.value(`${name}.bias`);
      const bound = { inp, weight, bias, out, mean, rstd };
      plan.add(layernormForward(caps), bound, { ...shape, eps: LAYER_NORM_EPS });
    },
    backward(inp, dout, dinp, { mean, rstd }, accumulate = true) {
      const [dweight, dbias] = [parameters.gradient(`${name}.weight`), parameters.gradient(`${name}.bias`)];
      plan.add(layernormBackwardWeight(caps), { inp, mean, rstd, dout, dweight, dbias }, shape);
      const ACCUMULATE = accumulate ? 1 : 0;
      plan.add(layernormBackward(caps), { inp, weight, mean, rstd, dout, dinp }, shape, { ACCUMULATE });
    },
  };
}

/** Attention within the sequences that `span` (n, 4) describes; queries, keys and values are the columns of qkv. */
export function attention({ rec }: Network, shape: StackShape, span: Tensor, n: RowCount) {
  const { plan, caps } = rec;
  const { heads, kvHeads, headDim } = shape;
  const uniforms = { n, heads, kv_heads: kvHeads };
  const constants = { HEAD_VEC4: headDim / 4 };
  return {
    /** attended =, lse =. */
    forward({ qkv, attended: out, lse }: LayerActivations): void {
      plan.add(attentionForward(caps, headDim), { qkv, span, out, lse }, uniforms, constants);
    },
    /** dqkv = from dattended. */
    backward({ qkv, attended, lse }: LayerActivations, { dattended, delta, dqkv }: StackActivations): void {
      const bound = { qkv, span, dout: dattended, lse, delta, dqkv };
      plan.add(attentionBackwardDelta, { dout: dattended, out: attended, delta }, { n, heads }, constants);
      plan.add(attentionBackwardQuery(caps, headDim), bound, uniforms, constants);
      plan.add(attentionBackwardKeyValue(caps, headDim), bound, uniforms, constants);
    },
  };
}

/** Rotary positions of the queries and keys in qkv, which is rotated in place. */
export function rope({ rec, architecture, ws }: Network, n: RowCount) {
  const { heads, kvHeads, headDim } = architecture.decoder;
  const shape = { n, heads: heads + kvHeads, stride: (heads + 2 * kvHeads) * headDim, head_dim: headDim };
  const rotate = (qkv: Tensor, direction: 1 | -1) => {
    const bound = { qkv, positions: ws.inputs.positions, frequencies: ws.ropeFrequencies };
    rec.plan.add(ropeKernel, bound, { ...shape, direction }, readsAhead(rec.caps));
  };
  return {
    forward: (qkv: Tensor): void => rotate(qkv, 1),
    /** Rotates the gradient back. */
    backward: (dqkv: Tensor): void => rotate(dqkv, -1),
  };
}

/** GELU on (n, c). */
export function gelu({ rec: { plan } }: Network, c: number, n: RowCount) {
  return {
    forward: (inp: Tensor, out: Tensor): void => plan.add(geluForward, { inp, out }, { n, c }),
    backward: (inp: Tensor, dout: Tensor, dinp: Tensor): void =>
      plan.add(geluBackward, { inp, dout, dinp }, { n, c }),
  };
}

/** SiLU of the gate times up: (n, 2·f) → (n, f). */
export function swiglu({ rec: { plan } }: Network, f: number, n: RowCount) {
  return {
    forward: (inp: Tensor, out: Tensor): void => plan.add(swigluForward, { inp, out }, { n, f }),
    backward: (inp: Tensor, dout: Tensor, dinp: Tensor): void =>
      plan.add(swigluBackward, { inp, dout, dinp }, { n, f }),
  };
}
