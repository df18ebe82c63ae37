// Packed grouped-query attention: forward, and backward in three steps. Every kernel but the first backward step
// exists twice: with direct loads for software adapters, with tiles in workgroup memory for real GPUs.
import backwardDelta from "#shaders/attention_backward_delta.wgsl?raw";
import backwardKeyValue from "#shaders/attention_backward_key_value.wgsl?raw";
import backwardKeyValueStaged from "#shaders/attention_backward_key_value_staged.wgsl?raw";
import backwardQuery from "#shaders/attention_backward_query.wgsl?raw";
import backwardQueryStaged from "#shaders/attention_backward_query_staged.wgsl?raw";
import forward from "#shaders/attention_forward.wgsl?raw";
import forwardStaged from "#shaders/attention_forward_staged.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { byAdapter } from "./variant.ts";

const shape = {
  uniforms: { n: "u32", heads: "u32", kv_heads: "u32" },
  constants: { HEAD_VEC4: 8 },
} as const;

const forwardBindings = { qkv: "read", span: "read", out: "read_write", lse: "read_write" } as const;

/** out (N, H · D) and lse (N, H) from qkv (N, (H + 2·HKV) · D); HEAD_VEC4 = D / 4. One invocation per (token, head). */
export const attentionForwardDirect = defineKernel({
  label: "attention_forward",
  code: [forward],
  ...shape,
  bindings: forwardBindings,
  grid: ({ n, heads }) => grid1d(n * heads, 64),
});

/** As `attentionForwardDirect`, one workgroup per 64 queries of a head. */
export const attentionForwardStaged = defineKernel({
  label: "attention_forward_staged",
  code: [forwardStaged],
  ...shape,
  bindings: forwardBindings,
  grid: ({ n, heads }) => [Math.ceil(n / 64), heads],
});

/** delta (N, H) = Σ over each head of dout · out. */
export const attentionBackwardDelta = defineKernel({
  label: "attention_backward_delta",
  code: [backwardDelta],
  uniforms: { n: "u32", heads: "u32" },
  constants: { HEAD_VEC4: 8 },
  bindings: { dout: "read", out: "read", delta: "read_write" },
  grid: ({ n, heads }) => grid1d(n * heads, 64),
});

const backwardBindings = {
  qkv: "read",
  span: "read",
  dout: "read",
  lse: "read",
  delta: "read",
  dqkv: "read_write",
} as const;

/** Query columns of dqkv, overwritten. One invocation per (token, query head). */
export const attentionBackwardQueryDirect = defineKernel({
  label: "attention_backward_query",
  code: [backwardQuery],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, heads }) => grid1d(n * heads, 64),
});

/** As `attentionBackwardQueryDirect`, one workgroup per 64 queries of a head. */
export const attentionBackwardQueryStaged = defineKernel({
  label: "attention_backward_query_staged",
  code: [backwardQueryStaged],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, heads }) => [Math.ceil(n / 64), heads],
});

/** Key and value columns of dqkv, overwritten. One invocation per (token, key head). */
export const attentionBackwardKeyValueDirect = defineKernel({
  label: "attention_backward_key_value",
  code: [backwardKeyValue],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, kv_heads }) => grid1d(n * kv_heads, 64),
});

/** As `attentionBackwardKeyValueDirect`, one workgroup per 32 keys of a key head. */
export const attentionBackwardKeyValueStaged = defineKernel({
  label: "attention_backward_key_value_staged",
  code: [backwardKeyValueStaged],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, kv_heads }) => [Math.ceil(n / 32), kv_heads],
});

export const attentionForward = byAdapter(attentionForwardDirect, attentionForwardStaged);
export const attentionBackwardQuery = byAdapter(attentionBackwardQueryDirect, attentionBackwardQueryStaged);
export const attentionBackwardKeyValue = byAdapter(
  attentionBackwardKeyValueDirect,
  attentionBackwardKeyValueStaged,
);
