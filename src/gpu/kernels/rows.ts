// Kernels that reduce over rows exist in two variants made of one WGSL file: `lib/row_serial.wgsl` gives each row one
// invocation and needs no barrier (software adapters), `lib/row_workgroup.wgsl` gives each row a workgroup (real GPUs).
import lanesSerial from "#shaders/lib/lanes_serial.wgsl?raw";
import lanesWorkgroup from "#shaders/lib/lanes_workgroup.wgsl?raw";
import reduce from "#shaders/lib/reduce.wgsl?raw";
import rowSerial from "#shaders/lib/row_serial.wgsl?raw";
import rowWorkgroup from "#shaders/lib/row_workgroup.wgsl?raw";
import rowsSerial from "#shaders/lib/rows_serial.wgsl?raw";
import rowsWorkgroup from "#shaders/lib/rows_workgroup.wgsl?raw";
import { defineKernel, grid1d, type KernelSpec } from "../kernel.ts";
import { variants } from "./variant.ts";

/** Invocations of a workgroup in each variant. */
interface Blocks {
  readonly serial: number;
  readonly workgroup: number;
}

/** For rows as wide as logits. */
const WIDE_ROWS: Blocks = { serial: 16, workgroup: 128 };
/** For rows as wide as the model, read as vec4s. */
export const NARROW_ROWS: Blocks = { serial: 64, workgroup: 64 };

type RowSpec<U extends string, B extends string, C extends string> = Omit<
  KernelSpec<U, B, C>,
  "constants" | "grid"
> & {
  readonly constants?: Readonly<Record<C, number>>;
  /** Number of rows, from the uniforms and the constants. */
  readonly rows: (uniforms: Readonly<Record<U, number>>, constants: Readonly<Record<C, number>>) => number;
  /** Defaults to `WIDE_ROWS`. */
  readonly blocks?: Blocks;
};

/**
 * Both variants of a kernel whose WGSL defines `fn process_row(row: u32, lane: u32)`: BLOCK rows per workgroup with one
 * invocation each, or one row per workgroup of BLOCK lanes, a power of two.
 */
export function rowKernel<U extends string, B extends string, C extends string = never>({
  rows,
  blocks = WIDE_ROWS,
  ...spec
}: RowSpec<U, B, C>) {
  const given = spec.constants ?? ({} as Record<C, number>);
  return variants(
    defineKernel<U, B, C | "BLOCK">({
      ...spec,
      code: [...spec.code, rowSerial, lanesSerial],
      constants: { ...given, BLOCK: blocks.serial } as Record<C | "BLOCK", number>,
      grid: (uniforms, constants) => grid1d(rows(uniforms, constants), constants.BLOCK),
    }),
    defineKernel<U, B, C | "BLOCK">({
      ...spec,
      label: `${spec.label}_workgroup`,
      code: [...spec.code, rowWorkgroup, lanesWorkgroup, reduce],
      constants: { ...given, BLOCK: blocks.workgroup } as Record<C | "BLOCK", number>,
      grid: (uniforms, constants) => grid1d(rows(uniforms, constants), 1),
    }),
  );
}

/** ROWS of `rowsKernel`: rows of an invocation on a software adapter, and of a workgroup on a real GPU. */
const ROWS_AT_ONCE = { serial: 1, workgroup: 4 } as const;

/**
 * Both variants of a kernel for rows as wide as the model, whose WGSL defines `fn process_rows(first: u32, lane: u32)`: 64 rows
 * per workgroup with one invocation each, or ROWS rows per workgroup of 64 lanes.
 */
export function rowsKernel<U extends string, B extends string, C extends string = never>({
  rows,
  ...spec
}: Omit<RowSpec<U, B, C>, "blocks">) {
  const given = spec.constants ?? ({} as Record<C, number>);
  const withRows = (ROWS: number) => ({ ...given, ROWS }) as Record<C | "ROWS", number>;
  return variants(
    defineKernel<U, B, C | "ROWS">({
      ...spec,
      code: [...spec.code, rowsSerial],
      constants: withRows(ROWS_AT_ONCE.serial),
      grid: (uniforms, constants) => grid1d(rows(uniforms, constants), 64),
    }),
    defineKernel<U, B, C | "ROWS">({
      ...spec,
      label: `${spec.label}_workgroup`,
      code: [...spec.code, rowsWorkgroup],
      constants: withRows(ROWS_AT_ONCE.workgroup),
      grid: (uniforms, constants) => grid1d(rows(uniforms, constants), constants.ROWS),
    }),
  );
}
