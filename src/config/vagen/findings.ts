// What an import reports about each key.

interface Reported {
  /** As the file names it. */
  key: string;
  value: unknown;
  /** How the meaning differs, where the value came from, or why there is no setting. */
  remark?: string;
}

/** A key that maps to a setting, with its value in our terms. */
export interface Mapped extends Reported {
  /** `assumed` is a default of VAGEN's that no file contains; of a `refused` value the default of ours stays. */
  kind: "applied" | "assumed" | "refused";
  path: string;
  ours: unknown;
}

interface Unmapped extends Reported {
  /** `unsupported`: VAGEN supports it and the studio does not yet, so the run differs from the one in the files. */
  kind: "unknown" | "unsupported" | "ignored";
}

export type Finding = Mapped | Unmapped;
type Kind = Finding["kind"];

/** Headings of a report's blocks, most urgent first. */
export const KIND_TITLES: Readonly<Record<Kind, string>> = {
  refused: "Refused; the default stays",
  unknown: "Unknown",
  unsupported: "Not supported yet",
  applied: "Applied",
  assumed: "Assumed: defaults that the files leave out",
  ignored: "Ignored",
};
export const KINDS = Object.keys(KIND_TITLES) as Kind[];

/** The findings of one kind. */
export const ofKind = <K extends Kind>(findings: readonly Finding[], kind: K) =>
  findings.filter((finding) => finding.kind === kind) as (K extends Mapped["kind"] ? Mapped : Unmapped)[];

/** A finding on a key of a file; `shown` is the file's name for it. */
export const unmapped = (
  kind: Unmapped["kind"],
  { key, shown = key, value }: { key: string; shown?: string; value: unknown },
  remark: string,
): Unmapped => ({ kind, key: shown, value, remark });

/** Why the values of an environment that is refused as a whole are ignored. */
export const OF_REFUSED = "Its environment was refused.";

/** Whether two values would be written alike. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The task of the files, if the studio has none of them. Their other settings would make a different run on another task. */
export function missingTask(findings: readonly Finding[]): Mapped | undefined {
  const isTask = ({ path }: Mapped) => path === "env.name";
  return ofKind(findings, "applied").some(isTask) ? undefined : ofKind(findings, "refused").find(isTask);
}
