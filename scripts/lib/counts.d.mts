/** Counts of a check, and lines that name tests of it. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Of what failed. */
  problems: string[];
  /** Of what passed on a second try. */
  retried: string[];
}

/** Counts of one Vitest run from its JSON report, null when there is none, and its exit code. */
export function countReport(report: object | null, exitCode: number): Counts;
