// Checks a device: every variant of every kernel against its CPU twin, one variant after another.
import { GpuError, serializeError } from "../core/errors.ts";
import type { Gpu } from "../gpu/device.ts";
import { casesByVariant } from "./by-kernel.ts";
import type { KernelCase } from "./case.ts";
import { kernelCases } from "./cases/index.ts";
import type { Instability } from "./repeats.ts";
import type { VariantResult } from "./report.ts";
import { type Outcome, runCase } from "./run-case.ts";
import type { Stray } from "./strays.ts";

export interface CheckOptions {
  /** Opens a device of the adapter; again after one was lost. */
  open(): Promise<Gpu>;
  /** Called before each variant runs. */
  onProgress?(done: number, of: number, label: string): void;
  onResult?(result: VariantResult): void;
  /** Ends the check after the variant that is running. */
  signal?: AbortSignal;
  /** Absent: all. */
  cases?: readonly KernelCase[];
}

/** After so many lost devices the check ends: the driver does not recover. */
const MAX_LOSSES = 3;
/** Each failing case says the same; a report needs the first few. */
const MAX_FAILURES = 3;

/**
 * Runs the cases and destroys the devices that it opened. A kernel that does not compile, a wrong number, a lost device and a
 * time-out are results, not exceptions.
 * @throws GpuError if no device can be opened at all; what `open` throws.
 */
export async function checkDevice({
  open,
  onProgress,
  onResult,
  signal,
  cases = kernelCases,
}: CheckOptions): Promise<{ results: VariantResult[]; skipped: string[] }> {
  const variants = [...casesByVariant(cases)];
  const results: VariantResult[] = [];
  let gpu = await open();
  let losses = 0;
  try {
    for (const [done, [label, group]] of variants.entries()) {
      if (signal?.aborted) break;
      onProgress?.(done, variants.length, label);
      const { result, isDeviceGone } = await checkVariant(gpu, label, group);
      results.push(result);
      onResult?.(result);
      if (!isDeviceGone) continue;
      losses++;
      gpu.destroy();
      if (losses === MAX_LOSSES) break;
      gpu = await open();
    }
  } finally {
    gpu.destroy();
  }
  return { results, skipped: variants.slice(results.length).map(([label]) => label) };
}

interface VariantOutcome {
  result: VariantResult;
  isDeviceGone: boolean;
}

async function checkVariant(gpu: Gpu, label: string, cases: readonly KernelCase[]): Promise<VariantOutcome> {
  const begin = performance.now();
  await compileAll(gpu, cases);
  const { outcomes, failures, isDeviceGone } = await runCases(gpu, cases);
  return {
    isDeviceGone,
    result: {
      label,
      cases: cases.length,
      worst: worstOf(outcomes),
      ok: failures.length === 0,
      failures: shortened(failures),
      ms: performance.now() - begin,
    },
  };
}

interface CasesOutcome {
  readonly outcomes: readonly Outcome[];
  readonly failures: readonly string[];
  readonly isDeviceGone: boolean;
}

/** Ends at the first case that throws: a kernel that does not compile fails for every input. */
async function runCases(gpu: Gpu, cases: readonly KernelCase[]): Promise<CasesOutcome> {
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  for (const each of cases) {
    try {
      const outcome = await runCase(gpu, each);
      outcomes.push(outcome);
      failures.push(...failuresOf(each, outcome));
    } catch (error) {
      failures.push(`${nameOf(each)}: ${serializeError(error).message}`);
      const isDeviceGone = error instanceof GpuError && ["device_lost", "timeout"].includes(error.code);
      return { outcomes, failures, isDeviceGone };
    }
  }
  return { outcomes, failures, isDeviceGone: false };
}

/** The outcome that comes nearest to its tolerance, or exceeds it most. */
function worstOf(outcomes: readonly Outcome[]): VariantResult["worst"] {
  const [first, ...rest] = outcomes;
  if (!first) return null;
  const { error, tolerance } = rest.reduce((a, b) => (b.excess > a.excess ? b : a), first);
  return { error, tolerance };
}

/** Compiles at once what the cases need. A failure is reported by the first case that runs the kernel. */
async function compileAll(gpu: Gpu, cases: readonly KernelCase[]): Promise<void> {
  const compile = ({ spec, constants }: KernelCase) => gpu.compile(spec, { ...spec.constants, ...constants });
  await Promise.allSettled(cases.map(compile));
}

function shortened(failures: readonly string[]): string[] {
  const rest = failures.length - MAX_FAILURES;
  return rest > 0 ? [...failures.slice(0, MAX_FAILURES), `${rest} more`] : [...failures];
}

function nameOf({ title, constants }: KernelCase): string {
  const set = Object.entries(constants).map(([name, value]) => `${name} ${value}`);
  return [title, ...set].join(", ");
}

/** What is wrong with a case: a number, whether its runs differ, and whether it leaves its data. */
export function failuresOf(each: KernelCase, outcome: Outcome): string[] {
  const { binding, index, got, want, tolerance, excess, instability, stray, runs } = outcome;
  const failures: string[] = [];
  if (excess > 1)
    failures.push(`${binding}[${index}] is ${got}, should be ${want} ± ${tolerance.toExponential(1)}`);
  if (instability) failures.push(describeInstability(instability, runs));
  if (stray) failures.push(describeStray(stray));
  return failures.map((text) => `${nameOf(each)}: ${text}`);
}

const describeInstability = (
  { binding, index, first, later, difference }: Instability,
  runs: number,
): string =>
  `not deterministic: of ${runs} runs on the same input, one gave ${first} for ${binding}[${index}] and another ${later}; ` +
  `their difference of ${difference.toExponential(1)} is the largest`;

const describeStray = ({ kind, binding, index }: Stray): string =>
  kind === "write"
    ? `writes out of range: ${binding}[${index}] is beyond the data and was overwritten`
    : `reads out of range: ${binding}[${index}] depends on what lies beyond the data`;
