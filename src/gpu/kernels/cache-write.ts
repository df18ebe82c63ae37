// Appending to the key-value cache of decoding.
import write from "#shaders/cache_write.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** Copies the (rotated) keys and values of qkv (N, (H + 2·HKV) · D) to row (slot, position) of both caches. */
export const cacheWrite = defineKernel({
  label: "cache_write",
  code: [write],
  uniforms: { n: "u32", heads: "u32", kv_heads: "u32", head_dim: "u32", t_max: "u32" },
  bindings: { qkv: "read", slot: "read", positions: "read", cache_k: "read_write", cache_v: "read_write" },
  grid: ({ n, kv_heads, head_dim }) => grid1d((n * kv_heads * head_dim) / 4, 64),
});
