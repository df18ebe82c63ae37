// Findings → a valid configuration. Values that the schema or a rule rejects become refused findings; all others stay.
import { statingParts } from "../../core/formats.ts";
import { joined, plainText } from "../../core/message.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { getPath, setPath } from "../changes.ts";
import { configError, inspectRunConfig } from "../check.ts";
import { fieldAt } from "../describe.ts";
import { type ConfigProblem, sentenceOf } from "../rules/problem.ts";
import { formatWithoutClaims } from "../rules/reply.ts";
import type { PromptFormat, RunConfig } from "../run-config.ts";
import { STUDIO_PREFIX } from "./comments.ts";
import { assumption, WITHOUT_KEY } from "./defaults.ts";
import { type Finding, isEqual, type Mapped, OF_REFUSED, ofKind, unmapped } from "./findings.ts";
import { noteIfOverridden } from "./overridden.ts";

/**
 * Sets the found and assumed values in `base`; later values win. The findings say what became of each.
 * @throws ConfigError when `base` itself is invalid.
 */
export function applyFindings(
  base: RunConfig,
  spec: EnvSpec,
  found: readonly Finding[],
  assumed: readonly Mapped[],
): { config: RunConfig; findings: readonly Finding[] } {
  // Names come first, so that `envs` keeps the order of the files: an assumed default would move its environment to the front.
  const values = nameFirst([...assumed, ...ofKind(found, "applied")]);
  const { config, refused, adjusted } = combine(withTask(base, spec), values);
  const reported = [
    ...found.filter((finding) => !isRedundantComment(finding, base)),
    ...assumed.filter((finding) => refused.has(finding) || isChange(finding, config, base)),
  ].flatMap((finding) =>
    refused.has(finding) ? (refused.get(finding) ?? []) : noteIfOverridden(finding, config),
  );
  return { config, findings: [...reported, ...adjusted] };
}

/**
 * The base with another task. A task without claims can have neither a format that states any nor a judge of them, and only boards can be
 * written in every representation.
 */
function withTask(base: RunConfig, spec: EnvSpec): object {
  if (spec.id === base.env.name) return base;
  const rollout = spec.isWorld ? { ...base.rollout, state_format: "natural" } : base.rollout;
  const other = { ...base, env: { name: spec.id, config: {} }, rollout };
  if (spec.claims.length > 0) return other;
  return {
    ...other,
    rollout: { ...rollout, prompt_format: formatWithoutClaims(spec), state_format: "natural" },
    judge: { ...base.judge, name: "off" },
  };
}

interface Combined {
  config: RunConfig;
  /** Each refused value as its finding reports it; null for a default of an environment that is refused as a whole. */
  refused: ReadonlyMap<Finding, Finding | null>;
  /** Our own settings that were changed to make the values fit. */
  adjusted: readonly Mapped[];
}

/** As many of the values as are valid together. The checks run again after each value that is refused. */
function combine(base: object, values: readonly Mapped[]): Combined {
  const refused = new Map<Finding, Finding | null>();
  const adjusted = new Map<string, Mapped>();
  for (;;) {
    const kept = values.filter((value) => !refused.has(value));
    const start = withValues(base, [...adjusted.values()]);
    const { config, problems } = inspectRunConfig(withValues(start, kept));
    if (config) return { config, refused, adjusted: [...adjusted.values()] };
    const [problem] = problems as readonly [ConfigProblem];
    const adjustment = adjustmentFor(problem, kept) ?? withoutJudge(problem, kept, withValues(start, kept));
    if (adjustment) {
      adjusted.set(problem.path, adjustment);
      continue;
    }
    const [conflicting, ...others] = conflictingValues(start, kept, problem);
    if (!conflicting) throw configError(problems);
    const why = plainText(joined([sentenceOf(problem), problem.hint]));
    const remark = conflicting.kind === "assumed" ? `A default that the files leave out. ${why}` : why;
    refused.set(conflicting, { ...conflicting, kind: "refused", remark });
    for (const one of others)
      refused.set(one, one.kind === "assumed" ? null : unmapped("ignored", one, OF_REFUSED));
  }
}

const withValues = (base: object, values: readonly Mapped[]): object =>
  values.reduce((tree, { path, ours }) => setPath(tree, path, ours), base);

