// The page of the comparison: runs the requested case and returns plain data.
import { type CaseOptions, type CaseReport, runCase } from "../case-report.ts";
import { type BenchCase, CASES } from "../cases.ts";
import type { Contender } from "../contender.ts";
import { watchGpu } from "../gpu-watch.ts";
import { watchPlans } from "../profile.ts";

/** The libraries that ours can be compared with. */
export type OtherName = "jax-js" | "tfjs";

/** What the command asks the page for. */
export interface PageRequest {
  caseName: string;
  others: readonly OtherName[];
  options: Omit<CaseOptions, "log">;
}

declare global {
  interface Window {
    runBenchmark?: (request: PageRequest) => Promise<CaseReport>;
  }
}

// Loaded on demand, so that one library's start-up cannot disturb a run without it.
const load: Readonly<Record<OtherName, (bench: BenchCase) => Promise<Contender>>> = {
  "jax-js": async (bench) => (await import("./jax.ts")).jaxContender(bench),
  tfjs: async (bench) => (await import("./tfjs.ts")).tfjsContender(bench),
};

watchGpu();
watchPlans();

window.runBenchmark = ({ caseName, others, options }) => {
  const bench = CASES.find(({ name }) => name === caseName)!;
  const contenders = async () => {
    const made: Contender[] = [];
    for (const name of others) made.push(await load[name](bench));
    return made;
  };
  // Progress goes to the command through the console.
  return runCase(navigator.gpu, bench, contenders, { ...options, log: (line) => console.log(line) });
};
