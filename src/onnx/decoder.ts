// The decoder as ONNX nodes: attention over a KV cache that comes in as inputs and leaves as outputs. Twin: `hiddenRef` of
// src/policy/wgsl/model.ref.ts.
import type { ModelArchitecture, StackShape } from "../policy/wgsl/architecture.ts";
import type { GraphBuilder, Value } from "./graph.ts";
import { attend, linear, type Network, rmsNorm, swiglu } from "./layers.ts";

/** Added to the score of a later token; exp of it is 0. */
const MASKED = -1e9;

/** What all layers share: rotations (1, s, headDim / 2) of the new tokens, and the causal bias (s, past + s). */
interface Shared {
  cos: Value;
  sin: Value;
  bias: Value;
}

/** @param x (1, s, width) embedded tokens. @returns the normed hidden states (1, s, width). */
export function decode(net: Network, architecture: ModelArchitecture, x: Value, positionIds: Value): Value {
  const { graph } = net;
  const { decoder, normEps } = architecture;
  const pasts = Array.from({ length: decoder.layers }, (_, i) => pastOf(graph, decoder, i));
  const shared = {
    cos: graph.op("Gather", [net.weight("rope.cos"), positionIds], { axis: 0 }),
    sin: graph.op("Gather", [net.weight("rope.sin"), positionIds], { axis: 0 }),
    bias: causalBias(graph, positionIds, pasts[0].key),
  };
  let out = x;
  pasts.forEach((past, i) => {
    const at = `layers.${i}`;
    const qkv = linear(net, `${at}.qkv`, rmsNorm(net, `${at}.norm1`, out, normEps));
    const { attended, present } = cachedAttention(net, decoder, qkv, past, shared);
    const mid = graph.op("Add", [linear(net, `${at}.out`, attended), out]);
    const inner = linear(net, `${at}.gate_up`, rmsNorm(net, `${at}.norm2`, mid, normEps));
    out = graph.op("Add", [linear(net, `${at}.down`, swiglu(net, inner, decoder.ffn)), mid]);
    for (const part of ["key", "value"] as const)
      graph.output(`present.${i}.${part}`, present[part], cacheShape(decoder, "total_length"));
  });
  return rmsNorm(net, "norm", out, normEps);
}

const cacheShape = ({ kvHeads, headDim }: StackShape, length: string) => [1, kvHeads, length, headDim];

interface Cache {
  key: Value;
  value: Value;
}

const pastOf = (graph: GraphBuilder, decoder: StackShape, i: number): Cache => ({
  key: graph.input(`past_key_values.${i}.key`, "float", cacheShape(decoder, "past_length")),
  value: graph.input(`past_key_values.${i}.value`, "float", cacheShape(decoder, "past_length")),
});

/** (s, past + s): 0 where new token t may attend, to all of the cache and the new tokens up to itself. */
function causalBias(graph: GraphBuilder, newTokens: Value, pastKey: Value): Value {
  const lengthOf = (value: Value, axis: number) =>
    graph.op("Gather", [graph.op("Shape", [value]), graph.int(axis)], { axis: 0 });
  const past = lengthOf(pastKey, 2);
  const total = graph.op("Add", [past, lengthOf(newTokens, 1)]);
  const keys = graph.op("Range", [graph.int(0), total, graph.int(1)]);
  const queries = graph.op("Unsqueeze", [graph.op("Range", [past, total, graph.int(1)]), graph.ints([1])]);
  const isVisible = graph.op("LessOrEqual", [keys, queries]);
  return graph.op("Where", [isVisible, graph.scalar(0), graph.scalar(MASKED)]);
}

/** Grouped-query attention: axes are (1, kv heads, queries of a group, tokens, headDim). */
function cachedAttention(net: Network, shape: StackShape, qkv: Value, past: Cache, shared: Shared) {
  const { graph } = net;
  const { heads, kvHeads, headDim } = shape;
  const group = heads / kvHeads;
  const [q, k, v] = graph.split(qkv, [heads * headDim, kvHeads * headDim, kvHeads * headDim]);
  const perHead = (value: Value) =>
    graph.op("Transpose", [graph.op("Reshape", [value, graph.ints([1, -1, kvHeads, headDim])])], {
      perm: [0, 2, 1, 3],
    });
  const queries = graph.op(
    "Transpose",
    [graph.op("Reshape", [q, graph.ints([1, -1, kvHeads, group, headDim])])],
    { perm: [0, 2, 3, 1, 4] },
  );
  const present = {
    key: graph.op("Concat", [past.key, rotate(net, perHead(k), headDim, shared)], { axis: 2 }),
    value: graph.op("Concat", [past.value, perHead(v)], { axis: 2 }),
  };
  // Every query of a group reads the same keys and values.
  const forGroup = (value: Value) => graph.op("Unsqueeze", [value, graph.ints([2])]);
  const out = attend(net, {
    q: rotate(net, queries, headDim, shared),
    k: forGroup(present.key),
    v: forGroup(present.value),
    bias: shared.bias,
    headDim,
  });
  const rows = graph.op("Transpose", [out], { perm: [0, 3, 1, 2, 4] });
  return { attended: graph.op("Reshape", [rows, graph.ints([1, -1, heads * headDim])]), present };
}

/** Rotary positions in Llama's pairing: element i turns with element i + headDim / 2. */
function rotate({ graph }: Network, value: Value, headDim: number, { cos, sin }: Shared): Value {
  const [a, b] = graph.split(value, [headDim / 2, headDim / 2]);
  const times = (x: Value, y: Value) => graph.op("Mul", [x, y]);
  const first = graph.op("Sub", [times(a, cos), times(b, sin)]);
  const second = graph.op("Add", [times(b, cos), times(a, sin)]);
  return graph.op("Concat", [first, second], { axis: -1 });
}
