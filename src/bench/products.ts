// `--product`: large matrix products with every tile that the engine has, and which share of the device's multiply-adds they reach.
import { UsageError } from "../cli/args.ts";
import { formatTable } from "../cli/format-progress.ts";
import type { Gpu } from "../gpu/device.ts";
import type { KernelSpec } from "../gpu/kernel.ts";
import {
  linearBackwardInputDirect,
  linearBackwardWeightDirect,
  linearForwardDirect,
} from "../gpu/kernels/linear.ts";
import type { LinearProduct } from "../gpu/linear-tiles.ts";
import { Arena, bufferOf, type Tensor } from "../gpu/memory.ts";
import { Plan } from "../gpu/plan.ts";
import { boundTo, CANDIDATES, type Candidate } from "../gpu/tile-candidates.ts";
import { deviceName } from "./case-report.ts";
import { footnotes } from "./report.ts";
import { peaksOf, probeRoofline, shortest } from "./roofline.ts";

/** How fast one kernel computes a product. */
export interface ProductTime {
  readonly label: string;
  readonly ms: number;
  /** 10⁹ floating-point operations a second; a multiply-add is two. */
  readonly gflops: number;
}

/** The kernels that need no workgroup memory, which software adapters run. */
const DIRECT: Readonly<Record<LinearProduct, KernelSpec>> = {
  forward: linearForwardDirect as unknown as KernelSpec,
  input: linearBackwardInputDirect as unknown as KernelSpec,
  weight: linearBackwardWeightDirect as unknown as KernelSpec,
};

/** A batch of repeats takes at least this many milliseconds. */
const BATCH_MS = 50;

/** Square factors and outputs of one size, which all kernels share. */
interface Squares {
  readonly first: Tensor;
  readonly second: Tensor;
  readonly out: Tensor;
}

/**
 * Times each kernel of products of a linear layer, by default of all three, with factors of `side` × `side`.
 * @throws GpuError as `Gpu.compile` and `Gpu.read` do.
 */
export async function timeProducts(
  gpu: Gpu,
  side: number,
  candidates: readonly Candidate[] = CANDIDATES,
): Promise<ProductTime[]> {
  const arena = new Arena();
  const square = (name: string) => arena.tensor("workspace", `products, ${name}`, side * side);
  const squares = { first: square("first factor"), second: square("second factor"), out: square("outputs") };
  await arena.create(gpu);
  try {
    fill(gpu, squares, side);
    const times: ProductTime[] = [];
    for (const candidate of candidates)
      for (const spec of [DIRECT[candidate.product], candidate.staged, candidate.large])
        times.push(await timeProduct(gpu, spec, candidate, squares, side));
    return times;
  } finally {
    arena.destroy();
  }
}

/** Zeros would flatter: a card that multiplies them needs less power, and its clock rises. */
function fill(gpu: Gpu, { first, second }: Squares, side: number): void {
  const waves = Float32Array.from({ length: side * side }, (_, i) => Math.sin(0.7 * i));
  for (const tensor of [first, second]) gpu.device.queue.writeBuffer(bufferOf(tensor), 0, waves);
}

async function timeProduct(
  gpu: Gpu,
  spec: KernelSpec,
  { uniforms }: Candidate,
  { first, second, out }: Squares,
  side: number,
): Promise<ProductTime> {
  const plan = new Plan("product");
  try {
    plan.add(spec, boundTo(spec, first, second, out), uniforms(side, side, side));
    await plan.build(gpu);
    const ms = await shortest(gpu, plan, BATCH_MS);
    return { label: spec.label, ms, gflops: (2 * side ** 3) / ms / 1e6 };
  } finally {
    plan.destroy();
  }
}

/** The times as a table; `peak` is the device's, in GFLOP/s. */
export function productTable(times: readonly ProductTime[], peak: number): string {
  const rows = times.map(({ label, ms, gflops }) => [
    label,
    ms.toFixed(2),
    gflops.toFixed(gflops < 100 ? 1 : 0),
    `${((100 * gflops) / peak).toFixed(0)} %`,
  ]);
  return formatTable([["kernel", "ms", "GFLOP/s", "of FMA peak"], ...rows]);
}

/**
 * Times the products of `side` × `side` factors in Node and prints a table; resolves to the exit code.
 * @throws UsageError for a side that is no multiple of 4; GpuError as `timeProducts` does.
 */
export async function productCommand(side: number, print: (text: string) => void): Promise<number> {
  if (side % 4 !== 0)
    throw new UsageError(
      `--product ${side}: the kernels read four numbers at a time.`,
      "Use a multiple of 4.",
    );
  const { gpus, requestGpu } = await import("../cli/gpu.ts");
  const gpu = await gpus.open(await requestGpu());
  const before = await probeRoofline(gpu);
  const times = await timeProducts(gpu, side);
  const peaks = peaksOf([before, await probeRoofline(gpu)]);
  print(
    `Products of ${side} × ${side} by ${side} × ${side} on ${deviceName(gpu.caps)}; its peak of multiply-adds is ${peaks.gflops.toFixed(0)} GFLOP/s.`,
  );
  print(productTable(times, peaks.gflops));
  for (const note of footnotes(peaks)) print(note);
  return 0;
}
