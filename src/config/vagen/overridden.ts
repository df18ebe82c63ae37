// Which values of the files do not have the last word.
import { getPath, isTree, WHOLE } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";
import type { Finding } from "./findings.ts";

/** A finding, with a remark where a later line of the files sets the same setting to something else. */
export function noteIfOverridden(finding: Finding, config: RunConfig): Finding {
  if (finding.kind !== "applied") return finding;
  const other = differing(finding.path, finding.ours, getPath(config, finding.path));
  if (!other) return finding;
  return {
    ...finding,
    remark:
      other.value === undefined
        ? `Another line of the files leaves ${other.path} out.`
        : `Another line of the files makes ${other.path} ${JSON.stringify(other.value)}.`,
  };
}

/** The first value that a configuration has differently. Entries that the user names also contain defaults that the file leaves out. */
function differing(
  path: string,
  ours: unknown,
  value: unknown,
): { path: string; value: unknown } | undefined {
  if (isEqual(value, ours)) return undefined;
  if (!isNamed(path) || !isTree(value) || !isTree(ours)) return { path, value };
  for (const [key, own] of Object.entries(ours)) {
    const found = differing(`${path}.${key}`, own, value[key]);
    if (found) return found;
  }
  return undefined;
}

/** Whether a path is that of the environments or the validation sets of a run, or lies below it. */
const isNamed = (path: string): boolean => WHOLE.some((whole) => `${path}.`.startsWith(`${whole}.`));

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
