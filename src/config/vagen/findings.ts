// What became of each key of an imported file.

/** A value that the configuration now has. */
interface Set {
  /** As the file says it. */
  key: string;
  value: unknown;
  path: string;
  ours: unknown;
}
/** How the meaning differs, or where the value came from. */
type Noted = { note?: string };

export type Applied = Set & Noted & { kind: "applied" };
/** Not in the file: VAGEN's default, where it belongs to the method. */
export type Assumed = Set & Noted & { kind: "assumed" };
/** The studio's schema does not take the value; the default stays. */
export type Refused = Set & { kind: "refused"; message: string; hint: string };
/** VAGEN can, the studio cannot yet: what is trained differs from what was asked for. */
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

/** In the order in which people should read them. */
export const KINDS = ["refused", "unknown", "unsupported", "applied", "assumed", "ignored"] as const;

/** The findings of one kind. */
export function ofKind<K extends Finding["kind"]>(
  findings: readonly Finding[],
  kind: K,
): Extract<Finding, { kind: K }>[] {
  return findings.filter((finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind);
}

/** The task that the files ask for when the studio has none of theirs: their other settings on another would be another run. */
export function missingTask(findings: readonly Finding[]): Refused | undefined {
  if (ofKind(findings, "applied").some(({ path }) => path === "env.name")) return undefined;
  return ofKind(findings, "refused").find(({ path }) => path === "env.name");
}
