// Marks values of the files that a later line overrides.
import { getPath, isTree, WHOLE } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";
import { type Finding, isEqual } from "./findings.ts";

/** A finding, with a remark where a later line of the files sets the same setting to something else. */
export function noteIfOverridden(finding: Finding, config: RunConfig): Finding {
  if (finding.kind !== "applied") return finding;
  const other = differing(finding.path, finding.ours, effective(finding.path, config));
  if (!other) return finding;
  return {
    ...finding,
    remark:
      other.value === undefined
        ? `A later line of the files leaves ${other.path} out.`
        : `Another line of the files makes ${other.path} ${JSON.stringify(other.value)}.`,
  };
}

/** Settings of a run that count where a further environment leaves its own out. */
const USUAL: Readonly<Record<string, string>> = {
  max_turns: "rollout.max_turns",
  train_seeds: "trainer.train_seeds",
  val_seeds: "trainer.val_seeds",
};

/** The value that counts at a path: the run's, where a further environment has none. */
function effective(path: string, config: RunConfig): unknown {
  const own = getPath(config, path);
  const [, name, setting = ""] = /^envs\.([^.]+)\.(\w+)$/.exec(path) ?? [];
  const usual = USUAL[setting];
  const isLeft = usual !== undefined && (own === undefined || own === "");
  return isLeft && Object.hasOwn(config.envs, name!) ? getPath(config, usual) : own;
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
