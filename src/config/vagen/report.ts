// The report of an import as text: one aligned block for each kind of finding.
import { short } from "../../core/short.ts";
import { type Finding, KINDS, ofKind } from "./findings.ts";
import type { VagenImport } from "./import.ts";

/** Headings of the blocks. */
export const KIND_TITLES: Readonly<Record<Finding["kind"], string>> = {
  refused: "Refused; the default stays",
  unknown: "Unknown",
  unsupported: "Not supported yet",
  applied: "Applied",
  assumed: "Assumed: not in the files, but VAGEN's default",
  ignored: "Ignored",
};

/** The words behind a count, as in "3 applied". */
export const KIND_WORDS: Readonly<Record<Finding["kind"], string>> = {
  refused: "refused",
  unknown: "unknown",
  unsupported: "not supported yet",
  applied: "applied",
  assumed: "assumed",
  ignored: "ignored",
};

function summaryOf({ generation, findings }: VagenImport): string {
  const counts = KINDS.map((kind) => ({ kind, count: ofKind(findings, kind).length }));
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${KIND_WORDS[kind]}`);
  return `VAGEN ${generation}: ${parts.join(", ") || "nothing in it"}`;
}

/** The whole report. */
export function reportText(imported: VagenImport): string {
  const blocks = KINDS.flatMap((kind) => {
    const found = ofKind(imported.findings, kind);
    return found.length > 0 ? [`${KIND_TITLES[kind]}\n${aligned(found.map(cells))}`] : [];
  });
  return [summaryOf(imported), ...blocks].join("\n\n");
}

/** The remark on a finding, beside its key and value. */
export function remark(finding: Finding): string {
  switch (finding.kind) {
    case "refused":
      return `${finding.message} ${finding.hint}`.replaceAll("\n", " ");
    case "unknown":
      return finding.nearest ? `Did you mean ${finding.nearest}?` : "No similar key is known.";
    case "unsupported":
    case "ignored":
      return finding.why;
    default:
      return finding.note ?? "";
  }
}

/** A value on one line; learning rates as people write them. */
export function shortValue(value: unknown): string {
  const text =
    typeof value === "string" ? value : typeof value === "number" ? numeral(value) : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const LONGEST = 32;
/** Every row is padded to the longest remark. */
const LONGEST_REMARK = 1000;

const numeral = (value: number): string =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential() : String(value);

function cells(finding: Finding): string[] {
  const start = [short(finding.key), shortValue(finding.value)];
  const isSet = finding.kind === "applied" || finding.kind === "assumed";
  return isSet
    ? [...start, finding.path, shortValue(finding.ours), short(remark(finding), LONGEST_REMARK)]
    : [...start, short(remark(finding), LONGEST_REMARK)];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ")}`.trimEnd())
    .join("\n");
}
