// Findings on the entries of a dataset. One of them is the task of the run; others that are trained on are further environments.
import { short } from "../../core/short.ts";
import { envs } from "../../envs/index.ts";
import { suggestion } from "../suggest.ts";
import { contextIn, type ImportContext, isTaskName, remoteTask, specOf } from "./context.ts";
import { type Finding, unmapped } from "./findings.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { TURNS, taskFindings } from "./task-findings.ts";
import type { Validations } from "./validation-sets.ts";

/** Keys of a validation entry that are read where the task is another entry. */
export const LEVELS = ["n_envs", "seed", "seed_list"];

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
  if (validations.sets.has(entry)) return notPlayedBySet(contextIn(context, entry), entry);
  if (task && validations.own.get(task) === entry) return ofValidation(context, entry);
  if ([...validations.own.values()].includes(entry)) return ofValidation(null, entry);
  const isKnown = specOf(entry) !== undefined;
  return entry.keys.map((key) => {
    if (!isKnown && isTaskName(key.key)) return unknownTask(key, remoteTask(entry));
    return unmapped(
      "ignored",
      key,
      isKnown ? NOT_TRAINED : "Belongs to a task that the studio does not have.",
    );
  });
}

const AS_TRAINED = "The studio validates on the task that it trains.";
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

/** The unused keys of a further validation set. It has its own levels, options and turns, and shares everything else with the run. */
const notPlayedBySet = (context: ImportContext, entry: DatasetEntry): Finding[] =>
  entry.keys
    .filter((key) =>
      taskFindings(context, key, entry).some(
        (finding) =>
          finding.kind === "applied" && finding.path.startsWith("rollout.") && finding.path !== TURNS,
      ),
    )
    .map((key) => unmapped("ignored", key, AS_TRAINED));

/** @param remote what a remote environment plays, if its options tell */
function unknownTask({ key, shown = key, value }: KeyValue, remote: string | null): Finding {
  const played = remote === null ? "" : ` with the options of ${remote}`;
  const remark = `${shown} is ${short(JSON.stringify(value))}${played}, but the studio has no such environment. ${suggestion(remote ?? String(value), envs.ids)}`;
  return { kind: "refused", key: shown, value, path: "env.name", ours: value, remark };
}
