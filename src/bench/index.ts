// `npm run bench`: how fast training and decoding are on this machine, beside two other libraries or alone.

import { type Options, optionHelp, parseOptions, UsageError, type Values } from "../cli/args.ts";
import { isSoftware } from "../gpu/device.ts";
import { type CaseReport, runCase } from "./case-report.ts";
import { CASES } from "./cases.ts";
import { disagreements } from "./compare.ts";
import { watchGpu } from "./gpu-watch.ts";
import { modeOptions, runChosenMode } from "./modes.ts";
import type { OtherName, PageRequest } from "./page/main.ts";
import { watchPlans } from "./profile.ts";
import { benchText } from "./report.ts";

const options: Options = {
  quick: { help: "A smoke check: few rounds, no kernel times." },
  case: {
    value: "<name>",
    help: `Only this model (${CASES.map(({ name }) => name).join(", ")}). Default: d64 and d128; on hardware with --against none or --node all.`,
    multiple: true,
  },
  against: {
    value: "<list>",
    help: "Libraries to compare with, separated by commas (jax-js,tfjs); none: only ours.",
  },
  rounds: { value: "<n>", help: "Rounds per model (9)." },
  gpu: { value: "<kind>", help: "software (default) or hardware: the browser's adapter." },
  node: { help: "Only ours, in Node (Dawn) instead of a browser." },
  ...modeOptions,
  json: { help: "Print the measurements as JSON." },
};

/** Milliseconds of one implementation for one kind of work; a slow library gets fewer rounds, but at least two. */
const BUDGET_MS = { quick: 5_000, full: 60_000 };

/**
 * Runs the benchmark and prints it; resolves to the exit code.
 * @throws UsageError for wrong options; Error when the implementations did not do the same work.
 */
async function runBench(args: readonly string[]): Promise<number> {
  const values = parseOptions("bench", options, args);
  if (values.has("help")) {
    print(`bench: measures training and decoding on this machine.\n\n${optionHelp(options)}`);
    return 0;
  }
  return (await runChosenMode(values, print)) ?? compareLibraries(values);
}

export default runBench;

async function compareLibraries(values: Values): Promise<number> {
  const reports = values.has("node") ? await runCasesInNode(values) : await runCasesInBrowser(values);
  print(values.has("json") ? JSON.stringify(reports, null, 2) : benchText(reports));
  const wrong = reports.flatMap(({ name, results }) =>
    disagreements(results).map((text) => `${name}, ${text}`),
  );
  if (wrong.length) throw new Error(`The implementations did not do the same work.\n${wrong.join("\n")}`);
  return 0;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
/** Progress goes to standard error, so that results can be piped. */
const log = (line: string): void => void process.stderr.write(`${line}\n`);

function chosenCases(values: Values, withLarge: boolean): string[] {
  const names = CASES.map(({ name }) => name);
  const chosen = values.list("case");
  for (const name of chosen)
    if (!names.includes(name))
      throw new UsageError(`There is no case ${name}.`, `Cases: ${names.join(", ")}.`);
  if (chosen.length) return chosen;
  return CASES.filter(({ large }) => withLarge || !large).map(({ name }) => name);
}

function chosenOthers(values: Values): OtherName[] {
  const text = values.text("against") ?? "jax-js,tfjs";
  if (text === "none") return [];
  return text.split(",").map((name) => {
    if (name === "jax-js" || name === "tfjs") return name;
    throw new UsageError(
      `--against ${text}: there is no implementation "${name}".`,
      "Use jax-js, tfjs, both, or none.",
    );
  });
}

function caseOptions(values: Values): PageRequest["options"] {
  const quick = values.has("quick");
  return {
    rounds: values.number("rounds", 1) ?? (quick ? 3 : 9),
    budgetMs: quick ? BUDGET_MS.quick : BUDGET_MS.full,
    guardSteps: quick ? 2 : 3,
    profile: !quick,
  };
}

async function runCasesInBrowser(values: Values): Promise<CaseReport[]> {
  const { runInBrowser } = await import("./browser.ts");
  const adapter = values.text("gpu") ?? "software";
  if (adapter !== "software" && adapter !== "hardware")
    throw new UsageError(`--gpu ${adapter} is neither software nor hardware.`, "");
  const others = chosenOthers(values);
  const requests = chosenCases(values, adapter === "hardware" && others.length === 0).map((caseName) => ({
    caseName,
    others,
    options: caseOptions(values),
  }));
  return runInBrowser(adapter, requests, log);
}

async function runCasesInNode(values: Values): Promise<CaseReport[]> {
  const { requestGpu } = await import("../cli/gpu.ts");
  const provider = await requestGpu();
  watchGpu();
  watchPlans();
  const adapter = await provider.requestAdapter();
  const chosen = chosenCases(values, adapter !== null && !isSoftware(adapter.info));
  const reports: CaseReport[] = [];
  for (const bench of CASES.filter(({ name }) => chosen.includes(name)))
    reports.push(await runCase(provider, bench, async () => [], { ...caseOptions(values), log }));
  return reports;
}
