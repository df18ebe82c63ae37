// A case: one variant of a kernel on one input, with the numbers that its CPU twin gives. GPU tests and the check of a device
// run the same cases.
import type { KernelSpec } from "../gpu/kernel.ts";
import { readsAhead } from "../gpu/kernels/variant.ts";
import type { Numbers } from "../gpu/run-kernel.ts";
import type { Tolerance } from "./numbers.ts";

/** What a binding must hold afterwards. */
export interface Expected extends Tolerance {
  readonly values: ArrayLike<number>;
  /** The binding holds u32. */
  readonly integers?: boolean;
}

/** Inputs of one dispatch and what it must write. */
interface Trial<U extends string = string, B extends string = string> {
  readonly uniforms: Readonly<Record<U, number>>;
  readonly arrays: Readonly<Record<B, Numbers>>;
  readonly want: Readonly<Partial<Record<B, Expected>>>;
}

/** A spec with the constants that a case sets. */
export interface Variant<U extends string, B extends string> {
  readonly spec: KernelSpec;
  readonly constants: Readonly<Record<string, number>>;
  /** Names of its uniforms and bindings; there is no such value. */
  readonly names?: readonly [U, B];
}

export interface KernelCase {
  readonly spec: KernelSpec;
  readonly constants: Readonly<Record<string, number>>;
  /** The input in a few words, e.g. "65 × 32 × 96". */
  readonly title: string;
  /** Computes inputs and the twin's numbers. */
  prepare(): Trial;
}

/**
 * The cases of one input: each variant must give the same numbers. The twin runs once for all of them.
 * @param prepare is called when the first of these cases runs; what it returns is not kept after the last.
 */
export function casesOf<U extends string, B extends string>(
  title: string,
  variants: readonly Variant<U, B>[],
  prepare: () => Trial<NoInfer<U>, NoInfer<B>>,
): KernelCase[] {
  const shared = keptFor(variants.length, prepare);
  return variants.map(({ spec, constants }) => ({
    spec,
    constants,
    title,
    prepare: shared as () => Trial,
  }));
}

/** Computes a value on the first of every `uses` calls and returns it for the rest of them. */
function keptFor<T>(uses: number, compute: () => T): () => T {
  let kept: { value: T } | null = null;
  let used = 0;
  return () => {
    kept ??= { value: compute() };
    const { value } = kept;
    used++;
    if (used % uses === 0) kept = null;
    return value;
  };
}

type Constants<C extends string> = Readonly<Partial<Record<C, number>>>;

/** One variant of a kernel. */
export const variant = <U extends string, B extends string, C extends string>(
  spec: KernelSpec<U, B, C>,
  constants?: Constants<NoInfer<C>>,
): Variant<U, B> => ({
  spec: spec as unknown as KernelSpec,
  constants: (constants ?? {}) as Record<string, number>,
});

/** Both variants of a kernel, with the same constants. */
export const both = <U extends string, B extends string, C extends string>(
  { serial, workgroup }: { serial: KernelSpec<U, B, C>; workgroup: KernelSpec<U, B, C> },
  constants?: Constants<NoInfer<C>>,
): readonly Variant<U, B>[] => [variant(serial, constants), variant(workgroup, constants)];

/** The only variant of a kernel. */
export const only = <U extends string, B extends string, C extends string>(
  spec: KernelSpec<U, B, C>,
  constants?: Constants<NoInfer<C>>,
): readonly Variant<U, B>[] => [variant(spec, constants)];

/** A kernel as software adapters run it, and as real GPUs do, which read several places before they use the first. */
export const ahead = <U extends string, B extends string>(
  spec: KernelSpec<U, B, "AHEAD">,
): readonly Variant<U, B>[] => [true, false].map((software) => variant(spec, readsAhead({ software })));

/** Numbers to be met within a tolerance. */
export const close = (values: ArrayLike<number>, rtol = 1e-5, atol = 1e-6): Expected => ({
  values,
  rtol,
  atol,
});

/** Numbers to be met exactly. */
export const exact = (values: ArrayLike<number>): Expected => ({
  values: Float32Array.from(values),
  rtol: 0,
  atol: 0,
});

/** Integers to be met exactly. */
export const integers = (values: ArrayLike<number>): Expected => ({
  values,
  rtol: 0,
  atol: 0,
  integers: true,
});

/** want + before, element by element: what a kernel that accumulates must leave. */
export const added = (want: Float64Array, before: ArrayLike<number>): Float64Array =>
  want.map((x, i) => x + (before[i] as number));
