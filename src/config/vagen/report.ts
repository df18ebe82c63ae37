// The report of an import as text: one aligned block for each kind of finding.
import { short } from "../../core/short.ts";
import { type Finding, KIND_TITLES, KINDS, ofKind } from "./findings.ts";
import type { VagenImport } from "./import.ts";
import { GENERATION_NAMES } from "./key-mapping.ts";

/** The whole report. */
export function reportText({ generation, findings }: VagenImport): string {
  const groups = KINDS.map((kind) => ({ kind, found: ofKind(findings, kind) as Finding[] })).filter(
    ({ found }) => found.length > 0,
  );
  const counts = groups.map(({ kind, found }) => `${found.length} ${kind}`).join(", ");
  const blocks = groups.map(({ kind, found }) => `${KIND_TITLES[kind]}\n${aligned(found.map(cells))}`);
  return [`${GENERATION_NAMES[generation]}: ${counts || "nothing in it"}`, ...blocks].join("\n\n");
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
  const { kind, key, value, remark = "" } = finding;
  const setting = kind === "applied" || kind === "assumed" ? [finding.path, shortValue(finding.ours)] : [];
  return [short(key), shortValue(value), ...setting, short(remark, LONGEST_REMARK)];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ")}`.trimEnd())
    .join("\n");
}
