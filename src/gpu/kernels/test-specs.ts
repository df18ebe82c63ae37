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

/** Bytes of a type, whose array lengths are products and quotients of numbers and constants of the module. */
function bytesOf(type: string, constants: ReadonlyMap<string, string>): number {
  const [, inner, length] = /^array<(.+), ([^,>]+)>$/.exec(type) ?? [];
  if (inner === undefined || length === undefined)
    return { f32: 4, u32: 4, vec4f: 16, vec4u: 16, Pair: 32 }[type] ?? Number.NaN;
  const factor = (text: string): number => {
    const name = text.trim();
    return constants.has(name) ? product(constants.get(name) as string) : Number.parseInt(name, 10);
  };
  const quotient = (text: string): number =>
    text
      .split("/")
      .map(factor)
      .reduce((all, by) => all / by);
  const product = (text: string): number => text.split("*").reduce((all, part) => all * quotient(part), 1);
  return bytesOf(inner, constants) * product(length);
}

/** Bytes of workgroup memory that a kernel declares. */
export function workgroupBytes(source: string): number {
  const constants = new Map(
    [...source.matchAll(/^const (\w+)(?:: \w+)? = ([^;]+);/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const types = [...source.matchAll(/var<workgroup> \w+: ([^;]+);/g)].map(([, type = ""]) => type);
  return types.reduce((sum, type) => sum + bytesOf(type, constants), 0);
}
