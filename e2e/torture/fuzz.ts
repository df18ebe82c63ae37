// Random and crafted input for everything that reads what comes from elsewhere, in processes of their own.
import { type FuzzReport, fuzzers } from "../../src/fuzz/index.ts";
import { inChild } from "./in-child.ts";
import type { Figure, Suite, SuiteOptions } from "./suite.ts";

const SLOW_MS = 2000;
const LARGE_KIB = 500 * 1024;
/** Inputs per process, so that one that hangs is found among few. */
const PORTION = 2500;

interface Portion {
  report: FuzzReport;
  /** KiB that the process held at most before the first input, and in all. */
  before: number;
  peak: number;
}

async function fuzzTarget(target: string, options: SuiteOptions): Promise<Figure> {
  const { seed, trial } = options;
  const count = trial === undefined ? (options.count ?? 10_000) : 1;
  const start = trial === undefined ? options.first : Number(trial.split("-")[1]);
  let [read, accepted, crashes, slowest, peak] = [0, 0, 0, 0, 0];
  for (let done = 0; done < count; done += PORTION) {
    const first = start + done;
    options.progress(`${target} ${done} of ${count}`);
    const n = Math.min(PORTION, count - done);
    try {
      const portion = await inChild<Portion>(["fuzz", target, seed, first, n], 900_000);
      const { report } = portion;
      read += report.runs;
      accepted += report.accepted;
      crashes += report.crashes.length;
      slowest = Math.max(slowest, report.slowest?.ms ?? 0);
      peak = Math.max(peak, portion.peak);
      for (const { index, error, input } of report.crashes.slice(0, 5))
        options.fail(`${target}-${index}`, [error, `input: ${input.slice(0, 500)}`]);
      if ((report.slowest?.ms ?? 0) > SLOW_MS)
        options.fail(`${target}-${report.slowest!.index}`, [
          `${report.slowest!.ms} ms: ${report.slowest!.input}`,
        ]);
    } catch (error) {
      crashes++;
      options.fail(`${target}-${first}`, [(error as Error).message]);
    }
  }
  const passed = crashes === 0 && slowest <= SLOW_MS && peak <= LARGE_KIB && read === count;
  return {
    figure: target,
    value: `${read} inputs: ${accepted} accepted, ${read - accepted - crashes} refused by name, ${crashes} crashes; slowest ${Math.round(slowest)} ms, process at most ${Math.round(peak / 1024)} MiB`,
    passed,
  };
}

export const fuzz: Suite = {
  name: "fuzz",
  summary:
    "10,000 inputs for each reader of replies, configurations, VAGEN's files, checkpoints, houses, run folders and extensions",
  async run(options) {
    const figures: Figure[] = [];
    const targets = Object.keys(fuzzers).filter((target) => options.trial?.startsWith(target) ?? true);
    for (const target of targets) figures.push(await fuzzTarget(target, options));
    return figures;
  },
};
