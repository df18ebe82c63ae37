// Findings on the entries of a dataset. One of them is the task of the run; others that are trained on are further environments.
import { short } from "../../core/short.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { suggestion } from "../suggest.ts";
import { type ImportContext, isTaskName, remoteTask, schemaOf, specOf } from "./context.ts";
import { type Finding, unmapped } from "./findings.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { differingOptions, taskFindings } from "./task-findings.ts";

/** Keys of a validation entry that are read where the task is another entry. */
const LEVELS = ["n_envs", "seed", "seed_list"];

/** The entries of all files. */
interface Dataset {
  /** What the run trains on first. */
  task: DatasetEntry | undefined;
  /** The entry that it validates on; the others of its environment are further sets. */
  main: DatasetEntry | undefined;
  entries: readonly DatasetEntry[];
}

/** Findings on one dataset entry that is neither a further environment nor a further set of levels. */
export function entryFindings(
  context: ImportContext,
  entry: DatasetEntry,
  { task, main, entries }: Dataset,
): Finding[] {
  const spec = specOf(entry);
  const isTrained = (other: DatasetEntry) => other !== task && other.split === "train";
  const isValidation = entry !== task && entry.split === "val" && spec === context.spec;
  if (isValidation && entry !== main) return playedAsTask(context, entry);
  if (spec && isTrained(entry)) return [];
  if (spec && spec !== context.spec && entries.some((other) => isTrained(other) && specOf(other) === spec))
    return ofFurtherEnv(context, entry, { entries, spec });
  return entry.keys.flatMap((key): Finding | Finding[] => {
    if (entry === task || (isValidation && LEVELS.includes(key.key)))
      return taskFindings(context, key, entry);
    if (!spec && isTaskName(key.key)) return unknownTask(key, remoteTask(entry));
    const why = !spec
      ? "Belongs to a task that the studio does not have."
      : isValidation
        ? AS_TRAINED
        : "The run does not train in this environment.";
    return unmapped("ignored", key, why);
  });
}

const AS_TRAINED = "The studio validates on the task that it trains.";

/** The entry that a further environment is validated on. */
export const firstValidation = (
  entries: readonly DatasetEntry[],
  spec: EnvSpec | undefined,
): DatasetEntry | undefined => entries.find((entry) => entry.split === "val" && specOf(entry) === spec);

/** What is not used of an entry that a further environment is validated on. Its levels are, if it is the first of them. */
function ofFurtherEnv(
  context: ImportContext,
  entry: DatasetEntry,
  { entries, spec }: { entries: readonly DatasetEntry[]; spec: EnvSpec },
): Finding[] {
  if (entry !== firstValidation(entries, spec))
    return entry.keys.map((key) => unmapped("ignored", key, ONE_ENTRY));
  const trained = entries.find((other) => other.split === "train" && specOf(other) === spec);
  const own = { ...context, spec, schema: schemaOf(spec) };
  const changed = Object.keys(trained ? differingOptions(own, entry, trained) : {});
  const isChanged = (key: KeyValue) =>
    taskFindings(own, key, entry).some(
      (finding) =>
        finding.kind === "applied" && changed.some((option) => finding.path === `env.config.${option}`),
    );
  return entry.keys
    .filter(({ key }) => !LEVELS.includes(key))
    .map((key) => unmapped(isChanged(key) ? "unsupported" : "ignored", key, AS_TRAINED));
}

const ONE_ENTRY = "A further environment is validated on its first entry only.";

/** What is not used of a further set of levels. Levels and options are its own; everything else is the run's. */
const playedAsTask = (context: ImportContext, entry: DatasetEntry): Finding[] =>
  entry.keys
    .filter((key) =>
      taskFindings(context, key, entry).some(
        (finding) => finding.kind === "applied" && finding.path.startsWith("rollout."),
      ),
    )
    .map((key) => unmapped("ignored", key, AS_TRAINED));

/** @param remote what a remote environment plays, if its options tell */
function unknownTask({ key, shown = key, value }: KeyValue, remote: string | null): Finding {
  const played = remote === null ? "" : ` with the options of ${remote}`;
  const remark = `${shown} is ${short(JSON.stringify(value))}${played}, but the studio has no such environment. ${suggestion(remote ?? String(value), envs.ids)}`;
  return { kind: "refused", key: shown, value, path: "env.name", ours: value, remark };
}
