// VAGEN's files → a run configuration, with a finding for every key. A value that the schema refuses costs only that value.
import { short } from "../../core/short.ts";
import { envs } from "../../envs/index.ts";
import { checkedRunConfig } from "../check.ts";
import { type RunConfig, VALIDATION_FIRST_SEED } from "../run-config.ts";
import { suggestion } from "../suggest.ts";
import { applyFindings } from "./apply-findings.ts";
import { type Setting, STUDIO_PREFIX } from "./comments.ts";
import { contextFor, generationOf, type ImportContext, isTaskName, sourceFor, specOf } from "./context.ts";
import { taskDefaults, trainerDefaults } from "./defaults.ts";
import { type Finding, unmapped } from "./findings.ts";
import { interpretKey } from "./interpret.ts";
import type { Generation } from "./key-mapping.ts";
import { readSeedKeys } from "./keys/seeds.ts";
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
  // Of several entries to validate on, the first is the run's own validation.
  const main = entries.find((entry) => entry.split === "val" && specOf(entry) === (task && specOf(task)));
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
    ...entries.flatMap((entry) => entryFindings(context, entry, task, main)),
    ...validationSetFindings(context, entries, main),
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

/** Keys of a validation entry that are read where the task is another entry. */
const LEVELS = ["n_envs", "seed", "seed_list"];

/** Findings on one dataset entry. Only `task` is imported, with the number of levels of its validation entry. */
function entryFindings(
  context: ImportContext,
  entry: DatasetEntry,
  task: DatasetEntry | undefined,
  main: DatasetEntry | undefined,
): Finding[] {
  const spec = specOf(entry);
  const isValidation = entry !== task && entry.split === "val" && spec === context.spec;
  if (isValidation && entry !== main) return [];
  return entry.keys.flatMap((key): Finding | Finding[] => {
    if (entry === task || (isValidation && LEVELS.includes(key.key)))
      return taskFindings(context, key, entry);
    if (!spec && isTaskName(key.key)) return unknownTask(key, entry);
    const why = !spec
      ? "Belongs to a task that the studio does not have."
      : isValidation
        ? "The studio validates on the task that it trains."
        : "A run has one task.";
    return unmapped("ignored", key, why);
  });
}

function unknownTask({ key, shown = key, value }: KeyValue, entry: DatasetEntry): Finding {
  const game = remoteGame(entry);
  const named = `${short(JSON.stringify(value))}${game ? ` (${game})` : ""}`;
  const remark = `${shown} is ${named}, but the studio has no such environment. ${suggestion(String(value), envs.ids)}`;
  return { kind: "refused", key: shown, value, path: "env.name", ours: value, remark };
}

/** What a remote environment of Lite plays, which only its options tell; empty for others. */
function remoteGame({ keys }: DatasetEntry): string {
  const has = (option: string) => keys.some(({ key }) => key === `config.${option}`);
  if (!has("base_urls")) return "";
  return has("eval_set") ? "VAGEN's Navigation" : has("env_id") ? "VAGEN's PrimitiveSkill" : "";
}

/** One finding for all entries to validate on beyond the first: their levels, and the options in which they differ from it. */
function validationSetFindings(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  main: DatasetEntry | undefined,
): Finding[] {
  if (!main) return [];
  const further = entries.filter(
    (entry) => entry !== main && entry.split === "val" && specOf(entry) === context.spec,
  );
  if (further.length === 0) return [];
  const sets: Record<string, object> = {};
  for (const entry of further) {
    const name = nameOfSet(entry, [context.spec.id, ...Object.keys(sets)]);
    sets[name] = { seeds: seedsOfEntry(context, entry), config: differingOptions(context, entry, main) };
  }
  const path = "trainer.val_sets";
  const remark = "Their metrics have these names: val-core/<name>/reward/mean@n.";
  return [{ kind: "applied", key: "envs", value: Object.keys(sets), path, ours: sets, remark }];
}

/** Lite's name of a group of metrics, made unique. */
function nameOfSet({ keys }: DatasetEntry, taken: readonly string[]): string {
  const given = keys.find(({ key }) => key === "data_source") ?? keys.find(({ key }) => key === "tag_id");
  const name = String(given?.value ?? "set")
    .replace(/[^\w.-]+/g, "_")
    .slice(0, 50);
  const free = [name, ...taken.map((_, i) => `${name}_${i + 2}`)].find((other) => !taken.includes(other));
  return free ?? `${name}_${taken.length + 2}`;
}

function seedsOfEntry(context: ImportContext, entry: DatasetEntry): string {
  const read = readSeedKeys(sourceFor(context, entry));
  if ("value" in read) return String(read.value);
  const count = Number(entry.keys.find(({ key }) => key === "n_envs")?.value ?? 100);
  return `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + count - 1}`;
}

function differingOptions(context: ImportContext, entry: DatasetEntry, main: DatasetEntry): object {
  const applied = (of: DatasetEntry) =>
    new Map(
      of.keys
        .flatMap((key) => taskFindings(context, key, of))
        .flatMap((finding) =>
          finding.kind === "applied" && finding.path.startsWith(OPTIONS)
            ? [[finding.path.slice(OPTIONS.length), finding.ours] as const]
            : [],
        ),
    );
  const others = applied(main);
  const differing = [...applied(entry)].filter(
    ([option, value]) => JSON.stringify(value) !== JSON.stringify(others.get(option)),
  );
  return Object.fromEntries(differing);
}

const OPTIONS = "env.config.";

function taskFindings(context: ImportContext, found: KeyValue, task: DatasetEntry): Finding[] {
  const { spec, schema } = context;
  const { key, shown = key, value } = found;
  if (isTaskName(key)) return [{ kind: "applied", key: shown, value, path: "env.name", ours: spec.id }];
  const scope: Scope = { part: "dataset", generation: task.generation, env: spec.id };
  return interpretKey(found, scope, sourceFor(context, task), schema);
}

function studioFinding({ schema }: ImportContext, { path, value }: Setting): Finding {
  const key = `${STUDIO_PREFIX}${path}`;
  if (!schema.has(path)) return unmapped("unknown", { key, value }, "No similar key is known.");
  return { kind: "applied", key, value, path, ours: value };
}
