// Runs one case on a device and compares it with the twin.
import type { Gpu } from "../gpu/device.ts";
import { runKernelOn } from "../gpu/run-kernel.ts";
import type { Expected, KernelCase } from "./case.ts";
import { worstElement } from "./numbers.ts";

/** The binding and element that differ most from the twin, in units of their tolerance. */
interface Difference {
  readonly binding: string;
  readonly index: number;
  readonly got: number;
  readonly want: number;
  /** |got − want|; infinite where the result is not finite. */
  readonly error: number;
  /** What |got − want| may be at most. */
  readonly tolerance: number;
  /** Error over tolerance; above 1 the case fails. */
  readonly excess: number;
}

export interface Outcome extends Difference {
  readonly ok: boolean;
}

/** @throws GpuError if the kernel does not compile, the device is lost or does not answer. */
export async function runCase(gpu: Gpu, { spec, constants, prepare }: KernelCase): Promise<Outcome> {
  const { uniforms, arrays, want } = prepare();
  const got = await runKernelOn(gpu, spec, arrays, uniforms, constants);
  const differences = Object.entries(want).map(([binding, expected]) =>
    compare(binding, got[binding] as Float32Array, expected as Expected),
  );
  const worst = differences.reduce((a, b) => (b.excess > a.excess ? b : a));
  return { ...worst, ok: worst.excess <= 1 };
}

function compare(binding: string, floats: Float32Array, expected: Expected): Difference {
  const { values, rtol, atol } = expected;
  const got = expected.integers ? new Uint32Array(floats.buffer) : floats;
  const { index, error, excess } = worstElement(got, values, expected);
  const want = values[index] as number;
  const difference = {
    binding,
    index,
    got: got[index] as number,
    want,
    error,
    tolerance: atol + rtol * Math.abs(want),
    excess,
  };
  return got.length === values.length ? difference : { ...difference, excess: Number.POSITIVE_INFINITY };
}
