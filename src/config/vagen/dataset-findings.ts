// Findings on the entries of a dataset. One of them is the task of the run; others that are trained on are further environments.
import { short } from "../../core/short.ts";
import { envs } from "../../envs/index.ts";
import { suggestion } from "../suggest.ts";
import { type ImportContext, isRemote, isTaskName, remoteTask, specOf } from "./context.ts";
import { type Finding, unmapped } from "./findings.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { taskFindings } from "./task-findings.ts";
import { AS_TRAINED, LEVELS, type Validations } from "./validation-sets.ts";

/** The role of each entry of the files. */
interface Dataset {
  /** The entries that are trained, the run's own task first. */
  trained: readonly DatasetEntry[];
  validations: Validations;
}

/** Findings on one dataset entry, besides those on further environments and sets of levels as a whole. */
export function entryFindings(
  context: ImportContext,
  entry: DatasetEntry,
  { trained, validations }: Dataset,
): Finding[] {
  const [task] = trained;
  if (entry === task) return entry.keys.flatMap((key) => taskFindings(context, key, entry));
  if (trained.includes(entry)) return [];
  if (validations.sets.has(entry)) return [];
  if (task && validations.own.get(task) === entry) return ofValidation(context, entry);
  if ([...validations.own.values()].includes(entry)) return ofValidation(null, entry);
  const isKnown = specOf(entry) !== undefined;
  if (!entry.keys.some(({ key }) => isTaskName(key)))
    return entry.keys.map((key) => unmapped("unknown", key, NAMELESS));
  return entry.keys.map((key) => {
    if (!isKnown && isTaskName(key.key)) return unknownTask(key, entry);
    return unmapped(
      "ignored",
      key,
      isKnown ? NOT_TRAINED : "Belongs to a task that the studio does not have.",
    );
  });
}

const NAMELESS =
  "Its entry does not say which environment it is for: give it a name, such as name: FrozenLake.";
const NOT_TRAINED = "The run does not train in this environment.";

/**
 * What is used of an entry that plays as training does, which are its levels.
 * @param context null for a further environment, which has the levels already
 */
const ofValidation = (context: ImportContext | null, entry: DatasetEntry): Finding[] =>
  entry.keys.flatMap((key) => {
    if (!LEVELS.includes(key.key)) return unmapped("ignored", key, AS_TRAINED);
    return context ? taskFindings(context, key, entry) : [];
  });

function unknownTask({ key, shown = key, value }: KeyValue, entry: DatasetEntry): Finding {
  const remote = remoteTask(entry);
  const played = remote === null ? "" : ` with the options of ${remote}`;
  const remedy =
    remote === null && isRemote(entry)
      ? "What it plays follows from its options: add eval_set for Navigation, env_id for PrimitiveSkill or dataset_name for SVG."
      : suggestion(remote ?? String(value), envs.ids);
  const remark = `${shown} is ${short(JSON.stringify(value))}${played}, but the studio has no such environment. ${remedy}`;
  return { kind: "refused", key: shown, value, path: "env.name", ours: value, remark };
}
