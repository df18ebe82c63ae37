// What became of every key of VAGEN's files, before their configuration replaces the draft.
import { type Finding, KIND_TITLES, KINDS, missingTask, ofKind } from "../../config/vagen/findings.ts";
import type { VagenImport } from "../../config/vagen/import.ts";
import { GENERATION_NAMES } from "../../config/vagen/key-mapping.ts";
import { shortValue } from "../../config/vagen/report.ts";
import { Chip, Dialog, ScrollRegion } from "../components/controls.tsx";

export interface ImportReport {
  /** Of the files. */
  names: readonly string[];
  imported: VagenImport;
}

export function ImportDialog({
  report,
  onUse,
  onClose,
}: {
  report: ImportReport | null;
  onUse: () => void;
  onClose: () => void;
}) {
  const missing = report && missingTask(report.imported.findings);
  return (
    <Dialog title="Import a configuration" open={report !== null} onClose={onClose} wide>
      {report && <Report {...report} />}
      {missing && (
        <p role="alert" className="mt-3 text-dense text-danger">
          The studio has no task {shortValue(missing.value)}. This configuration cannot be used with a
          different task.
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-primary" disabled={Boolean(missing)} onClick={onUse}>
          Use this configuration
        </button>
        <button type="button" className="btn" onClick={onClose}>
          Keep the current configuration
        </button>
      </div>
    </Dialog>
  );
}

const TONES = {
  refused: "danger",
  unknown: "warning",
  unsupported: "warning",
  applied: "ok",
  assumed: "accent",
  ignored: "plain",
} as const;

/** The findings by kind, those that need a look first. */
export function Report({ names, imported: { generation, findings } }: ImportReport) {
  const present = KINDS.filter((kind) => ofKind(findings, kind).length > 0);
  return (
    <>
      <p className="mb-2 text-dense text-muted">
        {names.join(", ")}: read as a configuration of {GENERATION_NAMES[generation]}. Settings that the files
        do not contain keep the studio's defaults.
      </p>
      <div className="mb-3 flex flex-wrap gap-1.5">
        {present.map((kind) => (
          <Chip key={kind} tone={TONES[kind]}>
            {ofKind(findings, kind).length} {kind}
          </Chip>
        ))}
      </div>
      <ScrollRegion name="What happened to each key" className="max-h-[52dvh] rounded-md border border-line">
        {present.map((kind) => (
          <Kind key={kind} kind={kind} findings={ofKind(findings, kind)} />
        ))}
      </ScrollRegion>
    </>
  );
}

function Kind({ kind, findings }: { kind: Finding["kind"]; findings: readonly Finding[] }) {
  return (
    <details open={kind !== "ignored"} className="border-b border-line last:border-b-0">
      <summary className="bg-panel px-3 py-1.5 text-dense font-semibold">
        {KIND_TITLES[kind]} <span className="nums text-muted">({findings.length})</span>
      </summary>
      <ul>
        {findings.map((finding, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one key may appear twice, and the list never changes
          <Line key={n} finding={finding} />
        ))}
      </ul>
    </details>
  );
}

/** Theirs on the left, ours on the right; below each other where the window is narrow. */
function Line({ finding }: { finding: Finding }) {
  const { remark } = finding;
  const isSet = finding.kind === "applied" || finding.kind === "assumed";
  return (
    <li className="grid gap-x-4 border-t border-line px-3 py-1.5 text-dense sm:grid-cols-2">
      <Setting name={finding.key} value={finding.value} />
      {isSet && <Setting name={finding.path} value={finding.ours} arrow />}
      {remark && <span className={`text-caption text-muted ${isSet ? "sm:col-span-2" : ""}`}>{remark}</span>}
    </li>
  );
}

function Setting({ name, value, arrow = false }: { name: string; value: unknown; arrow?: boolean }) {
  return (
    <span className="min-w-0 break-words">
      {arrow && <span className="text-muted">→ </span>}
      <code className="font-mono text-caption">{name}</code>{" "}
      <span className="nums font-semibold">{shortValue(value)}</span>
    </span>
  );
}
