// What a check found, as a page and a terminal show it and as a bug report can quote it.
import { counted } from "../core/format.ts";

/** One variant of a kernel over all of its cases. */
export interface VariantResult {
  /** The label of the spec, e.g. linear_forward_staged. */
  readonly label: string;
  readonly cases: number;
  /** Of the case that comes nearest to its tolerance, or exceeds it most; null if none could be run. */
  readonly worst: { readonly error: number; readonly tolerance: number } | null;
  readonly ok: boolean;
  /** What failed, with the numbers; empty if nothing did. */
  readonly failures: readonly string[];
  /** Upload, compilation, dispatch and read-back of all cases. */
  readonly ms: number;
}

/** What a bug report must say about the device. */
export interface CheckedDevice {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  readonly software: boolean;
  /** The adapter's, whether or not the studio asks for them. */
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  /** The browser, or the version of Node. */
  readonly host: string;
}

export interface CheckReport {
  readonly device: CheckedDevice;
  readonly results: readonly VariantResult[];
  /** Variants that were not run, because the check was cancelled or the device was lost too often. */
  readonly skipped: readonly string[];
}

const SUFFIX = /_(workgroup|staged|large|group)$/;

/** The kernel that a variant belongs to. */
export const kernelOf = (label: string): string => label.replace(SUFFIX, "");

/** Which adapters choose this variant, given the labels of all. */
export function variantOf(label: string, labels: readonly string[]): "all" | "software" | "hardware" {
  if (SUFFIX.test(label)) return "hardware";
  return labels.some((other) => other !== label && kernelOf(other) === label) ? "software" : "all";
}

const number = (value: number): string => (Number.isFinite(value) ? value.toExponential(1) : "not finite");

/** One row for each variant: kernel, variant, cases, largest error, tolerance, verdict, milliseconds. */
export function resultRows({ results, skipped }: Pick<CheckReport, "results" | "skipped">): string[][] {
  const labels = [...results.map(({ label }) => label), ...skipped];
  return results.map(({ label, cases, worst, ok, ms }) => [
    kernelOf(label),
    variantOf(label, labels),
    String(cases),
    worst ? number(worst.error) : "–",
    worst ? number(worst.tolerance) : "–",
    ok ? "ok" : "FAILED",
    ms.toFixed(0),
  ]);
}

/** The heads of `resultRows`. */
export const RESULT_HEADS = ["kernel", "variant", "cases", "largest error", "tolerance", "result", "ms"];

/** The outcome in one sentence. */
export function verdictOf({ results, skipped }: Pick<CheckReport, "results" | "skipped">): string {
  const wrong = results.filter(({ ok }) => !ok).length;
  const rest = skipped.length > 0 ? ` ${counted(skipped.length, "variant")} did not run.` : "";
  if (wrong > 0)
    return `${wrong} of ${counted(results.length, "kernel variant")} failed on this device.${rest}`;
  if (results.length === 0) return `Nothing was checked.${rest}`;
  return `${counted(results.length, "kernel variant")} gave the right numbers on this device.${rest}`;
}

/** The whole report as Markdown. */
export function reportText(report: CheckReport): string {
  const { device, skipped } = report;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const failures = failureLines(report);
  return [
    verdictOf(report),
    "",
    ...deviceLines(device),
    "",
    line(RESULT_HEADS),
    line(RESULT_HEADS.map(() => "---")),
    ...resultRows(report).map(line),
    ...(failures.length > 0 ? ["", "Failures:", ...failures.map((text) => `- ${text}`)] : []),
    ...(skipped.length > 0 ? ["", `Not run: ${skipped.join(", ")}`] : []),
  ].join("\n");
}

/** What failed, one line for each case that is named. */
export const failureLines = ({ results }: Pick<CheckReport, "results">): string[] =>
  results.flatMap(({ label, failures }) => failures.map((text) => `${label}: ${text}`));

/** The adapter in four lines. */
export function deviceLines(device: CheckedDevice): string[] {
  const { vendor, architecture, description, software, features, limits, host } = device;
  const names = [description, vendor, architecture].filter(Boolean);
  return [
    `Adapter: ${names.join(", ") || "unknown"}${software ? " (software)" : ""}`,
    `Host: ${host}`,
    `Features: ${features.join(", ") || "none"}`,
    `Limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ")}`,
  ];
}
