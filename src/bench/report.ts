// The measurements as text.
import { formatTable } from "../cli/format-progress.ts";
import { formatInteger, formatMiB } from "../core/format.ts";
import { fasterWithLarge, type TileTime } from "../gpu/tile-probe.ts";
import type { CaseReport, Speed } from "./case-report.ts";
import { DECODE_CHUNK } from "./cases.ts";
import { type Result, ROW_USAGE_STEPS, type Usage } from "./compare.ts";
import type { KernelTime } from "./profile.ts";
import { isUncertain, type Peaks, type Roofline } from "./roofline.ts";
import { pairedRatio, spread } from "./stats.ts";

/** Kernels that take less, and a smaller part of the whole, are summed up: their shares would be noise. */
const SMALL = { ms: 0.1, share: 0.01 };

const number = (x: number): string => (x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2));
const percent = (fraction: number): string => `${(100 * fraction).toFixed(0)} %`;

interface Column {
  title: string;
  times: (result: Result) => readonly number[];
  usage: (result: Result) => Usage;
  tokens: number;
  /** Tokens that one usage covers, over those that one time covers. */
  steps: number;
}

/** The implementations of a case beside each other in one kind of work; usages are per step or per token, like the times. */
export function comparison(
  { results }: Pick<CaseReport, "results">,
  { title, times, usage, tokens, steps }: Column,
): string {
  const ours = results[0]!;
  const rows = results.map((result) => {
    const { median, low, high, count } = spread(times(result));
    const { dispatches, submissions, waits, bytes } = usage(result);
    return [
      result.name,
      number(median),
      `${number(low)}–${number(high)}`,
      `${count}`,
      number((tokens / median) * 1000),
      result === ours ? "" : `${number(pairedRatio(times(result), times(ours)))}×`,
      number(dispatches / steps),
      number(submissions / steps),
      number(waits / steps),
      formatMiB(bytes),
    ];
  });
  const head = [
    title,
    "median ms",
    "quartiles",
    "n",
    "tokens/s",
    "vs ours",
    "dispatches",
    "submissions",
    "waits",
    "GPU memory",
  ];
  return formatTable([head, ...rows]);
}

/** Every kernel that is not small, with its share of the time and of what the device can do. */
export function kernelTable(title: string, kernels: readonly KernelTime[], roofline: Roofline): string {
  const total = kernels.reduce((sum, { ms }) => sum + ms, 0);
  const isSmall = ({ ms }: KernelTime) => ms < SMALL.ms && ms / total < SMALL.share;
  const shown = kernels.filter((kernel) => !isSmall(kernel));
  const rest = kernels.filter(isSmall);
  const rows = shown.map(({ label, dispatches, ms, flops, bytes }) => [
    label,
    `${dispatches}`,
    number(ms),
    percent(ms / total),
    flops ? percent(flops / ms / 1e6 / roofline.gflops) : "",
    bytes ? percent(bytes / ms / 1e6 / roofline.gbytes) : "",
  ]);
  const sum = (label: string, of: readonly KernelTime[]) => {
    const ms = of.reduce((all, kernel) => all + kernel.ms, 0);
    const dispatches = of.reduce((all, kernel) => all + kernel.dispatches, 0);
    return [label, `${dispatches}`, number(ms), percent(ms / total), "", ""];
  };
  if (rest.length) rows.push(sum(`${rest.length} below ${SMALL.ms} ms`, rest));
  rows.push(sum("together", kernels));
  return formatTable([[title, "dispatches", "ms", "share", "of FMA peak", "of copy peak"], ...rows]);
}

/** The times of both tiles for every class that was measured, and which one runs. */
export function tileTable(tiles: readonly TileTime[]): string {
  const large = fasterWithLarge(tiles);
  const rows = tiles.map(({ tileClass, stagedMs, largeMs }) => [
    tileClass,
    stagedMs.toFixed(3),
    largeMs.toFixed(3),
    large.includes(tileClass) ? "128 × 64" : "64 × 64",
  ]);
  return formatTable([["tiles of matrix products", "64 × 64 ms", "128 × 64 ms", "chosen"], ...rows]);
}

/** Every case, and what else can be measured. */
export const benchText = (reports: readonly CaseReport[]): string =>
  [...reports.map(caseText), PRESETS].join("\n\n\n");

const PRESETS = "How long presets train on this device: npm run bench -- --presets 5";

const speedText = ({ gflops, ofPeak }: Speed): string =>
  `${number(gflops)} GFLOP/s, ${percent(ofPeak)} of the peak`;

/** Training steps that are not waited for, of the implementations that have such. */
const rowComparison = ({ results, tokens }: CaseReport): string =>
  comparison(
    { results: results.filter(({ row }) => row.length > 0) },
    {
      title: "training steps in a row, each",
      times: ({ row }) => row,
      usage: ({ rowUsage, trainUsage }) => rowUsage ?? trainUsage,
      tokens,
      steps: ROW_USAGE_STEPS,
    },
  );

/** What limits the shares of a peak, if anything does. */
export const footnotes = (peaks: Peaks): string[] =>
  isUncertain(peaks)
    ? [
        `Shares of a peak are uncertain: its two probes differ by ${percent(peaks.disagreement)}, and the larger one counts.`,
      ]
    : [];

/** One case as text. */
function caseText(report: CaseReport): string {
  const { name, device, parameters, tokens, flops, speed, results, memory, roofline, latency } = report;
  const ours = results[0]!;
  const batch = ours.ids.length / DECODE_CHUNK;
  const parts = Object.entries(memory).map(([category, bytes]) => `${category} ${formatMiB(bytes)}`);
  const sections = [
    `${name}: ${formatInteger(parameters)} parameters, ${tokens} tokens a step, on ${device}`,
    comparison(report, {
      title: "training step",
      times: ({ train }) => train,
      usage: ({ trainUsage }) => trainUsage,
      tokens,
      steps: 1,
    }),
    rowComparison(report),
    comparison(report, {
      title: `decoding, per token of ${batch} sequences`,
      times: ({ decode }) => decode,
      usage: ({ decodeUsage }) => decodeUsage,
      tokens: batch,
      steps: DECODE_CHUNK,
    }),
    `peak: ${number(roofline.gflops)} GFLOP/s of multiply-adds, ${number(roofline.gbytes)} GB/s of copies. ` +
      `Our training step: ${number(flops / 1e9)} GFLOP at ${speedText(speed.step)}; in a row: ${speedText(speed.row)}.`,
    `latency: ${number(latency.dispatchUs)} µs a dispatch, ${number(latency.readbackUs)} µs a read-back.`,
    `our GPU memory: ${parts.join(", ")}`,
    `losses of the first steps: ${results.map(({ name: who, losses }) => `${who} ${losses.map((x) => x.toFixed(5)).join(" ")}`).join("; ")}`,
  ];
  if (report.tiles.length) sections.push(tileTable(report.tiles));
  if (report.trainKernels.length)
    sections.push(kernelTable("kernels of a training step", report.trainKernels, roofline));
  if (report.decodeKernels.length)
    sections.push(kernelTable(`kernels of ${DECODE_CHUNK} tokens`, report.decodeKernels, roofline));
  sections.push(
    [...results.map(({ name: who, notes }) => `${who}: ${notes}.`), ...footnotes(roofline)].join("\n"),
  );
  return sections.join("\n\n");
}
