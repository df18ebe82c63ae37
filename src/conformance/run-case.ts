// Runs one case on a device several times, and compares it with the twin and with itself.
import type { Gpu } from "../gpu/device.ts";
import { runKernelOn } from "../gpu/run-kernel.ts";
import type { Expected, KernelCase } from "./case.ts";
import { worstElement } from "./numbers.ts";
import { type Instability, instabilityOf } from "./repeats.ts";
import { type Stray, strayOf, withWordsBehind } from "./strays.ts";

/**
 * Runs of a case on the same input: a data race that shows only now and then gets several chances. A graphics card has time for the
 * most of them; a software adapter repeats a case that takes longer than the budget once.
 */
const RUNS = { least: 2, most: 4, budgetMs: 30 } as const;

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
  /** How often the case ran. */
  readonly runs: number;
  /** Where two runs differ most; null if all runs gave the same bits. */
  readonly instability: Instability | null;
  /** Where the kernel reads or writes beyond its data; null if it does not, or if its runs differ anyway. */
  readonly stray: Stray | null;
  /** Whether the numbers are right, the same in every run, and all within the data. */
  readonly ok: boolean;
}

/**
 * Compares the first run with the twin, the bits of the others with those of the first, and those of one more that has words behind
 * its data.
 * @throws GpuError if the kernel does not compile, the device is lost or does not answer.
 */
export async function runCase(gpu: Gpu, { spec, constants, prepare }: KernelCase): Promise<Outcome> {
  const { uniforms, arrays, want } = prepare();
  const runs = await repeated(() => runKernelOn(gpu, spec, arrays, uniforms, constants));
  const expected = Object.entries(want) as [string, Expected][];
  const worst = expected
    .map(([binding, each]) => compare(binding, runs[0]?.[binding] as Float32Array, each))
    .reduce((a, b) => (b.excess > a.excess ? b : a));
  const integers = new Set(expected.flatMap(([binding, each]) => (each.integers ? [binding] : [])));
  const instability = instabilityOf(runs, integers);
  const extended = await runKernelOn(gpu, spec, withWordsBehind(arrays), uniforms, constants);
  const stray = instability ? null : strayOf(runs[0]!, extended);
  const ok = worst.excess <= 1 && !instability && !stray;
  return { ...worst, runs: runs.length, instability, stray, ok };
}

/** What several runs return; after the first, as many as fit into the budget, all at once because each waits for its read-back. */
async function repeated<T>(run: () => Promise<T>): Promise<T[]> {
  const begin = performance.now();
  const first = await run();
  const fitting = Math.floor(RUNS.budgetMs / (performance.now() - begin));
  const more = Math.min(RUNS.most, Math.max(RUNS.least, fitting)) - 1;
  return [first, ...(await Promise.all(Array.from({ length: more }, run)))];
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
