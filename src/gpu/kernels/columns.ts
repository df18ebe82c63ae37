// Kernels that sum over the rows of each column exist in two variants made of one WGSL file: `lib/column_serial.wgsl` gives
// four columns one invocation and needs no barrier (software adapters), `lib/column_workgroup.wgsl` gives eight columns a
// workgroup (real GPUs).
import columnSerial from "#shaders/lib/column_serial.wgsl?raw";
import columnWorkgroup from "#shaders/lib/column_workgroup.wgsl?raw";
import { defineKernel, grid1d, type KernelSpec } from "../kernel.ts";
import { variants } from "./variant.ts";

/** Both variants of a kernel whose WGSL defines `fn process_column(column: u32, lane: u32)` for `c` columns. */
export const columnKernel = <U extends string, B extends string>(
  spec: Omit<KernelSpec<U | "c", B, never>, "constants" | "grid">,
) =>
  variants(
    defineKernel({
      ...spec,
      code: [...spec.code, columnSerial],
      grid: ({ c }) => grid1d(c / 4, 8),
    }),
    defineKernel({
      ...spec,
      label: `${spec.label}_workgroup`,
      code: [...spec.code, columnWorkgroup],
      grid: ({ c }) => [Math.ceil(c / 8)],
    }),
  );
