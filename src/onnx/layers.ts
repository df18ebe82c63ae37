// The layers of a policy as ONNX nodes. Twins: the kernels' twins in src/gpu/kernels; the order of columns is theirs.
import type { GraphBuilder, Value } from "./graph.ts";

/** A graph under construction and the policy's tensors. */
export interface Network {
  readonly graph: GraphBuilder;
  /** The tensor `name` as a constant of the graph. @throws CheckpointError when the checkpoint has no such tensor. */
  weight(name: string): Value;
  has(name: string): boolean;
}

/** inp · weight (+ bias), on any number of leading axes. */
export function linear({ graph, weight, has }: Network, name: string, inp: Value): Value {
  const product = graph.op("MatMul", [inp, weight(`${name}.weight`)]);
  return has(`${name}.bias`) ? graph.op("Add", [product, weight(`${name}.bias`)]) : product;
}

/** x · weight / √(mean(x²) + eps). */
export function rmsNorm({ graph, weight }: Network, name: string, inp: Value, eps: number): Value {
  const mean = graph.op("ReduceMean", [graph.op("Mul", [inp, inp])], { axes: [-1] });
  const root = graph.op("Sqrt", [graph.op("Add", [mean, graph.scalar(eps)])]);
  return graph.op("Mul", [graph.op("Div", [inp, root]), weight(`${name}.weight`)]);
}

const LAYER_NORM_EPS = 1e-6;

export function layerNorm({ graph, weight }: Network, name: string, inp: Value): Value {
  const inputs = [inp, weight(`${name}.weight`), weight(`${name}.bias`)];
  return graph.op("LayerNormalization", inputs, { axis: -1, epsilon: LAYER_NORM_EPS });
}

/** GELU in its tanh approximation. The operator Gelu is younger than the opset. */
export function gelu({ graph }: Network, x: Value): Value {
  const cube = graph.op("Mul", [graph.op("Mul", [x, x]), x]);
  const sum = graph.op("Add", [x, graph.op("Mul", [cube, graph.scalar(0.044715)])]);
  const tanh = graph.op("Tanh", [graph.op("Mul", [sum, graph.scalar(Math.sqrt(2 / Math.PI))])]);
  const half = graph.op("Mul", [x, graph.scalar(0.5)]);
  return graph.op("Mul", [half, graph.op("Add", [tanh, graph.scalar(1)])]);
}

/** (…, 2·ffn) → (…, ffn): SiLU of the first half, times the second. */
export function swiglu({ graph }: Network, inp: Value, ffn: number): Value {
  const [gate, up] = graph.split(inp, [ffn, ffn]);
  return graph.op("Mul", [graph.op("Mul", [gate, graph.op("Sigmoid", [gate])]), up]);
}

/** softmax(q · kᵀ / √headDim + bias) · v over the last two axes. */
export function attend(
  { graph }: Network,
  { q, k, v, bias, headDim }: { q: Value; k: Value; v: Value; bias?: Value; headDim: number },
): Value {
  // All callers bring keys with as many axes as queries; four (a picture's) or five (grouped queries).
  const axes = bias === undefined ? [0, 1, 3, 2] : [0, 1, 2, 4, 3];
  const scaled = graph.op("Mul", [q, graph.scalar(1 / Math.sqrt(headDim))]);
  const scores = graph.op("MatMul", [scaled, graph.op("Transpose", [k], { perm: axes })]);
  const masked = bias === undefined ? scores : graph.op("Add", [scores, bias]);
  return graph.op("MatMul", [graph.op("Softmax", [masked], { axis: -1 }), v]);
}
