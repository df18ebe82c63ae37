// The page of the comparison: runs the requested case and returns plain data.
import { type CaseOptions, type CaseReport, runCase } from "../case-report.ts";
import { type BenchCase, CASES } from "../cases.ts";
import { watchGpu } from "../gpu-watch.ts";
import type { Implementation } from "../implementation.ts";
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
const load: Readonly<Record<OtherName, (bench: BenchCase) => Promise<Implementation>>> = {
  "jax-js": async (bench) => (await import("./jax.ts")).jaxImplementation(bench),
  tfjs: async (bench) => (await import("./tfjs.ts")).tfjsImplementation(bench),
};

watchGpu();
watchPlans();

window.runBenchmark = ({ caseName, others, options }) => {
  const bench = CASES.find(({ name }) => name === caseName)!;
  const implementations = async () => {
    const made: Implementation[] = [];
    for (const name of others) made.push(await load[name](bench));
    return made;
  };
  // Progress goes to the command through the console.
  return runCase(navigator.gpu, bench, implementations, { ...options, log: (line) => console.log(line) });
};
