// The kernels between which a probe decides, and whether a device computes the same bits with both.
import type { Gpu } from "./device.ts";
import type { KernelSpec } from "./kernel.ts";
import {
  linearBackwardInputLarge,
  linearBackwardInputStaged,
  linearBackwardWeightLarge,
  linearBackwardWeightStaged,
  linearForwardLarge,
  linearForwardStaged,
} from "./kernels/linear.ts";
import type { LinearProduct } from "./linear-tiles.ts";
import { runKernelOn } from "./run-kernel.ts";

/** Both tiles of one product. */
export interface Candidate {
  readonly product: LinearProduct;
  readonly staged: KernelSpec;
  readonly large: KernelSpec;
  /** Uniforms for `rows` × `cols` outputs, each a sum over `inner`. */
  uniforms(rows: number, cols: number, inner: number): Readonly<Record<string, number>>;
}

/** The three products of a linear layer. */
export const CANDIDATES: readonly Candidate[] = [
  {
    product: "forward",
    staged: linearForwardStaged as unknown as KernelSpec,
    large: linearForwardLarge as unknown as KernelSpec,
    uniforms: (m, n, k) => ({ m, k, n }),
  },
  {
    product: "input",
    staged: linearBackwardInputStaged as unknown as KernelSpec,
    large: linearBackwardInputLarge as unknown as KernelSpec,
    uniforms: (m, k, n) => ({ m, k, n }),
  },
  {
    product: "weight",
    staged: linearBackwardWeightStaged as unknown as KernelSpec,
    large: linearBackwardWeightLarge as unknown as KernelSpec,
    uniforms: (k, n, m) => ({ m, k, n, splits: 1 }),
  },
];

/** Beyond one tile of either kind, and no multiple of one. */
const UNEVEN = { rows: 148, cols: 76, inner: 44 } as const;

/** Arrays by the names of a kernel: its first factor; its second, which is also bound as bias and residual; its outputs. */
export function boundTo<T>({ bindings }: KernelSpec, first: T, second: T, out: T): Record<string, T> {
  const names = Object.entries(bindings);
  return Object.fromEntries(
    names.map(([name, access], i) => [name, access === "read_write" ? out : i === 0 ? first : second]),
  );
}

/**
 * The candidates whose tiles give the same bits on this device, so that a choice does not change a run. Compiles all kernels.
 * @throws GpuError as `Gpu.compile` and `Gpu.read` do.
 */
export async function equalCandidates(gpu: Gpu): Promise<Candidate[]> {
  const equal = await Promise.all(CANDIDATES.map((candidate) => givesEqualBits(gpu, candidate)));
  return CANDIDATES.filter((_, i) => equal[i]);
}

async function givesEqualBits(gpu: Gpu, { staged, large, uniforms }: Candidate): Promise<boolean> {
  const { rows, cols, inner } = UNEVEN;
  const waves = (length: number, step: number) => Float32Array.from({ length }, (_, i) => Math.sin(step * i));
  const outputs = async (spec: KernelSpec) => {
    const arrays = boundTo(spec, waves(rows * inner, 0.7), waves(cols * inner, 1.1), waves(rows * cols, 1.3));
    const results = await runKernelOn(gpu, spec, arrays, uniforms(rows, cols, inner));
    // The outputs are the only binding that a kernel of a linear layer writes.
    const [out] = Object.values(results);
    return new Uint32Array((out as Float32Array).buffer);
  };
  const [want, got] = await Promise.all([outputs(staged), outputs(large)]);
  return want.every((word, i) => word === got[i]);
}
