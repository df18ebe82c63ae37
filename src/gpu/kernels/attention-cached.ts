// Attention of new tokens over the key-value cache.
import cached from "#shaders/attention_cached.wgsl?raw";
import cachedGroup from "#shaders/attention_cached_group.wgsl?raw";
import attendWorkgroup from "#shaders/lib/attend_workgroup.wgsl?raw";
import reduce from "#shaders/lib/reduce.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { variants } from "./variant.ts";

const fields = {
  uniforms: { n: "u32", heads: "u32", kv_heads: "u32", t_max: "u32" },
  bindings: {
    qkv: "read",
    slot: "read",
    positions: "read",
    cache_k: "read",
    cache_v: "read",
    out: "read_write",
  },
  constants: { HEAD_VEC4: 8 },
} as const;

/**
 * out (N, H · D): token i over the cache rows 0 … positions[i] of its slot. One invocation, or one workgroup, per
 * (token, head).
 */
export const attentionCached = variants(
  defineKernel({
    label: "attention_cached",
    code: [cached],
    ...fields,
    grid: ({ n, heads }) => grid1d(n * heads, 16),
  }),
  defineKernel({
    label: "attention_cached_group",
    code: [cachedGroup, attendWorkgroup, reduce],
    ...fields,
    grid: ({ n, heads }) => grid1d(n * heads, 1),
  }),
);
