// Which tile a device computes large matrix products faster with: a few dispatches of each, within a fixed time.
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
import type { LinearProduct, ProductSize, TileClass } from "./linear-tiles.ts";
import { Arena, type Tensor } from "./memory.ts";
import { Plan } from "./plan.ts";
import { runKernelOn } from "./run-kernel.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";

/** Milliseconds of one dispatch of a representative product. */
export interface TileTime {
  readonly tileClass: TileClass;
  /** With tiles of 64 × 64. */
  readonly stagedMs: number;
  /** With tiles of 128 × 64. */
  readonly largeMs: number;
}

/** Device time of a probe, compilation aside. */
const BUDGET_MS = 200;
/** Repeats of a dispatch fill this much time, so that clocks are fine enough. */
const BATCH_MS = 3;
const MAX_REPEATS = 64;
const ROUNDS = 3;
/** The larger tile must win by this factor: times vary by a few percent, and it leaves more of a small product idle. */
const MARGIN = 0.95;

/** A product of each size, by its outputs. */
type Outputs = readonly [size: ProductSize, rows: number, cols: number];

/** 1024, 256 and 32 tiles of 64 × 64. The product with the most to gain comes first. */
const OUTPUTS: readonly Outputs[] = [
  ["large", 4096, 1024],
  ["medium", 1024, 1024],
  ["small", 512, 256],
];
const INNER = 256;
/** Beyond one tile of either kind, and no multiple of one. */
const UNEVEN = { rows: 148, cols: 76, inner: 44 } as const;

interface Candidate {
  readonly product: LinearProduct;
  readonly staged: KernelSpec;
  readonly large: KernelSpec;
  uniforms(rows: number, cols: number, inner: number): Readonly<Record<string, number>>;
}

const CANDIDATES: readonly Candidate[] = [
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

/** The first and the second factor, which also serves as bias and residual, and the outputs, by the names of a kernel. */
function bound<T>({ bindings }: KernelSpec, first: T, second: T, out: T): Record<string, T> {
  const names = Object.entries(bindings);
  return Object.fromEntries(
    names.map(([name, access], i) => [name, access === "read_write" ? out : i === 0 ? first : second]),
  );
}

/**
 * Times both tiles for every class, until the time is up; what was not measured is missing. A product whose tiles differ in a bit
 * on this device is left out, because a choice must not change a run.
 * @throws GpuError as `Gpu.compile` and `Gpu.read` do.
 */
export async function probeTiles(gpu: Gpu, budgetMs = BUDGET_MS, shapes = OUTPUTS): Promise<TileTime[]> {
  const equal = await Promise.all(CANDIDATES.map((candidate) => givesEqualBits(gpu, candidate)));
  const arena = new Arena();
  const clock = stopwatch(gpu);
  const tensor = (label: string, length: (rows: number, cols: number) => number) => {
    const lengths = shapes.map(([, rows, cols]) => length(rows, cols));
    return arena.tensor("workspace", `tile probe, ${label}`, Math.max(...lengths));
  };
  const first = tensor("first factor", (rows) => rows * INNER);
  const second = tensor("second factor", (_, cols) => cols * INNER);
  const out = tensor("outputs", (rows, cols) => rows * cols);
  try {
    await arena.create(gpu);
    const deadline = performance.now() + budgetMs;
    const times: TileTime[] = [];
    for (const [size, ...outputs] of shapes)
      for (const candidate of CANDIDATES.filter((_, i) => equal[i]))
        if (performance.now() < deadline)
          times.push({
            tileClass: `${candidate.product} ${size}`,
            ...(await timeBoth(gpu, clock, candidate, outputs, [first, second, out], deadline)),
          });
    return times;
  } finally {
    clock.dispose();
    arena.destroy();
  }
}

/** The classes that run with the larger tile. */
export const fasterWithLarge = (times: readonly TileTime[]): TileClass[] =>
  times.filter(({ stagedMs, largeMs }) => largeMs < MARGIN * stagedMs).map((time) => time.tileClass);

/** Whether both tiles give the same bits on this device. */
async function givesEqualBits(gpu: Gpu, { staged, large, uniforms }: Candidate): Promise<boolean> {
  const { rows, cols, inner } = UNEVEN;
  const waves = (length: number, step: number) => Float32Array.from({ length }, (_, i) => Math.sin(step * i));
  const outputs = async (spec: KernelSpec) => {
    const arrays = bound(spec, waves(rows * inner, 0.7), waves(cols * inner, 1.1), waves(rows * cols, 1.3));
    const { bindings } = spec;
    const name = Object.keys(bindings).find((each) => bindings[each] === "read_write") as string;
    return new Uint32Array((await runKernelOn(gpu, spec, arrays, uniforms(rows, cols, inner)))[name]!.buffer);
  };
  const [want, got] = await Promise.all([outputs(staged), outputs(large)]);
  return want.every((word, i) => word === got[i]);
}

async function timeBoth(
  gpu: Gpu,
  clock: Stopwatch,
  { staged, large, uniforms }: Candidate,
  [rows, cols]: readonly [number, number],
  [first, second, out]: readonly [Tensor, Tensor, Tensor],
  deadline: number,
): Promise<Omit<TileTime, "tileClass">> {
  const plans = [staged, large].map((spec) => {
    const plan = new Plan("tile probe");
    plan.add(spec, bound(spec, first, second, out), uniforms(rows, cols, INNER));
    return plan;
  });
  try {
    for (const plan of plans) {
      await plan.build(gpu);
      plan.run(gpu);
    }
    const [stagedMs = 0, largeMs = 0] = await shortest(gpu, clock, plans, deadline);
    return { stagedMs, largeMs };
  } finally {
    for (const plan of plans) plan.destroy();
  }
}

/** Milliseconds of a run of each plan: the shortest of some rounds, in which they take turns; one round if the time is up. */
async function shortest(
  gpu: Gpu,
  clock: Stopwatch,
  plans: readonly Plan[],
  deadline: number,
): Promise<number[]> {
  for (const plan of plans) plan.setValues(gpu, {});
  const batch = async (plan: Plan, repeats: number) => {
    const ms = await clock.time((pass) => {
      for (let i = 0; i < repeats; i++) plan.encode(pass, {});
    });
    return ms / repeats;
  };
  const once = await batch(plans[0] as Plan, 1);
  const repeats = Math.min(MAX_REPEATS, Math.max(1, Math.ceil(BATCH_MS / Math.max(once, 0.01))));
  const best = plans.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round === 0 || (round < ROUNDS && performance.now() < deadline); round++)
    for (const [i, plan] of plans.entries())
      best[i] = Math.min(best[i] as number, await batch(plan, repeats));
  return best;
}
