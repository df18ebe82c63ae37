// Test helpers of row and column kernels: specs against their WGSL, rows. Imported by tests only.
import { expect } from "vitest";
import type { BindingAccess, KernelSpec, UniformType } from "../kernel.ts";

/** Storage bindings as written in the WGSL. */
function storageBindings(code: string): [name: string, access: BindingAccess][] {
  const pattern = /@group\(0\) @binding\((\d+)\)\s*var<storage, (read|read_write)> (\w+)/g;
  return [...code.matchAll(pattern)]
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map((m) => [m[3] as string, m[2] as BindingAccess]);
}

/** Fields of the uniform struct as written in the WGSL (`struct Shape { … }` bound at binding 0). */
function uniformFields(code: string): [name: string, type: UniformType][] {
  const struct = /@binding\(0\)\s*var<uniform> \w+: (\w+);/.exec(code)?.[1];
  if (!struct) return [];
  const body = new RegExp(`struct ${struct} \\{([^}]*)\\}`).exec(code)?.[1] ?? "";
  return [...body.matchAll(/(\w+): (u32|f32)/g)].map((m) => [m[1] as string, m[2] as UniformType]);
}

/** Fails unless the bindings and uniforms of `spec` are those of its shader, in order. */
export function expectSpecAgrees<U extends string, B extends string, C extends string>(
  spec: KernelSpec<U, B, C>,
): void {
  const code = spec.code.join("\n");
  expect(storageBindings(code), spec.label).toEqual(Object.entries(spec.bindings));
  expect(uniformFields(code), spec.label).toEqual(Object.entries(spec.uniforms));
}

export const bothVariants = <Serial, Workgroup>(variants: { serial: Serial; workgroup: Workgroup }) => [
  variants.serial,
  variants.workgroup,
];

export { paddedLogits, ROW_SHAPES, randomTargets, scatter } from "../../conformance/inputs.ts";
