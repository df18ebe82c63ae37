// Which tile a device computes large matrix products faster with: a few dispatches of each, within a fixed time.
import type { Gpu } from "./device.ts";
import type { ProductSize, TileClass } from "./linear-tiles.ts";
import { Arena, type Tensor } from "./memory.ts";
import { Plan } from "./plan.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";
import { boundTo, type Candidate, equalCandidates } from "./tile-candidates.ts";

/** Milliseconds of one dispatch of a representative product. */
export interface TileTime {
  readonly tileClass: TileClass;
  /** With tiles of 64 × 64. */
  readonly stagedMs: number;
  /** With tiles of 128 × 64. */
  readonly largeMs: number;
}

/** Time of all measurements, compilation aside. */
const BUDGET_MS = 500;
/** Repeats of a dispatch fill this much time, so that clocks are fine enough. */
const BATCH_MS = 3;
const MAX_REPEATS = 64;
const ROUNDS = 3;
/** Dispatches of one class at least: each tile once to warm up and once to measure, and one to choose the repeats by. */
const FEWEST = 5;
/** The larger tile must win by this factor: times vary by a few percent, and it leaves more of a small product idle. */
const MARGIN = 0.95;

/** A product of each size, by its outputs. */
type Outputs = readonly [size: ProductSize, rows: number, cols: number];

/** 32, 256 and 512 tiles of 64 × 64. The times of a size say whether the next one can be measured in time. */
const OUTPUTS: readonly Outputs[] = [
  ["small", 512, 256],
  ["medium", 1024, 1024],
  ["large", 2048, 1024],
];
const INNER = 256;

interface ProbeOptions {
  /** Ends the probe before its next measurement. */
  readonly signal?: AbortSignal;
  /** Milliseconds for all measurements. */
  readonly budgetMs?: number;
  /** One product of each size, the smallest first. */
  readonly shapes?: readonly Outputs[];
}

/** What the measurements of one probe share. */
interface Bench {
  readonly gpu: Gpu;
  readonly clock: Stopwatch;
  readonly arena: Arena;
  readonly first: Tensor;
  readonly second: Tensor;
  readonly out: Tensor;
  readonly deadline: number;
}

/**
 * Times both tiles for every class that fits into the time; the others are missing, as is a product whose tiles differ in a bit on
 * this device.
 * @throws GpuError as `Gpu.compile` and `Gpu.read` do; the reason of `signal`.
 */
export async function probeTiles(
  gpu: Gpu,
  { signal, budgetMs = BUDGET_MS, shapes = OUTPUTS }: ProbeOptions = {},
): Promise<TileTime[]> {
  const candidates = await equalCandidates(gpu);
  signal?.throwIfAborted();
  const bench = describeBench(gpu, performance.now() + budgetMs, shapes);
  const times: TileTime[] = [];
  let msPerOutput = 0;
  try {
    await bench.arena.create(gpu);
    for (const [size, rows, cols] of shapes)
      for (const candidate of candidates) {
        signal?.throwIfAborted();
        if (performance.now() + FEWEST * msPerOutput * rows * cols >= bench.deadline) continue;
        const time = await timeBoth(bench, candidate, rows, cols);
        msPerOutput = Math.max(time.stagedMs, time.largeMs) / (rows * cols);
        times.push({ tileClass: `${candidate.product} ${size}`, ...time });
      }
    return times;
  } finally {
    bench.clock.dispose();
    bench.arena.destroy();
  }
}

/** The classes that run with the larger tile. */
export const fasterWithLarge = (times: readonly TileTime[]): TileClass[] =>
  times.filter(({ stagedMs, largeMs }) => largeMs < MARGIN * stagedMs).map((time) => time.tileClass);

function describeBench(gpu: Gpu, deadline: number, shapes: readonly Outputs[]): Bench {
  const arena = new Arena();
  const tensor = (label: string, length: (rows: number, cols: number) => number) => {
    const lengths = shapes.map(([, rows, cols]) => length(rows, cols));
    return arena.tensor("workspace", `tile probe, ${label}`, Math.max(...lengths));
  };
  return {
    gpu,
    clock: stopwatch(gpu),
    arena,
    first: tensor("first factor", (rows) => rows * INNER),
    second: tensor("second factor", (_, cols) => cols * INNER),
    out: tensor("outputs", (rows, cols) => rows * cols),
    deadline,
  };
}

async function timeBoth(
  bench: Bench,
  { staged, large, uniforms }: Candidate,
  rows: number,
  cols: number,
): Promise<Omit<TileTime, "tileClass">> {
  const { gpu, first, second, out } = bench;
  const plans = [staged, large].map((spec) => {
    const plan = new Plan("tile probe");
    plan.add(spec, boundTo(spec, first, second, out), uniforms(rows, cols, INNER));
    return plan;
  });
  try {
    for (const plan of plans) {
      await plan.build(gpu);
      plan.run(gpu);
    }
    const [stagedMs = 0, largeMs = 0] = await shortest(bench, plans);
    return { stagedMs, largeMs };
  } finally {
    for (const plan of plans) plan.destroy();
  }
}

/** Milliseconds of a run of each plan: the shortest of some rounds, in which they take turns; one round if the time is up. */
async function shortest({ clock, deadline }: Bench, plans: readonly Plan[]): Promise<number[]> {
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
