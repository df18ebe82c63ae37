// Findings → a valid configuration. Values that the schema or a rule rejects become refused findings; all others stay.
import type { EnvSpec } from "../../envs/env.ts";
import { getPath, setPath } from "../changes.ts";
import { configError, inspectRunConfig } from "../check.ts";
import { describeRunConfig } from "../describe.ts";
import { type ConfigProblem, problemText } from "../rules/problem.ts";
import type { RunConfig } from "../run-config.ts";
import { STUDIO_PREFIX } from "./comments.ts";
import { assumption } from "./defaults.ts";
import { type Applied, type Assumed, type Finding, ofKind } from "./findings.ts";

type Value = Applied | Assumed;
type Overrides = Readonly<Record<string, unknown>>;

interface Combined {
  config: RunConfig;
  refused: ReadonlyMap<Finding, ConfigProblem>;
  /** Our own settings that were changed to make the values fit, by path. */
  adjusted: Overrides;
}

/**
 * Sets the found and assumed values in `base`; later values win. The findings say what became of each.
 * @throws ConfigError when `base` itself is invalid.
 */
export function applyFindings(
  base: RunConfig,
  spec: EnvSpec,
  found: readonly Finding[],
  assumed: readonly Assumed[],
): { config: RunConfig; findings: readonly Finding[] } {
  const values = [...assumed, ...ofKind(found, "applied")];
  const { config, refused, adjusted } = combine(withTask(base, spec), values);
  const reported = [
    ...found.filter((finding) => !isRedundantComment(finding, base)),
    ...assumed.filter((finding) => refused.has(finding) || isChange(finding, config, base)),
  ].map((finding) => {
    const problem = refused.get(finding);
    if (!problem) return noteIfOverridden(finding, config);
    return { ...(finding as Value), kind: "refused" as const, ...problemText(problem) };
  });
  const adjustments = Object.entries(adjusted).map(([path, ours]) => ({
    ...assumption("studio", path, ours),
    note: "Makes room for the values above.",
  }));
  return { config, findings: [...reported, ...adjustments] };
}

/** The base with another task. A task without claims can have neither a format that states any nor a judge of them. */
function withTask(base: RunConfig, { id, claims }: EnvSpec): object {
  if (id === base.env.name) return base;
  const other = { ...base, env: { name: id, config: {} } };
  if (claims.length > 0) return other;
  return {
    ...other,
    rollout: { ...base.rollout, prompt_format: "boxed" },
    judge: { ...base.judge, name: "off" },
  };
}

/** As many of the values as are valid together. The checks run again after each value that is refused. */
function combine(base: object, values: readonly Value[]): Combined {
  const refused = new Map<Finding, ConfigProblem>();
  const adjusted: Record<string, unknown> = {};
  for (;;) {
    const kept = values.filter((value) => !refused.has(value));
    const input = withValues(base, kept, adjusted);
    const { config, problems } = inspectRunConfig(input);
    if (config) return { config, refused, adjusted };
    const [problem] = problems as readonly [ConfigProblem];
    const value = adjustedValue(problem, kept, input);
    if (value !== null) {
      adjusted[problem.path] = value;
      continue;
    }
    const conflicting = conflictingValue(base, kept, adjusted, problem);
    if (!conflicting) throw configError(problems);
    refused.set(conflicting, problem);
  }
}

function withValues(base: object, values: readonly Value[], adjusted: Overrides): object {
  const start = Object.entries(adjusted).reduce((tree, [path, ours]) => setPath(tree, path, ours), base);
  return values.reduce((tree, { path, ours }) => setPath(tree, path, ours), start);
}

/** Settings that VAGEN does not have, with the next value to try when they conflict with imported ones. */
const ADJUSTABLE: Readonly<Record<string, (value: number) => number>> = {
  "trainer.micro_batch_tokens": (tokens) => tokens * 2,
  "actor.ppo_mini_batch_size": (episodes) => Math.floor(episodes / 2),
  "sft.one_turn_updates": (updates) => Math.floor(updates / 2),
};

/** The next value of an adjustable setting that no file sets; null where there is none in its range. */
function adjustedValue({ path }: ConfigProblem, values: readonly Value[], input: object): number | null {
  const next = ADJUSTABLE[path];
  if (!next || values.some((value) => value.path === path)) return null;
  const value = next(Number(getPath(input, path)));
  const { min = 0, max = Number.POSITIVE_INFINITY } = describeRunConfig().find(
    (field) => field.path === path,
  )!;
  return value >= min && value <= max ? value : null;
}

/**
 * The value to refuse: the last one at the problem's path. A rule names one setting only, so where no file sets that one,
 * it is the last value without which the problem disappears.
 */
function conflictingValue(
  base: object,
  values: readonly Value[],
  adjusted: Overrides,
  problem: ConfigProblem,
): Value | undefined {
  const isCause = (value: Value) => {
    const others = values.filter((other) => other !== value);
    const { problems } = inspectRunConfig(withValues(base, others, adjusted));
    return !problems.some(({ path }) => path === problem.path);
  };
  return (
    values.findLast(({ path }) => path === problem.path || problem.path.startsWith(`${path}.`)) ??
    values.findLast(isCause) ??
    values.at(-1)
  );
}

/** A default is worth a line where it is in effect and the base had another value. */
function isChange({ path, ours }: Assumed, config: RunConfig, base: RunConfig): boolean {
  return isEqual(getPath(config, path), ours) && !isEqual(getPath(base, path), ours);
}

/** A comment that restates the value already in effect. */
function isRedundantComment(finding: Finding, base: RunConfig): boolean {
  const { kind, key } = finding;
  return (
    kind === "applied" && key.startsWith(STUDIO_PREFIX) && isEqual(getPath(base, finding.path), finding.ours)
  );
}

/** Two keys may set one setting. */
function noteIfOverridden(finding: Finding, config: RunConfig): Finding {
  if (finding.kind !== "applied") return finding;
  const value = getPath(config, finding.path);
  if (isEqual(value, finding.ours)) return finding;
  return { ...finding, note: `Another line of the files makes ${finding.path} ${JSON.stringify(value)}.` };
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
