// VAGEN's files → a run configuration, with a finding for every key. A value that the schema refuses costs only that value.
import { short } from "../../core/short.ts";
import { envs } from "../../envs/index.ts";
import { checkedRunConfig } from "../check.ts";
import type { RunConfig } from "../run-config.ts";
import { suggestion } from "../suggest.ts";
import { applyFindings } from "./apply-findings.ts";
import { type Setting, STUDIO_PREFIX } from "./comments.ts";
import { contextFor, generationOf, type ImportContext, isTaskName, sourceFor, specOf } from "./context.ts";
import { taskDefaults, trainerDefaults } from "./defaults.ts";
import { type Finding, unmapped } from "./findings.ts";
import { interpretKey } from "./interpret.ts";
import type { Generation } from "./key-mapping.ts";
import { type DatasetEntry, isFlags, parseVagenFile, type VagenFile } from "./parse/file.ts";
import { interpolate } from "./parse/interpolation.ts";
import { type KeyValue, parseOverride } from "./parse/overrides.ts";
import type { ScriptKeys } from "./parse/script.ts";
import { mappingsFor, type Scope } from "./table.ts";

interface ImportOptions {
  /** `key=value`; they win over the files. */
  overrides?: readonly string[];
  /** Read trainer keys as this generation's; otherwise the keys decide. */
  generation?: Generation;
  /** Supplies what the files leave open: size of the policy, SFT, …; otherwise the defaults do. */
  base?: RunConfig;
}

export interface VagenImport {
  generation: Generation;
  config: RunConfig;
  findings: readonly Finding[];
}

/**
 * Reads trainer YAML, dataset YAML and overrides, together or alone.
 * @throws ConfigError when a file cannot be read at all; single values never make it throw.
 */
export function importVagen(files: readonly VagenFile[], options: ImportOptions = {}): VagenImport {
  const parsed = files.map(parseVagenFile).sort((a, b) => a.rank - b.rank);
  const trainer = interpolate([
    ...parsed.flatMap((file) => file.trainer),
    ...(options.overrides ?? []).map(parseOverride),
  ]);
  const entries = parsed.flatMap((file) => file.entries);
  const generation = options.generation ?? generationOf(trainer.values, entries);
  const task = entries.find((entry) => entry.split === "train" && specOf(entry)) ?? entries.find(specOf);
  const base = options.base ?? checkedRunConfig({});
  const context = contextFor(generation, trainer, task, base);
  const found = [
    ...parsed.flatMap(({ script }) =>
      script
        ? scriptFindings(
            script,
            files.some(({ name }) => isFlags(name)),
          )
        : [],
    ),
    ...trainerFindings(context),
    ...entries.flatMap((entry) => entryFindings(context, entry, task)),
    ...parsed.flatMap((file) => file.studio.map((setting) => studioFinding(context, setting))),
  ];
  const assumed = [...trainerDefaults(context), ...taskDefaults(context, task, found)];
  return { generation, ...applyFindings(base, context.spec, found, assumed) };
}

/** What a script does that the import does not read. */
function scriptFindings({ furtherRuns, flags }: Omit<ScriptKeys, "keys">, hasFlags: boolean): Finding[] {
  const runs = { key: "python -m vagen", value: furtherRuns + 1 };
  const further =
    "The script starts several training runs; this is the first. Give each other one a file of its own.";
  const missing = "The script also reads a file of flags; import that file together with it.";
  return [
    ...(furtherRuns > 0 ? [unmapped("unsupported", runs, further)] : []),
    ...(flags !== undefined && !hasFlags ? [unmapped("unknown", { key: flags, value: "" }, missing)] : []),
  ];
}

function trainerFindings(context: ImportContext): Finding[] {
  const scope: Scope = { part: "trainer", generation: context.generation };
  return [...context.trainer].flatMap(([key, value]) => {
    const why = context.unresolved.get(key);
    if (!why) return interpretKey({ key, value }, scope, sourceFor(context), context.schema);
    const path = mappingsFor(key, scope)[0]?.path ?? key;
    const remark = `${key} refers to ${why}. Write one of these values out.`;
    return [{ kind: "refused", key, value, path, ours: value, remark }];
  });
}

/** Findings on one dataset entry. Only `task` is imported, with the number of levels of its validation entry. */
function entryFindings(
  context: ImportContext,
  entry: DatasetEntry,
  task: DatasetEntry | undefined,
): Finding[] {
  const spec = specOf(entry);
  const isValidation = entry !== task && entry.split === "val" && spec === context.spec;
  return entry.keys.flatMap((key): Finding | Finding[] => {
    if (entry === task || (isValidation && key.key === "n_envs")) return taskFindings(context, key, entry);
    if (!spec && isTaskName(key.key)) return unknownTask(key);
    const why = !spec
      ? "Belongs to a task that the studio does not have."
      : isValidation
        ? "The studio validates on the task that it trains."
        : "A run has one task.";
    return unmapped("ignored", key, why);
  });
}

function unknownTask({ key, shown = key, value }: KeyValue): Finding {
  const remark = `${shown} is ${short(JSON.stringify(value))}, but the studio has no such environment. ${suggestion(String(value), envs.ids)}`;
  return { kind: "refused", key: shown, value, path: "env.name", ours: value, remark };
}

function taskFindings(
  context: ImportContext,
  found: KeyValue,
  { generation, split }: DatasetEntry,
): Finding[] {
  const { spec, schema } = context;
  const { key, shown = key, value } = found;
  if (isTaskName(key)) return [{ kind: "applied", key: shown, value, path: "env.name", ours: spec.id }];
  const scope: Scope = { part: "dataset", generation, env: spec.id };
  return interpretKey(found, scope, sourceFor(context, split), schema);
}

function studioFinding({ schema }: ImportContext, { path, value }: Setting): Finding {
  const key = `${STUDIO_PREFIX}${path}`;
  if (!schema.has(path)) return unmapped("unknown", { key, value }, "No similar key is known.");
  return { kind: "applied", key, value, path, ours: value };
}