/** Settings that VAGEN does not have, with the next value to try when they conflict with imported ones. */
const ADJUSTABLE: Readonly<Record<string, (value: number) => number>> = {
  "trainer.micro_batch_tokens": (tokens) => tokens * 2,
  "actor.ppo_mini_batch_size": (episodes) => Math.floor(episodes / 2),
  "sft.one_turn_updates": (updates) => Math.floor(updates / 2),
};

/** The next value of an adjustable setting that no file sets; undefined where there is none in its range. */
function adjustmentFor({ path, value }: ConfigProblem, kept: readonly Mapped[]): Mapped | undefined {
  const next = ADJUSTABLE[path]?.(Number(value));
  if (next === undefined || kept.some((other) => other.path === path)) return undefined;
  const { min, max } = fieldAt(path) as { min: number; max: number };
  return next >= min && next <= max
    ? assumption("studio", path, next, "Makes room for the values above.")
    : undefined;
}

/** Turns the judge off for an environment that has nothing to judge, where replies state nothing in the other ones either. */
function withoutJudge(
  { path, entry }: ConfigProblem,
  kept: readonly Mapped[],
  tree: object,
): Mapped | undefined {
  if (path !== JUDGE || entry === undefined || kept.some((other) => other.path === JUDGE)) return undefined;
  const format = getPath(tree, "rollout.prompt_format") as PromptFormat;
  if (statingParts(format).length > 0) return undefined;
  return assumption("studio", JUDGE, "off", `Replies make no claims, and ${entry} has no judge.`);
}

const JUDGE = "judge.name";

/**
 * The values to refuse: the last one at the problem's path. A rule names one setting only, so where no file sets that one, it is the last
 * value, or the last further environment, without which the problem disappears. If a further environment causes the problem, only its values
 * count, and those of all of `envs`.
 */
function conflictingValues(
  start: object,
  kept: readonly Mapped[],
  problem: ConfigProblem,
): readonly Mapped[] {
  const isCause = (values: readonly Mapped[]) => {
    const others = kept.filter((other) => !values.includes(other));
    const { problems } = inspectRunConfig(withValues(start, others));
    return !problems.some(({ path, entry }) => path === problem.path && entry === problem.entry);
  };
  // What VAGEN does without a key gives way to an environment that cannot have it.
  const implied = kept.find(({ key, path }) => key === WITHOUT_KEY && path === problem.path);
  if (implied && problem.entry !== undefined && problem.fix) return [implied];
  const prefix = problem.entry === undefined ? "" : `envs.${problem.entry}.`;
  const ofEntry = kept.filter(({ path }) => prefix !== "" && path.startsWith(prefix));
  const ofEnvs = kept.filter(({ path }) => path === "envs");
  const candidates = prefix === "" ? kept : kept.filter((value) => [...ofEntry, ...ofEnvs].includes(value));
  const single = candidates.findLast(({ path }) => `${problem.path}.`.startsWith(`${path}.`));
  if (single) return [single];
  const parts = [...partsOf(kept), ...(prefix === "" ? [] : [ofEntry, ...aloneOf(ofEntry)])];
  return parts.findLast(isCause) ?? kept.slice(-1);
}

/** The values that can be refused alone. Without its name, a further environment would be another one. */
const aloneOf = (values: readonly Mapped[]): Mapped[][] =>
  values.filter((value) => !isName(value)).map((value) => [value]);

const isName = ({ path }: Mapped): boolean => /^envs\.[^.]*\.name$/.test(path);

const nameFirst = (values: readonly Mapped[]): Mapped[] =>
  values.toSorted((a, b) => Number(isName(b)) - Number(isName(a)));

/** What can be refused: single values, and further environments with all of their values. */
function partsOf(values: readonly Mapped[]): Mapped[][] {
  const entryOf = ({ path }: Mapped) => /^envs\.[^.]*/.exec(path)?.[0];
  const entries = new Set(values.flatMap((value) => entryOf(value) ?? []));
  return [
    ...values.filter((value) => !entryOf(value)).map((value) => [value]),
    ...[...entries].map((entry) => values.filter((value) => entryOf(value) === entry)),
  ];
}

/** A default is worth a line where it is in effect and the base had another value. */
const isChange = ({ path, ours }: Mapped, config: RunConfig, base: RunConfig): boolean =>
  isEqual(getPath(config, path), ours) && !isEqual(getPath(base, path), ours);

/** A comment that restates the value already in effect. */
const isRedundantComment = (finding: Finding, base: RunConfig): boolean =>
  finding.kind === "applied" &&
  finding.key.startsWith(STUDIO_PREFIX) &&
  isEqual(getPath(base, finding.path), finding.ours);
