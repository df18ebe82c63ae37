// `check-gpu`: whether every kernel gives the right numbers on the GPU of this machine.
import type { CheckReport } from "../conformance/report.ts";
import type { PolledGpu } from "../gpu/device.ts";
import { UsageError, type Values } from "./args.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-progress.ts";
import { requestGpu } from "./gpu.ts";
import type { Io } from "./io.ts";

// Loaded on demand: it includes every kernel with its twin.
const load = async () => ({
  ...(await import("../conformance/check-adapter.ts")),
  ...(await import("../conformance/report.ts")),
  ...(await import("../conformance/cases/index.ts")),
});

export const checkGpuCommand: Command = {
  summary: "Check every kernel on this machine's GPU against the CPU.",
  details:
    "Runs every variant of every kernel, whether or not this GPU would choose it, and compares it with a readable computation " +
    "on the CPU. Each case runs two to four times on the same input, and all runs must give equal bits. The exit code is 1 if a " +
    "result differs by more than its tolerance, or from run to run.",
  options: {
    kernel: {
      value: "<name>",
      help: "Only kernels whose name contains this. Can be repeated.",
      multiple: true,
    },
    markdown: { help: "Print the report as Markdown, for a bug report." },
    json: { help: "Print the report as JSON." },
  },
  async run(values, io) {
    const report = await check(values, io);
    io.out(await textOf(report, values));
    return report.results.every(({ ok }) => ok) && report.skipped.length === 0 ? 0 : 1;
  },
};

async function check(values: Values, io: Io): Promise<CheckReport> {
  const { checkAdapter } = await load();
  const cases = await chosenCases(values.list("kernel"));
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  try {
    return await checkAdapter(
      (await requestGpu()) as PolledGpu,
      `Node ${process.version} ${process.platform}`,
      {
        cases,
        signal: stop.signal,
        onProgress: (done, of, label) => showProgress(io, `${done + 1}/${of} ${label}`),
      },
    );
  } finally {
    ignore();
    if (io.isTty) io.err("\r\x1b[2K");
  }
}

/** @throws UsageError if there is no such kernel. */
async function chosenCases(names: readonly string[]) {
  const { kernelCases } = await load();
  for (const name of names)
    if (!kernelCases.some(({ spec }) => spec.label.includes(name)))
      throw new UsageError(
        `--kernel ${name}: no kernel has a name that contains "${name}".`,
        "shaders/README.md lists them.",
      );
  if (names.length === 0) return kernelCases;
  return kernelCases.filter(({ spec }) => names.some((name) => spec.label.includes(name)));
}

function showProgress(io: Io, line: string): void {
  if (io.isTty) io.err(`\r\x1b[2K${line.slice(0, io.columns() - 1)}`);
}

async function textOf(report: CheckReport, values: Values): Promise<string> {
  if (values.has("json")) return JSON.stringify(report);
  const { deviceLines, failureLines, RESULT_HEADS, reportText, resultRows, verdictOf } = await load();
  if (values.has("markdown")) return reportText(report);
  return [
    ...deviceLines(report.device),
    "",
    formatTable([RESULT_HEADS, ...resultRows(report)]),
    "",
    ...failureLines(report),
    verdictOf(report),
  ].join("\n");
}
