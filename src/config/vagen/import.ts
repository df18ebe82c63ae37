// VAGEN's files → a run's configuration and an account of every key. What the schema refuses costs only that value.
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { getPath } from "../changes.ts";
import { checkedRunConfig } from "../check.ts";
import type { RunConfig } from "../run-config.ts";
import { assumedTask, assumedTrainer, assumption } from "./assume.ts";
import { type Found, findingsFor, unknownTask } from "./find.ts";
import { type Applied, type Assumed, type Finding, ofKind } from "./findings.ts";
import { generationOf } from "./generation.ts";
import { parsePair } from "./overrides-list.ts";
import { type DatasetEntry, readVagenFile, type VagenFile } from "./read.ts";
import { isName, type Reader, readerFor, sourceFor, specOf } from "./reader.ts";
import { withoutEnd, withoutReferences } from "./references.ts";
import type { Generation } from "./row.ts";
import { settle } from "./settle.ts";
import type { Setting } from "./studio-lines.ts";
import type { Scope } from "./table.ts";

interface ImportOptions {
  /** `key=value`, later than the files. */
  overrides?: readonly string[];
  /** Read trainer keys as this generation's; otherwise they tell themselves. */
  generation?: Generation;
  /** What the files say nothing about: size of the policy, warm-up, …; otherwise the defaults. */
  base?: RunConfig;
}

export interface VagenImport {
  generation: Generation;
  config: RunConfig;
  findings: readonly Finding[];
}

type Wish = Applied | Assumed;

/**
 * Reads trainer YAML, dataset YAML and overrides, together or alone.
 * @throws ConfigError when a file cannot be read at all; single values never make it throw.
 */
export function importVagen(files: readonly VagenFile[], options: ImportOptions = {}): VagenImport {
  const texts = files.map(readVagenFile);
  const trainer = withoutReferences([
    ...texts.flatMap((text) => text.trainer),
    ...(options.overrides ?? []).map(parsePair),
  ]);
  const entries = texts.flatMap((text) => text.entries);
  const generation = options.generation ?? generationOf(trainer.pairs, entries);
  const task =
    entries.find(({ split, ...entry }) => split === "train" && specOf(entry)) ?? entries.find(specOf);
  const reader = readerFor(generation, trainer, task, options.base ?? checkedRunConfig({}));
  const found = [
    ...trainerFindings(reader),
    ...entries.flatMap((entry) => entryFindings(reader, entry, task)),
    ...texts.flatMap((text) => text.studio.map((setting) => studioFinding(reader, setting))),
  ];
  const assumed = [...assumedTrainer(reader), ...assumedTask(reader, task, found)];
  return { generation, ...granted(reader, found, assumed) };
}

function trainerFindings(reader: Reader): Finding[] {
  const scope: Scope = { part: "trainer", generation: reader.generation };
  return [...reader.trainer].flatMap(([key, value]) => {
    const why = reader.endless.get(key);
    if (why) return [withoutEnd({ key, value }, why, reader.generation)];
    return findingsFor({ key, shown: key, value }, scope, sourceFor(reader), reader.schema);
  });
}

function entryFindings(reader: Reader, entry: DatasetEntry, task: DatasetEntry | undefined): Finding[] {
  if (entry === task) return entry.pairs.flatMap((pair) => taskFindings(reader, pair, entry));
  if (!specOf(entry)) return entry.pairs.map((pair) => strangeTask(pair));
  const isItsValidation = entry.split === "val" && specOf(entry) === reader.spec;
  return entry.pairs.flatMap((pair) => {
    if (isItsValidation && pair.key === "n_envs") return taskFindings(reader, pair, entry);
    const why = isItsValidation ? "The studio validates on the task that it trains." : "A run has one task.";
    return [{ kind: "ignored", key: pair.shown, value: pair.value, why }];
  });
}

function taskFindings(reader: Reader, pair: Found, { generation, split }: DatasetEntry): Finding[] {
  const { key, shown, value } = pair;
  if (isName(key)) return [{ kind: "applied", key: shown, value, path: "env.name", ours: reader.spec.id }];
  const scope: Scope = { part: "dataset", generation, env: reader.spec.id };
  return findingsFor(pair, scope, sourceFor(reader, split), reader.schema);
}

function strangeTask({ key, shown, value }: Found): Finding {
  if (isName(key)) return unknownTask(shown, value, envs.ids);
  return { kind: "ignored", key: shown, value, why: "Belongs to a task that the studio does not have." };
}

const STUDIO = "# studio: ";

function studioFinding({ schema }: Reader, { path, value }: Setting): Finding {
  const key = `${STUDIO}${path}`;
  if (!schema.has(path)) return { kind: "unknown", key, value, nearest: null };
  return { kind: "applied", key, value, path, ours: value };
}

/** Puts the values in; what the schema does not take becomes a finding with its remedy. */
function granted(
  { base, spec }: Reader,
  found: readonly Finding[],
  assumed: readonly Assumed[],
): Pick<VagenImport, "config" | "findings"> {
  const start = spec.id === base.env.name ? base : otherTask(base, spec);
  const wishes: Wish[] = [...assumed, ...ofKind(found, "applied")];
  const { config, refused, adjusted } = settle(start, wishes);
  const refusals = new Map(refused.map(({ wish, problem }) => [wish as Finding, problem]));
  const shown = [
    ...found.filter((finding) => !isEcho(finding, base)),
    ...assumed.filter((finding) => refusals.has(finding) || isNews(finding, config, base)),
  ];
  const settled = shown.map((finding) => {
    const problem = refusals.get(finding);
    if (problem) return { ...(finding as Wish), kind: "refused" as const, ...wordsOf(problem) };
    return withLastWord(finding, config);
  });
  return { config, findings: [...settled, ...Object.entries(adjusted).map(adjustment)] };
}

/** The base with another task. One without claims cannot have a format that makes some, nor a judge of them. */
function otherTask(base: RunConfig, { id, claims }: EnvSpec): object {
  const env = { name: id, config: {} };
  if (claims.length > 0) return { ...base, env };
  return {
    ...base,
    env,
    rollout: { ...base.rollout, prompt_format: "boxed" },
    judge: { ...base.judge, name: "off" },
  };
}

const wordsOf = ({ message, hint }: { message: string; hint: string }) => ({ message, hint });

/** A default is worth a line where it stands in the configuration and differs from what was there. */
function isNews({ path, ours }: Assumed, config: RunConfig, base: RunConfig): boolean {
  return same(getPath(config, path), ours) && !same(getPath(base, path), ours);
}

/** A comment that says what is so anyway is no news either. */
function isEcho(finding: Finding, base: RunConfig): boolean {
  const { kind, key } = finding;
  return kind === "applied" && key.startsWith(STUDIO) && same(getPath(base, finding.path), finding.ours);
}

/** Two keys may set one value. */
function withLastWord(finding: Finding, config: RunConfig): Finding {
  if (finding.kind !== "applied" || same(getPath(config, finding.path), finding.ours)) return finding;
  const note = `Another line of the files makes ${finding.path} ${JSON.stringify(getPath(config, finding.path))}.`;
  return { ...finding, note };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function adjustment([path, ours]: [string, unknown]): Assumed {
  return { ...assumption("studio", path, ours), note: "Makes room for the values above." };
}
