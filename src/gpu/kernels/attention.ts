// Packed grouped-query attention: forward, and backward in three steps. Every kernel but the first backward step
// exists twice: with direct loads for software adapters, with tiles in workgroup memory for real GPUs.
import backwardDelta from "#shaders/attention_backward_delta.wgsl?raw";
import backwardKeyValue from "#shaders/attention_backward_key_value.wgsl?raw";
import backwardKeyValueStaged from "#shaders/attention_backward_key_value_staged.wgsl?raw";
import backwardQuery from "#shaders/attention_backward_query.wgsl?raw";
import backwardQueryStaged from "#shaders/attention_backward_query_staged.wgsl?raw";
import forward from "#shaders/attention_forward.wgsl?raw";
import forwardStaged from "#shaders/attention_forward_staged.wgsl?raw";
import attentionTiles from "#shaders/lib/attention_tiles.wgsl?raw";
import { defineKernel, grid1d, type KernelSpec } from "../kernel.ts";
import type { VariantCaps } from "./variant.ts";

const shape = {
  uniforms: { n: "u32", heads: "u32", kv_heads: "u32" },
  constants: { HEAD_VEC4: 8 },
} as const;

/** As `shape`, for kernels whose invocations handle TILE consecutive tokens. */
const tiledShape = { ...shape, constants: { ...shape.constants, TILE: 4 } } as const;

const forwardBindings = { qkv: "read", span: "read", out: "read_write", lse: "read_write" } as const;

/** out (N, H · D), lse (N, H) from qkv (N, (H + 2·HKV) · D); D = 4 · HEAD_VEC4. One invocation per (TILE tokens, head). */
const attentionForwardDirect = defineKernel({
  label: "attention_forward",
  code: [forward],
  ...tiledShape,
  bindings: forwardBindings,
  grid: ({ n, heads }, { TILE }) => grid1d(Math.ceil(n / TILE) * heads, 64),
});

/** As `attentionForwardDirect`, one workgroup per 64 queries of a head. */
const attentionForwardStaged = defineKernel({
  label: "attention_forward_staged",
  code: [forwardStaged, attentionTiles],
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

/** Query columns of dqkv, overwritten. One invocation per (TILE tokens, query head). */
const attentionBackwardQueryDirect = defineKernel({
  label: "attention_backward_query",
  code: [backwardQuery],
  ...tiledShape,
  bindings: backwardBindings,
  grid: ({ n, heads }, { TILE }) => grid1d(Math.ceil(n / TILE) * heads, 64),
});

/** As `attentionBackwardQueryDirect`, one workgroup per 64 queries of a head. */
const attentionBackwardQueryStaged = defineKernel({
  label: "attention_backward_query_staged",
  code: [backwardQueryStaged, attentionTiles],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, heads }) => [Math.ceil(n / 64), heads],
});

/** Key and value columns of dqkv, overwritten. One invocation per (TILE tokens, key head). */
const attentionBackwardKeyValueDirect = defineKernel({
  label: "attention_backward_key_value",
  code: [backwardKeyValue],
  ...tiledShape,
  bindings: backwardBindings,
  grid: ({ n, kv_heads }, { TILE }) => grid1d(Math.ceil(n / TILE) * kv_heads, 64),
});

/** As `attentionBackwardKeyValueDirect`, one workgroup per 32 keys of a key head. */
const attentionBackwardKeyValueStaged = defineKernel({
  label: "attention_backward_key_value_staged",
  code: [backwardKeyValueStaged],
  ...shape,
  bindings: backwardBindings,
  grid: ({ n, kv_heads }) => [Math.ceil(n / 32), kv_heads],
});

/**
 * Tokens per invocation of a direct kernel. A tile shares each loaded row, but its code grows with the head size and
 * drivers compile in more than linear time (docs/log.md): 4 up to a head size of 32, 2 up to 64, then 1.
 */
const tileFor = (headDim: number): number => Math.max(1, Math.min(4, Math.floor(128 / headDim)));

/** A function from the adapter and the head size D to the variant and its tile. */
function tiledOrStaged<U extends string, B extends string>(
  direct: KernelSpec<U, B, "HEAD_VEC4" | "TILE">,
  staged: KernelSpec<U, B, "HEAD_VEC4">,
): (caps: VariantCaps, headDim?: number) => KernelSpec<U, B, "HEAD_VEC4"> {
  return ({ software }, headDim = 32) => {
    if (!software) return staged;
    const constants = { ...direct.constants, TILE: tileFor(headDim) };
    const grid: typeof staged.grid = (uniforms, given) => direct.grid(uniforms, { ...constants, ...given });
    return { ...direct, constants, grid };
  };
}

export const attentionForward = tiledOrStaged(attentionForwardDirect, attentionForwardStaged);
export const attentionBackwardQuery = tiledOrStaged(
  attentionBackwardQueryDirect,
  attentionBackwardQueryStaged,
);
export const attentionBackwardKeyValue = tiledOrStaged(
  attentionBackwardKeyValueDirect,
  attentionBackwardKeyValueStaged,
);
