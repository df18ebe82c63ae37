// `npm run torture`: runs the suites, prints one line for each figure, and exits with 1 when one fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { gpu } from "./gpu.ts";
import { hostile } from "./hostile.ts";
import { kill } from "./kill.ts";
import { soak } from "./soak.ts";
import { store } from "./store.ts";
import type { Figure, Suite, SuiteOptions } from "./suite.ts";
import { tabs } from "./tabs.ts";

const suites: readonly Suite[] = [kill, tabs, gpu, store, fuzz, hostile, soak];

const usage = `npm run torture -- [options]

  --only <suites>  run these, e.g. kill,gpu, instead of all
  --count <n>      trials of a suite, instead of its own number
  --seed <n>       another series of trials; default 0
  --first <n>      begin with a later trial
  --trial <name>   repeat one trial of one suite
  --out <file>     write the figures as JSON
  --help           this text

${suites.map(({ name, summary }) => `  ${name.padEnd(16)} ${summary}`).join("\n")}`;

interface Report {
  suite: string;
  seconds: number;
  figures: Figure[];
  failures: { trial: number | string; problems: readonly string[] }[];
}

function options() {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      count: { type: "string" },
      seed: { type: "string", default: "0" },
      first: { type: "string" },
      trial: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const names = values.only?.split(",") ?? suites.map(({ name }) => name);
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) throw new Error(`--only ${unknown}: no such suite.\n\n${usage}`);
  return {
    ...values,
    suites: suites.filter(({ name }) => names.includes(name)),
    count: wholeNumber("count", values.count),
    first: wholeNumber("first", values.first) ?? 0,
    seed: wholeNumber("seed", values.seed) ?? 0,
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new Error(`--${name} ${text}: not a whole number.`);
}

async function runSuite(suite: Suite, chosen: ReturnType<typeof options>, folder: string): Promise<Report> {
  const report: Report = { suite: suite.name, seconds: 0, figures: [], failures: [] };
  const started = performance.now();
  const { seed, count, first, trial } = chosen;
  const suiteOptions: SuiteOptions = {
    seed,
    count,
    first,
    trial,
    folder: join(folder, suite.name),
    progress: (text) => showProgress(`${suite.name}: ${text}`),
    fail(number, problems, kept) {
      report.failures.push({ trial: number, problems });
      showProgress("");
      console.error(`FAILED ${suite.name}, trial ${number}: ${problems.join("\n  ")}`);
      if (kept) console.error(`  files: ${kept}`);
      console.error(`  repeat: npm run torture -- --only ${suite.name} --seed ${seed} --trial ${number}`);
    },
  };
  mkdirSync(suiteOptions.folder, { recursive: true });
  report.figures = await suite.run(suiteOptions);
  report.seconds = (performance.now() - started) / 1000;
  showProgress("");
  return report;
}

let lastProgress = 0;

/** One line that is written over, or now and then a line of a log. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text && performance.now() - lastProgress > 30_000) {
    lastProgress = performance.now();
    console.error(text);
  }
}

function printTable(reports: readonly Report[]): void {
  const rows = reports.flatMap(({ suite, seconds, figures }) =>
    figures.map(({ figure, value, passed }) => [passed ? "pass" : "FAIL", suite, figure, value, seconds]),
  );
  const width = (column: number) => Math.max(...rows.map((row) => `${row[column]}`.length));
  const [name, figure] = [width(1), width(2)];
  for (const [mark, ...row] of rows)
    console.log(`${mark}  ${`${row[0]}`.padEnd(name)}  ${`${row[1]}`.padEnd(figure)}  ${row[2]}`);
  for (const { suite, seconds } of reports) console.log(`${suite}: ${Math.round(seconds)} s`);
}

async function torture(): Promise<number> {
  const chosen = options();
  if (chosen.help) {
    console.log(usage);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), "torture-"));
  const reports: Report[] = [];
  for (const suite of chosen.suites) reports.push(await runSuite(suite, chosen, folder));
  printTable(reports);
  const machine = { node: process.version, platform: process.platform, cores: cpus().length };
  const { seed } = chosen;
  if (chosen.out)
    writeFileSync(
      chosen.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, seed, reports }, null, 2)}\n`,
    );
  const hasPassed = reports.every(({ figures }) => figures.every(({ passed }) => passed));
  // After a failure it has what there is to look at.
  if (hasPassed) rmSync(folder, { recursive: true, force: true });
  return hasPassed ? 0 : 1;
}

process.exitCode = await torture().catch((error: Error) => {
  console.error(error.message);
  return 1;
});
