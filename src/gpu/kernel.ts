// A kernel: WGSL text plus what the host must know to bind and dispatch it. Pure data; no device here.
import { unroll } from "./unroll.ts";

export type UniformType = "u32" | "f32";
export type BindingAccess = "read" | "read_write";
export type Grid = readonly [x: number, y?: number, z?: number];

/**
 * Everything the host knows about one kernel. The WGSL is the truth: binding 0 is the uniform struct with the fields
 * of `uniforms` in order (absent when there are none), storage bindings follow in the order of `bindings`.
 */
export interface KernelSpec<U extends string = string, B extends string = string, C extends string = string> {
  readonly label: string;
  /** Kernel first, helpers from shaders/lib after it: WGSL ignores the order, and error lines match the file. */
  readonly code: readonly string[];
  readonly uniforms: Readonly<Record<U, UniformType>>;
  readonly bindings: Readonly<Record<B, BindingAccess>>;
  /** Module-scope `const`s that may be set per pipeline, with their defaults. */
  readonly constants: Readonly<Record<C, number>>;
  /** Workgroups to dispatch, from the uniform values and the constants. */
  readonly grid: (uniforms: Readonly<Record<U, number>>, constants: Readonly<Record<C, number>>) => Grid;
}

/** Fixes the type parameters of a kernel from its fields. */
export function defineKernel<U extends string, B extends string, C extends string = never>(
  spec: Omit<KernelSpec<U, B, C>, "constants"> & { constants?: Readonly<Record<C, number>> },
): KernelSpec<U, B, C> {
  return { ...spec, constants: spec.constants ?? ({} as Record<C, number>) };
}

const MAX_GROUPS = 65535;

/** Workgroups for `count` items of `perGroup` each, folded into y above the limit of 65,535 per dimension. */
export function grid1d(count: number, perGroup: number): Grid {
  const groups = Math.max(1, Math.ceil(count / perGroup));
  if (groups <= MAX_GROUPS) return [groups, 1, 1];
  const y = Math.ceil(groups / MAX_GROUPS);
  return [Math.ceil(groups / y), y, 1];
}

const CONSTANT = /^const ([A-Z][A-Z0-9_]*)(: \w+)? = ([^;]+);/gm;

/** Texts by kernel and constants. A model has each kernel in every layer and pass, and to expand one takes milliseconds. */
const texts = new WeakMap<KernelSpec, Map<string, string>>();

/** The WGSL text of a kernel with `constants` baked in and marked loops unrolled. */
export function kernelSource(spec: KernelSpec, constants: Readonly<Record<string, number>> = {}): string {
  const known = texts.get(spec) ?? new Map<string, string>();
  texts.set(spec, known);
  const key = Object.entries(constants).join();
  const text = known.get(key) ?? expanded(spec, constants);
  known.set(key, text);
  return text;
}

function expanded(spec: KernelSpec, constants: Readonly<Record<string, number>>): string {
  const values: Record<string, number> = { ...spec.constants, ...constants };
  const known = new Map<string, number>();
  const joined = spec.code
    .join("\n")
    .replace(CONSTANT, (line, name: string, type: string | undefined, value: string) => {
      const given = values[name];
      const literal = given ?? Number(value.replace(/[uf]$/, ""));
      if (Number.isFinite(literal)) known.set(name, literal);
      if (given === undefined) return line;
      const float = type?.includes("f32");
      return `const ${name}${type ?? ""} = ${float && Number.isInteger(given) ? `${given}.0` : given};`;
    });
  for (const name of Object.keys(values)) {
    if (!known.has(name)) throw new Error(`${spec.label}: the shader has no constant ${name}`);
  }
  return unroll(joined, known);
}

/** Bytes of the uniform struct; every field is 4 bytes and the struct is padded to 16. */
export function uniformBytes(spec: KernelSpec): number {
  return Math.ceil((Object.keys(spec.uniforms).length * 4) / 16) * 16;
}
