// What an import reports about each key.

/** A key and the setting that it maps to. */
interface Mapped {
  /** As the file names it. */
  key: string;
  value: unknown;
  path: string;
  ours: unknown;
}
/** How the meaning differs, or where the value came from. */
interface Noted {
  note?: string;
}

export type Applied = Mapped & Noted & { kind: "applied" };
/** A default of VAGEN's that no file contains but the method depends on. */
export type Assumed = Mapped & Noted & { kind: "assumed" };
/** The schema rejects the value; the default stays. */
type Refused = Mapped & { kind: "refused"; message: string; hint: string };
/** VAGEN supports it, the studio does not yet: the run differs from the one in the files. */
interface Unsupported {
  kind: "unsupported";
  key: string;
  value: unknown;
  why: string;
}
interface Ignored {
  kind: "ignored";
  key: string;
  value: unknown;
  why: string;
}
interface Unknown {
  kind: "unknown";
  key: string;
  value: unknown;
  nearest: string | null;
}
export type Finding = Applied | Assumed | Refused | Unsupported | Ignored | Unknown;

/** In the order of a report, most urgent first. */
export const KINDS = ["refused", "unknown", "unsupported", "applied", "assumed", "ignored"] as const;

/** The findings of one kind. */
export function ofKind<K extends Finding["kind"]>(
  findings: readonly Finding[],
  kind: K,
): Extract<Finding, { kind: K }>[] {
  return findings.filter((finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind);
}

/** The task of the files, if the studio has none of them. Their other settings would make a different run on another task. */
export function missingTask(findings: readonly Finding[]): Refused | undefined {
  if (ofKind(findings, "applied").some(({ path }) => path === "env.name")) return undefined;
  return ofKind(findings, "refused").find(({ path }) => path === "env.name");
}
