// VAGEN's files → a run configuration, with a finding for every key. A value that the schema refuses costs only that value.
import { checkedRunConfig } from "../check.ts";
import { renamedSetting } from "../renamed.ts";
import type { RunConfig } from "../run-config.ts";
import { applyFindings } from "./apply-findings.ts";
import { arealEntry } from "./areal-task.ts";
import { type Setting, STUDIO_PREFIX } from "./comments.ts";
import { contextFor, generationOf, type ImportContext, sourceFor } from "./context.ts";
import { entryFindings } from "./dataset-findings.ts";
import { taskDefaults, trainerDefaults } from "./defaults.ts";
import { type Finding, ofKind, unmapped } from "./findings.ts";
import { furtherParts, sharedSettingFindings, trainedEntries } from "./further-envs.ts";
import { interpretKey } from "./interpret.ts";
import type { Generation } from "./key-mapping.ts";
import { type DatasetEntry, flattened, isFlags, parseVagenFile, type VagenFile } from "./parse/file.ts";
import { interpolate } from "./parse/interpolation.ts";
import { type KeyValue, parseOverride } from "./parse/overrides.ts";
import type { ScriptKeys } from "./parse/script.ts";
import { withoutSecrets } from "./parse/secrets.ts";
import { mappingsFor, type Scope } from "./table.ts";
import { setKeyFindings, validationsOf } from "./validation-sets.ts";

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
  const parsed = files
    .map((file) => ({ ...parseVagenFile(file), name: file.name }))
    .sort((a, b) => a.rank - b.rank);
  const given = [
    ...parsed.flatMap((file) => file.trainer),
    ...(options.overrides ?? []).map(parseOverride).flatMap(flattened).map(withoutSecrets),
  ];
  const trainer = interpolate(given);
  const ofFiles = entriesOf(parsed);
  const generation = options.generation ?? generationOf(trainer.values, ofFiles);
  const entries = generation === "areal" ? [...ofFiles, ...arealEntry(trainer)] : ofFiles;
  const trained = trainedEntries(entries);
  const [task] = trained;
  const base = options.base ?? checkedRunConfig({});
  const context = contextFor(generation, trainer, entries, task, base);
  const validations = validationsOf(context, entries, trained);
  const { further, sets, ofSets } = furtherParts(context, trained, validations);
  const ofEntries = entries.flatMap((entry) => entryFindings(context, entry, { trained, validations }));
  const found = [
    ...parsed.flatMap(({ script }) => scriptFindings(script, files)),
    ...trainerFindings(context),
    ...given.filter(({ isDeleted }) => isDeleted).map(deletionFinding),
    ...ofEntries,
    ...further.flatMap((one) => one.found),
    ...ofSets,
    ...parsed.flatMap((file) => file.studio.map((setting) => studioFinding(context, setting))),
  ];
  const ofTask = taskDefaults(context, task, found);
  const { config, findings } = applyFindings(
    sets.length > 0 ? withoutSets(base) : base,
    context.spec,
    found,
    [...trainerDefaults(context), ...ofTask, ...further.flatMap(({ assumed }) => assumed)],
  );
  const said = [...ofTask, ...ofKind(ofEntries, "applied")];
  // A comment of the studio's own gives the value that all environments had.
  const commented = new Set(parsed.flatMap(({ studio }) => studio.map(({ path }) => path)));
  const shared = further.flatMap((one) => sharedSettingFindings(one, config, said, commented));
  const keysOfSets = sets.flatMap((set) => setKeyFindings(context, set, config));
  return { generation, config, findings: [...findings, ...shared, ...keysOfSets] };
}

/** The files say which sets there are. */
const withoutSets = (base: RunConfig): RunConfig => ({ ...base, trainer: { ...base.trainer, val_sets: {} } });

/** The entries of all files. Those of several files, such as Lite's train and val, are reported with the names of their files. */
function entriesOf(
  files: readonly { name: string; entries: readonly DatasetEntry[] }[],
): readonly DatasetEntry[] {
  const datasets = files.filter(({ entries }) => entries.length > 0);
  if (datasets.length < 2) return datasets.flatMap(({ entries }) => entries);
  return datasets.flatMap(({ name, entries }) => entries.map((entry) => inFile(name, entry)));
}

const inFile = (name: string, entry: DatasetEntry): DatasetEntry => ({
  ...entry,
  keys: entry.keys.map((found) => ({ ...found, shown: `${name}: ${found.shown ?? found.key}` })),
});

/** What a script does that the import does not read. */
function scriptFindings(
  { furtherRuns, flags }: Omit<ScriptKeys, "keys"> = { furtherRuns: 0 },
  files: readonly VagenFile[],
): Finding[] {
  const hasFlags = files.some(({ name }) => isFlags(name));
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

const deletionFinding = ({ key, value }: KeyValue): Finding =>
  unmapped("ignored", { key: `~${key}`, value }, "Deleted: read as if the files did not have it.");

function studioFinding({ schema }: ImportContext, { path, value }: Setting): Finding {
  const key = `${STUDIO_PREFIX}${path}`;
  const renamed = renamedSetting(path);
  const ours = renamed?.read(value);
  if (renamed && ours !== undefined) return { kind: "applied", key, value, path: renamed.path, ours };
  if (!schema.has(path)) return unmapped("unknown", { key, value }, "No similar key is known.");
  return { kind: "applied", key, value, path, ours: value };
}
