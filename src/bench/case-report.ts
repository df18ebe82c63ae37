// The measurements of a case as plain data: the page returns it to the command, --json prints it.
import type { Gpu } from "../gpu/device.ts";
import type { TileTime } from "../gpu/tile-probe.ts";
import { flopsOfPasses, TRAINING_PASSES, trajectoryFlops } from "../policy/wgsl/flops.ts";
import { type BenchCase, DECODE_CHUNK, predictions, trainingTokens } from "./cases.ts";
import { type CompareOptions, compare, type Result } from "./compare.ts";
import type { Implementation } from "./implementation.ts";
import { type Latency, probeLatency } from "./latency.ts";
import { type OurImplementation, ourImplementation } from "./ours.ts";
import { type KernelTime, profile } from "./profile.ts";
import { type Peaks, peaksOf, probeRoofline, type Roofline } from "./roofline.ts";
import { spread } from "./stats.ts";

export interface CaseReport {
  name: string;
  device: string;
  software: boolean;
  parameters: number;
  /** Tokens and floating-point operations of one training step, forward and backward. */
  tokens: number;
  flops: number;
  /** Of our steps: each waited for, and in a row. */
  speed: { step: Speed; row: Speed };
  /** Results; ours is the first. */
  results: Result[];
  /** Our GPU memory by purpose, in bytes. */
  memory: Record<string, number>;
  /** Of two probes, before the implementations run and after our kernels. */
  roofline: Peaks;
  latency: Latency;
  /** Both tiles of matrix products by class, where the adapter has a choice. */
  tiles: readonly TileTime[];
  /** Our kernels in a training step and in one chunk of decoded tokens; empty without `profile`. */
  trainKernels: KernelTime[];
  decodeKernels: KernelTime[];
}

/** How fast a step is computed: 10⁹ floating-point operations a second, and their share of the device's multiply-adds. */
export interface Speed {
  gflops: number;
  ofPeak: number;
}

export function speedOf(flops: number, stepsMs: readonly number[], { gflops: peak }: Roofline): Speed {
  const gflops = flops / spread(stepsMs).median / 1e6;
  return { gflops, ofPeak: gflops / peak };
}

export interface CaseOptions extends CompareOptions {
  profile: boolean;
}

function stepFlops(bench: BenchCase): number {
  const lengths = Array.from({ length: bench.batch }, () => bench.context);
  return flopsOfPasses(TRAINING_PASSES, trajectoryFlops(bench.architecture, lengths, predictions(bench), 0));
}

/** What a report calls a device. */
export const deviceName = ({ vendor, architecture, description }: Gpu["caps"]): string =>
  [vendor, architecture, description].filter(Boolean).join(" ");

/** Compares the implementations of one case and probes the device; `others` makes those beside ours. */
export async function runCase(
  provider: GPU | undefined,
  bench: BenchCase,
  others: (bench: BenchCase) => Promise<Implementation[]>,
  options: CaseOptions,
): Promise<CaseReport> {
  const ours = await ourImplementation(provider, bench);
  const implementations = [ours, ...(await others(bench))];
  try {
    const before = await probeRoofline(ours.engine.gpu);
    const results = await compare(bench, implementations, options);
    return await reportOf(bench, ours, results, before, options);
  } finally {
    for (const implementation of implementations) implementation.dispose();
  }
}

async function reportOf(
  bench: BenchCase,
  ours: OurImplementation,
  results: Result[],
  before: Roofline,
  options: CaseOptions,
): Promise<CaseReport> {
  const { gpu, buffers } = ours.engine;
  const { caps } = gpu;
  const device = deviceName(caps);
  const flops = stepFlops(bench);
  const { train, row } = results[0]!;
  const kernels = options.profile
    ? await profileBoth(bench, ours, results[0]!)
    : { trainKernels: [], decodeKernels: [] };
  const roofline = peaksOf([before, await probeRoofline(gpu)]);
  return {
    name: bench.name,
    device,
    software: caps.software,
    parameters: bench.layout.count,
    tokens: bench.batch * bench.context,
    flops,
    speed: { step: speedOf(flops, train, roofline), row: speedOf(flops, row, roofline) },
    results,
    memory: buffers.arena.bytesByCategory,
    roofline,
    latency: await probeLatency(gpu),
    tiles: ours.tiles,
    ...kernels,
  };
}

async function profileBoth(
  bench: BenchCase,
  ours: OurImplementation,
  result: Result,
): Promise<Pick<CaseReport, "trainKernels" | "decodeKernels">> {
  const { gpu } = ours.engine;
  const { batch, context } = bench;
  const step = () => ours.trainStep(trainingTokens(bench, 0));
  const trainKernels = await profile(gpu, step, {
    pairs: (batch * context * (context + 1)) / 2,
    // Text only: the kernels of pictures are dispatched and find nothing to do.
    touched: (kernel) => (/^patch/.test(kernel) ? 0 : 1),
  });
  return { trainKernels, decodeKernels: [decoding(bench, result)] };
}

/**
 * A chunk of decoded tokens. It is one dispatch, which ends at once when it is repeated on replies that are complete, so its time
 * is that of the comparison.
 */
function decoding({ layout, batch }: BenchCase, { decode }: Result): KernelTime {
  const { shape = [0] } = layout.byName.get("embed.weight") ?? {};
  const multiplied = layout.count - shape.reduce((product, n) => product * n, 1);
  return {
    label: "decode_reply",
    dispatches: 1,
    ms: spread(decode).median * DECODE_CHUNK,
    flops: 2 * multiplied * batch * DECODE_CHUNK,
    bytes: 0,
  };
}
