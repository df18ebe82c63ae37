// Test helpers: one device per test process, run one kernel on plain arrays, compare numbers. Imported by tests only.
import { expect } from "vitest";
import { worstElement } from "../conformance/numbers.ts";
import { type Gpu, openGpu } from "./device.ts";
import type { KernelSpec } from "./kernel.ts";
import { requestNodeGpu } from "./node-device.ts";
import { type Numbers, runKernelOn } from "./run-kernel.ts";

export { noise } from "../conformance/numbers.ts";
export { download, type Numbers, upload } from "./run-kernel.ts";

let shared: Promise<Gpu> | undefined;

/** The device of this test process; opened once, never destroyed (use `openGpu` for a test that destroys one). */
export function testGpu(): Promise<Gpu> {
  shared ??= requestNodeGpu().then(openGpu);
  return shared;
}

/** As `runKernelOn`, on the device of this test process. */
export async function runKernel<U extends string, B extends string, C extends string>(
  spec: KernelSpec<U, B, C>,
  arrays: Readonly<Record<NoInfer<B>, Numbers>>,
  uniforms: Readonly<Record<NoInfer<U>, number>>,
  constants?: Readonly<Partial<Record<NoInfer<C>, number>>>,
): Promise<Record<B, Float32Array>> {
  return runKernelOn(await testGpu(), spec, arrays, uniforms, constants);
}

/** Fails with the worst element (index, got, want, |Δ|) unless |got − want| ≤ atol + rtol·|want| everywhere. */
export function expectClose(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  { rtol = 1e-5, atol = 1e-6 } = {},
): void {
  expect(got.length).toBe(want.length);
  const { excess, index } = worstElement(got, want, { rtol, atol });
  const [g, w] = [got[index] as number, want[index] as number];
  const message = excess > 1 ? `[${index}] got ${g}, want ${w}, |Δ| ${Math.abs(g - w)}` : "";
  expect(message, "worst element").toBe("");
}

/** Central differences of a scalar function at chosen elements of `x` (f64). */
export function centralDifferences(
  f: (x: Float64Array) => number,
  x: ArrayLike<number>,
  at: readonly number[],
  h = 1e-5,
): number[] {
  const point = Float64Array.from(x as ArrayLike<number>);
  return at.map((i) => {
    const centre = point[i] as number;
    point[i] = centre + h;
    const up = f(point);
    point[i] = centre - h;
    const down = f(point);
    point[i] = centre;
    return (up - down) / (2 * h);
  });
}
